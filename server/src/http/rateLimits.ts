import type { Settings } from '../centrals/settings.ts';
import { BoundedMap } from '../kernel/boundedMap.ts';
import type { Clock } from '../kernel/clock.ts';
import { networkOf } from './address.ts';
import { type Admission, SlidingWindow } from './slidingWindow.ts';

export type LimitGroup =
  | 'scheduled'
  | 'deliveries'
  | 'estimates'
  | 'topUps'
  | 'balances'
  | 'operations'
  | 'positions';

export const limitOf: Record<LimitGroup, keyof Settings & `limit${string}`> = {
  scheduled: 'limitScheduled',
  deliveries: 'limitDeliveries',
  estimates: 'limitEstimates',
  topUps: 'limitTopUpsPerCompany',
  balances: 'limitBalancesPerCompany',
  operations: 'limitOperations',
  positions: 'limitPositions',
};

const ANONYMOUS_LIMIT = 120;
const WINDOWS_MAX = 20_000;

export interface RateLimits {
  /** Counts one request of a known caller. */
  admit(key: string, limit: number): Admission;
  /** Counts what no central answers for: unknown routes, wrong methods, unknown keys, broken HTTP. */
  admitStranger(ip: string): Admission;
}

/**
 * Refused requests do not count. Each process counts for itself; behind N processes a central has N times
 * its limit at worst (docs/decisions says why that is enough).
 */
export function rateLimits(clock: Clock): RateLimits {
  const callers = new BoundedMap<string, SlidingWindow>(WINDOWS_MAX);
  // Apart, because strangers can be made at will and must not push callers out.
  const strangers = new BoundedMap<string, SlidingWindow>(WINDOWS_MAX);
  const admit = (windows: BoundedMap<string, SlidingWindow>, key: string, limit: number): Admission => {
    let window = windows.get(key);
    if (!window) {
      window = new SlidingWindow();
      windows.set(key, window);
    }
    return window.admit(clock.now().epochMilliseconds, limit);
  };
  return {
    admit: (key, limit) => admit(callers, key, limit),
    admitStranger: (ip) => admit(strangers, networkOf(ip), ANONYMOUS_LIMIT),
  };
}
