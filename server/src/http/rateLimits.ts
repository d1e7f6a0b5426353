import type { Settings } from '../centrals/settings.ts';
import { BoundedMap } from '../kernel/boundedMap.ts';
import type { Clock } from '../kernel/clock.ts';

export type LimitGroup = 'scheduled' | 'deliveries' | 'estimates' | 'topUps' | 'balances' | 'operations';

export const limitOf: Record<LimitGroup, keyof Settings & `limit${string}`> = {
  scheduled: 'limitScheduled',
  deliveries: 'limitDeliveries',
  estimates: 'limitEstimates',
  topUps: 'limitTopUpsPerCompany',
  balances: 'limitBalancesPerCompany',
  operations: 'limitOperations',
};

export const ANONYMOUS_LIMIT = 120;
const WINDOW_MS = 60_000;
const WINDOWS_MAX = 20_000;

export interface Admission {
  admitted: boolean;
  limit: number;
  remaining: number;
  retryAfterSeconds: number;
}

export interface RateLimits {
  admit(key: string, limit: number): Admission;
}

/**
 * An exact sliding window of 60 seconds: the moments of the last `limit` requests, in a ring. Refused
 * requests do not count. Each process counts for itself; behind N processes a central has N times its
 * limit at worst (docs/decisions says why that is enough).
 */
export function rateLimits(clock: Clock): RateLimits {
  const windows = new BoundedMap<string, SlidingWindow>(WINDOWS_MAX);
  return {
    admit(key, limit) {
      let window = windows.get(key);
      if (!window || window.limit !== limit) {
        window = new SlidingWindow(limit);
        windows.set(key, window);
      }
      return window.admit(clock.now().epochMilliseconds);
    },
  };
}

class SlidingWindow {
  readonly limit: number;
  // Grows up to the limit, so that a high limit costs memory only where it is used.
  #moments: number[] = [];
  #oldest = 0;
  #count = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  admit(now: number): Admission {
    while (this.#count > 0 && this.#moments[this.#oldest]! <= now - WINDOW_MS) {
      this.#oldest = (this.#oldest + 1) % this.limit;
      this.#count -= 1;
    }
    const admitted = this.#count < this.limit;
    if (admitted) {
      this.#moments[(this.#oldest + this.#count) % this.limit] = now;
      this.#count += 1;
    }
    const freedAt = this.#moments[this.#oldest]! + WINDOW_MS;
    return {
      admitted,
      limit: this.limit,
      remaining: this.limit - this.#count,
      retryAfterSeconds: Math.max(1, Math.ceil((freedAt - now) / 1000)),
    };
  }
}
