import { listSettings } from '../../centrals/centralStore.ts';
import { countForEach } from '../../platform/kernel/rounds.ts';
import { deleteInSteps } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { deleteOldEvents, findCentralsWithOldEvents } from './eventStore.ts';

/**
 * Deletes events after the time that each central keeps them. Their webhook messages are deleted with them by the
 * foreign key.
 */
export async function forgetEvents({ db, clock }: Deps): Promise<{ events: number }> {
  const now = clock.now();
  // One query for all centrals with the same retention time; most have the default.
  const keeping = Map.groupBy(await listSettings(db), ({ settings }) => settings.eventsKeptDays);
  const events = await countForEach([...keeping], async ([days, centrals]) => {
    const before = now.subtract({ hours: 24 * days });
    const centralIds = centrals.map(({ centralId }) => centralId);
    return countForEach(await findCentralsWithOldEvents(db, centralIds, before), (centralId) =>
      deleteInSteps(db, (tx, limit) => deleteOldEvents(tx, centralId, before, limit)),
    );
  });
  return { events };
}
