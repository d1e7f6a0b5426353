import { doneByService } from '../events/deed.ts';
import { recordScheduledEvent } from '../events/recordEvent.ts';
import type { RefusalKind } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { type Key, markFailed } from './dispatchStore.ts';

/** Why a dispatch failed for good: a rule said no, or it ended in errors, which the log tells more of. */
export type DispatchFailure = RefusalKind | 'internal-error';

/** It is not tried again. The caller holds its lock. */
export async function failDispatch(
  tx: Tx,
  key: Key,
  failure: DispatchFailure,
  now: Temporal.Instant,
): Promise<void> {
  await markFailed(tx, key, failure);
  const told = { situation: 'failed', change: 'dispatch_failed', failure };
  await recordScheduledEvent(tx, key.centralId, key.id, 'scheduled.changed', told, doneByService(now));
}
