import type { Clock } from '../../platform/kernel/clock.ts';
import { lruCache } from '../../platform/kernel/lru.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';

const WINDOW_MS = 15 * 60_000;
const LOGINS_MAX = 20_000;

export interface CouponGuard {
  /** Finds a code for a login, unless that login has given too many wrong codes. */
  attempt<Found>(
    login: { centralId: number; userId: number | null },
    wrongMax: number,
    find: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>;
}

/**
 * Prevents guessing of codes. A login may give a limited number of wrong codes in 15 minutes, counted from the
 * first; after that even a correct code is refused. A correct code does not reset the count. Parallel attempts
 * gain nothing: at most as many run as may still be wrong, and the others wait for them.
 *
 * Each process counts for itself, as with rate limits (docs/decisions/0008).
 */
export function couponGuard(clock: Clock): CouponGuard {
  const logins = lruCache<string, Attempts>(LOGINS_MAX);
  return {
    async attempt({ centralId, userId }, wrongMax, find) {
      const key = `${centralId} ${userId}`;
      const attempts = logins.get(key) ?? newAttempts();
      logins.set(key, attempts);
      await takeTurn(attempts, wrongMax, () => clock.milliseconds());
      try {
        const found = await find();
        if (found === undefined) countWrong(attempts, clock.milliseconds());
        return found;
      } finally {
        attempts.undecided -= 1;
        for (const wake of attempts.waiting.splice(0)) wake();
      }
    },
  };
}

interface Attempts {
  wrong: number;
  /** When the wrong codes so far are forgotten. */
  forgottenAt: number;
  undecided: number;
  waiting: (() => void)[];
}

const newAttempts = (): Attempts => ({ wrong: 0, forgottenAt: 0, undecided: 0, waiting: [] });

/** Counts the attempt as undecided in the same turn of the event loop that permits it, so none comes in between. */
async function takeTurn(attempts: Attempts, wrongMax: number, now: () => number): Promise<void> {
  for (;;) {
    // A time farther ahead than the window was stored before the clock was set back.
    if (now() >= attempts.forgottenAt || attempts.forgottenAt - now() > WINDOW_MS) attempts.wrong = 0;
    if (attempts.wrong >= wrongMax)
      throw new Refusal('too-many-wrong-coupons', {
        seconds: Math.ceil((attempts.forgottenAt - now()) / 1000),
      });
    if (attempts.wrong + attempts.undecided < wrongMax) {
      attempts.undecided += 1;
      return;
    }
    await new Promise<void>((resolve) => attempts.waiting.push(resolve));
  }
}

function countWrong(attempts: Attempts, now: number): void {
  if (attempts.wrong === 0) attempts.forgottenAt = now + WINDOW_MS;
  attempts.wrong += 1;
}
