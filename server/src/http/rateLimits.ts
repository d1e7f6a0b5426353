import type { Settings } from '../centrals/settings.ts';
import { BoundedMap } from '../kernel/boundedMap.ts';
import type { Clock } from '../kernel/clock.ts';
import { networksOf } from './address.ts';
import { type Admission, SlidingWindow } from './slidingWindow.ts';

export type LimitGroup =
  | 'scheduled'
  | 'deliveries'
  | 'estimates'
  | 'topUps'
  | 'withdrawals'
  | 'balances'
  | 'operations'
  | 'positions';

export const limitOf: Record<LimitGroup, keyof Settings & `limit${string}`> = {
  scheduled: 'limitScheduled',
  deliveries: 'limitDeliveries',
  estimates: 'limitEstimates',
  topUps: 'limitTopUpsPerCompany',
  withdrawals: 'limitTopUpsPerCompany',
  balances: 'limitBalancesPerCompany',
  operations: 'limitOperations',
  positions: 'limitPositions',
};

const ANONYMOUS_LIMIT = 120;
/** Of all the networks of one /48 together. */
const WIDE_NETWORK_LIMIT = 1_200;
const WINDOWS_MAX = 20_000;

export interface RateLimits {
  /** Counts one request of a known caller. */
  admit(key: string, limit: number): Admission;
  /** Counts what no central answers for: unknown routes, wrong methods, unknown keys, broken HTTP. */
  admitStranger(ip: string): Admission;
  /** Where a stranger stands, without counting anything. */
  strangerStanding(ip: string): Admission;
}

/**
 * Refused requests do not count. Each process counts for itself; behind N processes a central has N times
 * its limit at worst (docs/decisions says why that is enough).
 */
export function rateLimits(clock: Clock): RateLimits {
  const callers = windows(clock);
  // Apart, because strangers can be made at will and must not push callers out.
  const strangers = windows(clock);
  const wideNetworks = windows(clock);
  return {
    admit: callers.admit,
    admitStranger(ip) {
      const [network, wider] = networksOf(ip);
      const wide = wider === undefined ? undefined : wideNetworks.standing(wider, WIDE_NETWORK_LIMIT);
      if (wide && !wide.admitted) return { ...wide, limit: ANONYMOUS_LIMIT };
      const admission = strangers.admit(network, ANONYMOUS_LIMIT);
      if (wider !== undefined && admission.admitted) wideNetworks.admit(wider, WIDE_NETWORK_LIMIT);
      return admission;
    },
    strangerStanding: (ip) => strangers.standing(networksOf(ip)[0], ANONYMOUS_LIMIT),
  };
}

function windows(clock: Clock) {
  const kept = new BoundedMap<string, SlidingWindow>(WINDOWS_MAX);
  const now = () => clock.now().epochMilliseconds;
  return {
    admit(key: string, limit: number): Admission {
      let window = kept.get(key);
      if (!window) {
        window = new SlidingWindow();
        kept.set(key, window);
      }
      return window.admit(now(), limit);
    },
    standing: (key: string, limit: number): Admission =>
      (kept.get(key) ?? new SlidingWindow()).standing(now(), limit),
  };
}
