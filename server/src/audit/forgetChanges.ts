import { countForEach } from '../kernel/rounds.ts';
import { deleteInSteps } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import { deleteOldChanges, findCentralsWithOldChanges } from './auditStore.ts';

/** Five years: the usual retention period of business records. */
const KEPT_DAYS = 5 * 365;

/** Called periodically. */
export async function forgetChanges({ db, clock }: Deps): Promise<number> {
  const before = clock.now().subtract({ hours: 24 * KEPT_DAYS });
  return countForEach(await findCentralsWithOldChanges(db, before), (centralId) =>
    deleteInSteps(db, (tx, limit) => deleteOldChanges(tx, centralId, before, limit)),
  );
}
