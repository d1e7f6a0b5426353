import { listSettings } from '../centrals/centralStore.ts';
import { countForEach, forEachIsolated } from '../kernel/rounds.ts';
import { deleteInSteps } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import {
  deleteOldEvents,
  deleteOldPositions,
  findCentralsWithOldEvents,
  findCentralsWithOldPositions,
} from './eventStore.ts';

/** A position is outdated after seconds. It is kept for a day so that it can be found in the message log. */
const POSITIONS_KEPT_HOURS = 24;

/**
 * Deletes events after the time that each central keeps them, and old positions. Their webhook messages are
 * deleted with them by the foreign key.
 */
export async function forgetEvents({ db, clock }: Deps): Promise<{ events: number; positions: number }> {
  const now = clock.now();
  const stale = now.subtract({ hours: POSITIONS_KEPT_HOURS });
  const deleted = { events: 0, positions: 0 };
  const deleteEvents = async () => {
    // One query for all centrals with the same retention time; most have the default.
    const keeping = Map.groupBy(await listSettings(db), ({ settings }) => settings.eventsKeptDays);
    deleted.events = await countForEach([...keeping], async ([days, centrals]) => {
      const before = now.subtract({ hours: 24 * days });
      const centralIds = centrals.map(({ centralId }) => centralId);
      return countForEach(await findCentralsWithOldEvents(db, centralIds, before), (centralId) =>
        deleteInSteps(db, (tx, limit) => deleteOldEvents(tx, centralId, before, limit)),
      );
    });
  };
  const deletePositions = async () => {
    deleted.positions = await countForEach(await findCentralsWithOldPositions(db, stale), (centralId) =>
      deleteInSteps(db, (tx, limit) => deleteOldPositions(tx, centralId, stale, limit)),
    );
  };
  await forEachIsolated([deleteEvents, deletePositions], (part) => part());
  return deleted;
}
