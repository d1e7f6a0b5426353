import { deleteInSteps } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import { deleteOldEvents, deleteOldPositions, findKeepingTimes } from './eventStore.ts';

/** A position is outdated after seconds. It is kept for a day so that it can be found in the message log. */
const POSITIONS_KEPT_HOURS = 24;

/**
 * Deletes events after the time that each central keeps them, and old positions. Their webhook messages are
 * deleted with them by the foreign key.
 */
export async function forgetEvents({ db, clock }: Deps): Promise<{ events: number; positions: number }> {
  const now = clock.now();
  let events = 0;
  for (const { centralId, days } of await findKeepingTimes(db)) {
    const before = now.subtract({ hours: 24 * days });
    events += await deleteInSteps(db, (tx, limit) => deleteOldEvents(tx, centralId, before, limit));
  }
  const stale = now.subtract({ hours: POSITIONS_KEPT_HOURS });
  const positions = await deleteInSteps(db, (tx, limit) => deleteOldPositions(tx, stale, limit));
  return { events, positions };
}
