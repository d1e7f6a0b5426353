import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from './refusal.ts';

const ATTEMPTS_MAX = 20;
const FIRST_PAUSE_MS = 5;
const PAUSE_MS_MAX = 250;

/** Thrown when a row that was read without a lock has changed before it is locked and saved. */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}

/** Waits before another attempt; the first of them is number 2. */
export type Pause = (attempt: number) => Promise<unknown>;

/** Grows with each attempt, and is random, so that commands that met do not meet again. */
const randomPause: Pause = (attempt) => {
  if (attempt === 2) return Promise.resolve();
  return sleep(Math.random() * Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (attempt - 2)));
};

/**
 * Runs work that reads, calls the router, and only then locks and saves. The work throws ChangedMeanwhile from its
 * transaction when the locked versions differ from those it read, and is run again from the start: at once the first
 * time, because the other command has ended, and later after a pause.
 */
export async function retryOnConflict<Result>(
  work: () => Promise<Result>,
  pause: Pause = randomPause,
): Promise<Result> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    if (attempt > 1) await pause(attempt);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
  throw new Refusal('unavailable');
}
