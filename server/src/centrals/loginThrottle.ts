import { BoundedMap } from '../kernel/boundedMap.ts';
import type { Clock } from '../kernel/clock.ts';

const FREE_FAILURES = 5;
const FORGIVEN_AFTER_MS = 15 * 60_000;
const PENALTY_MS = 500;
const PENALTY_MS_MAX = 60_000;
/** Longer waits are refused at once, so that waiting attempts cannot pile up in memory. */
const WAIT_MS_MAX = 5_000;
const KEYS_MAX = 50_000;

interface Failures {
  count: number;
  lastAt: number;
  nextAttemptAt: number;
}

export interface LoginThrottle {
  /** Milliseconds to wait before an attempt may be made, or null when it must be refused for now. */
  admit(keys: readonly string[]): number | null;
  failed(keys: readonly string[]): void;
  succeeded(keys: readonly string[]): void;
}

/**
 * Slows down guessing, per user name and per address. The first failures are free; then attempts are
 * spaced by a pause that doubles. Attempts made in parallel queue behind one another, because each
 * admission moves the next one back: opening many connections buys nothing.
 */
export function loginThrottle(clock: Clock): LoginThrottle {
  const failures = new BoundedMap<string, Failures>(KEYS_MAX);
  const now = () => clock.now().epochMilliseconds;
  const recent = (key: string): Failures | undefined => {
    const known = failures.get(key);
    return known && now() - known.lastAt < FORGIVEN_AFTER_MS ? known : undefined;
  };
  return {
    admit(keys) {
      const slowed = keys.map(recent).filter((one) => one !== undefined && one.count >= FREE_FAILURES);
      const at = Math.max(now(), ...slowed.map((one) => one!.nextAttemptAt));
      const wait = at - now();
      if (wait > WAIT_MS_MAX) return null;
      for (const one of slowed) one!.nextAttemptAt = at + penalty(one!.count);
      return wait;
    },
    failed(keys) {
      for (const key of keys) {
        const known = recent(key) ?? { count: 0, lastAt: 0, nextAttemptAt: 0 };
        known.count += 1;
        known.lastAt = now();
        if (known.count >= FREE_FAILURES)
          known.nextAttemptAt = Math.max(known.nextAttemptAt, now() + penalty(known.count));
        failures.set(key, known);
      }
    },
    succeeded(keys) {
      for (const key of keys) failures.delete(key);
    },
  };
}

const penalty = (count: number): number =>
  Math.min(PENALTY_MS * 2 ** (count - FREE_FAILURES), PENALTY_MS_MAX);
