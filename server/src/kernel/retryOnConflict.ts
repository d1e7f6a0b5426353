import { Refusal } from './refusal.ts';

const ATTEMPTS_MAX = 20;

/** What was planned without a lock was changed before it could be saved under one. */
export class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile';
}

/**
 * Runs work that looks, asks the router, and only then locks and saves. It throws ChangedMeanwhile out of its
 * transaction when the versions under lock are not those it looked at, and is run again from the start.
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
