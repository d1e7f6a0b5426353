import { Refusal } from './refusal.ts';

const ATTEMPTS_MAX = 20;

/** Thrown when a row that was read without a lock has changed before it is locked and saved. */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}

/**
 * Runs work that reads, calls the router, and only then locks and saves. The work throws ChangedMeanwhile from its
 * transaction when the locked versions differ from those it read, and is run again from the start.
 */
export async function retryOnConflict<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error;
    }
  }
  throw new Refusal('unavailable');
}
