import { listSettings } from '../../centrals/centralStore.ts';
import { countForEach } from '../../platform/kernel/rounds.ts';
import { deleteInSteps } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { deleteOldDays, deleteOldRequests, findCentralsWithOldRequests } from './requestStore.ts';

/** Deletes recorded requests after the time that each central keeps them. */
export async function forgetRequests({ db, clock }: Deps): Promise<{ requests: number }> {
  const now = clock.now();
  // One query for all centrals with the same retention time; most have the default.
  const keeping = Map.groupBy(await listSettings(db), ({ settings }) => settings.requestsKeptDays);
  const requests = await countForEach([...keeping], async ([days, centrals]) => {
    const before = now.subtract({ hours: 24 * days });
    const centralIds = centrals.map(({ centralId }) => centralId);
    return countForEach(await findCentralsWithOldRequests(db, centralIds, before), async (centralId) => {
      await deleteOldDays(db, centralId, before);
      return deleteInSteps(db, (tx, limit) => deleteOldRequests(tx, centralId, before, limit));
    });
  });
  return { requests };
}
