import type { Needs } from '../postgres/needs.ts';
import { countAttempt, type Key, markRetry } from './dispatchStore.ts';
import { failDispatch } from './failDispatch.ts';

export interface DispatchNeeds extends Needs {
  log: { error(details: object, message: string): void };
}

export const ATTEMPTS_MAX = 3;
const PAUSE_SECONDS = 5;
const TRANSIENT_PAUSE_SECONDS = 1;

/**
 * What to do about one whose dispatch ended in an error. Others go on without it; it is tried again after a
 * pause, and after a few such errors it has failed for good. Errors that only say that somebody was in the way
 * (a deadlock, a lock or a statement that took too long, no resources) do not count.
 */
export async function putOff({ db, clock, log }: DispatchNeeds, key: Key, error: unknown): Promise<void> {
  log.error({ err: error, centralId: key.centralId, scheduledId: key.id }, 'a dispatch ended in an error');
  const now = clock.now();
  await db.begin(async (tx) => {
    if (isTransient(error)) return markRetry(tx, key, now.add({ seconds: TRANSIENT_PAUSE_SECONDS }));
    const attempts = await countAttempt(tx, key);
    if (attempts === undefined) return;
    if (attempts >= ATTEMPTS_MAX) return failDispatch(tx, key, 'internal-error', now);
    return markRetry(tx, key, now.add({ seconds: PAUSE_SECONDS * attempts }));
  });
}

const isTransient = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(40|53|55P03|57014)/.test(String(error.code));
