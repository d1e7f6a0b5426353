import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Attempts, failedAttempts, type Slot } from './failedAttempts.ts';

/** Longer waits are refused at once, so that waiting attempts cannot pile up in memory. */
const WAIT_MS_MAX = 5_000;
/** At one slot. */
const QUEUE_MAX = 100;
/** At all slots together. */
const WAITING_MAX = 500;
const RETRY_MS = 1_000;

export interface LoginThrottle {
  /** Makes the attempt when its turn has come; refuses with too-many-attempts when that is too far off. */
  attempt<Found>(
    slots: readonly Slot[],
    verify: () => Promise<Found | undefined>,
  ): Promise<Found | undefined>;
}

/**
 * Slows down guessing: see Attempts. An attempt that could not be decided, because the database was away or the queue
 * full, is nobody's failure and leaves nothing behind.
 */
export function loginThrottle(
  clock: Clock,
  sleep: (ms: number) => Promise<unknown> = sleepFor,
): LoginThrottle {
  const counted = failedAttempts();
  let waiting = 0;
  const now = () => clock.now().epochMilliseconds;

  const wait = async (turn: Promise<unknown>): Promise<void> => {
    waiting += 1;
    try {
      await turn;
    } finally {
      waiting -= 1;
    }
  };

  /** Returns the way to take the attempt back. */
  const turn = async (all: readonly Attempts[]): Promise<() => void> => {
    for (;;) {
      const at = Math.max(now(), ...all.map(({ nextAt }) => nextAt));
      const pause = at - now();
      if (pause > WAIT_MS_MAX) throw tooMany(pause);
      const crowded = all.find(({ isCrowded }) => isCrowded);
      if ((crowded || pause > 0) && waiting >= WAITING_MAX) throw busy();
      if (!crowded) {
        const takeBack = all.map((one) => one.begin(at));
        if (pause > 0) await wait(sleep(pause));
        return () => {
          for (const undo of takeBack) undo();
        };
      }
      // Whoever shares a network with many others is not told that it tried too often.
      if (crowded.queued >= QUEUE_MAX) throw crowded.slot.cleared ? tooMany(RETRY_MS) : busy();
      await wait(crowded.nextDecision());
    }
  };

  const decide = async <Found>(
    all: readonly Attempts[],
    verify: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> => {
    const takeBack = await turn(all);
    try {
      const found = await verify();
      for (const one of all) {
        if (found === undefined) one.fail(now());
        else one.succeed();
      }
      return found;
    } catch (error) {
      takeBack();
      throw error;
    } finally {
      for (const one of all) one.decide();
    }
  };

  return {
    async attempt(slots, verify) {
      const all = counted.take(slots, now());
      try {
        return await decide(all, verify);
      } finally {
        counted.giveBack(all);
      }
    },
  };
}

const tooMany = (ms: number) => new Refusal('too-many-attempts', { seconds: Math.ceil(ms / 1000) });
const busy = () => new Refusal('logins-busy', { seconds: RETRY_MS / 1000 });
