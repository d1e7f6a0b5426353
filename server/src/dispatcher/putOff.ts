import { troubleOf } from '../postgres/databaseErrors.ts';
import type { Needs } from '../postgres/needs.ts';
import { countAttempt, type Key, markRetry } from './dispatchStore.ts';
import { failDispatch } from './failDispatch.ts';

export interface DispatchNeeds extends Needs {
  log: { error(details: object, message: string): void };
}

const ATTEMPTS_MAX = 3;
const PAUSE_SECONDS = 5;
const IN_THE_WAY_PAUSE_SECONDS = 1;

/**
 * What to do about one whose dispatch ended in an error. Others go on without it; it is tried again after a
 * pause, and after a few such errors it has failed for good. That somebody was in the way does not count. Throws
 * the error again when it is not about this one: the database is gone, or its disk is full.
 */
export async function putOff({ db, clock, log }: DispatchNeeds, key: Key, error: unknown): Promise<void> {
  if (isDatabaseGone(error)) throw error;
  log.error({ err: error, centralId: key.centralId, scheduledId: key.id }, 'a dispatch ended in an error');
  const now = clock.now();
  await db.begin(async (tx) => {
    if (troubleOf(error) === 'contention')
      return markRetry(tx, key, now.add({ seconds: IN_THE_WAY_PAUSE_SECONDS }));
    const attempts = await countAttempt(tx, key);
    if (attempts === undefined) return;
    if (attempts >= ATTEMPTS_MAX) return failDispatch(tx, key, 'internal-error', now);
    return markRetry(tx, key, now.add({ seconds: PAUSE_SECONDS * attempts }));
  });
}

/** Nothing can be done about any of them; the next look takes them up. */
export const isDatabaseGone = (error: unknown): boolean => troubleOf(error) === 'outage';
