import { countForEach } from '../kernel/rounds.ts';
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
  const stale = now.subtract({ hours: POSITIONS_KEPT_HOURS });
  const centrals = await findKeepingTimes(db);
  const events = await countForEach(centrals, ({ centralId, days }) => {
    const before = now.subtract({ hours: 24 * days });
    return deleteInSteps(db, (tx, limit) => deleteOldEvents(tx, centralId, before, limit));
  });
  const positions = await countForEach(centrals, ({ centralId }) =>
    deleteInSteps(db, (tx, limit) => deleteOldPositions(tx, centralId, stale, limit)),
  );
  return { events, positions };
}
