import { type Caller, wholeCentral } from '../../centrals/caller.ts';
import { isReasonActive } from '../../centrals/reasonStore.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { type Outcome, outcomeOf } from '../../platform/kernel/outcome.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Db } from '../../platform/postgres/database.ts';
import { cancelCarriers, cancelDelivery } from './cancelDelivery.ts';
import type { Delivery } from './delivery.ts';
import { findSomeDeliveries, lockSomeDeliveries } from './deliveryStore.ts';
import { isCarried, isOver } from './status.ts';

/**
 * Cancels several deliveries; returns what became of each, in the order of `ids`. An id that comes again is cancelled
 * already.
 *
 * Those that no driver has accepted are cancelled in one transaction. A carried or a grouped one may ask the router,
 * frees a driver, and changes other deliveries: it is cancelled by itself, before the others. With an Idempotency-Key the
 * answer is stored with the transaction of the others, so a repetition after a crash may find some cancelled.
 */
export async function cancelDeliveries(
  deps: EstimateDeps,
  caller: Caller,
  ids: readonly number[],
  reasonId: number,
): Promise<Outcome<null>[]> {
  const { db, clock } = deps;
  const { centralId } = caller;
  if (!(await isReasonActive(db, centralId, reasonId))) throw new Refusal('reason-not-found');
  const outcomes = new Map<number, Outcome<null>>();
  const asked = new Set(ids);

  const cancelOpen = async (): Promise<void> => {
    const undecided = [...asked].filter((id) => !outcomes.has(id));
    const found = await findSomeDeliveries(db, caller, undecided);
    const alone = found.filter(isApart);
    for (const { id } of alone)
      outcomes.set(id, await outcomeOf(cancelAlone({ ...deps, db: apart(db) }, caller, id, reasonId)));
    const together = found.filter((delivery) => !isApart(delivery)).map(({ id }) => id);
    if (together.length === 0) return;
    const locked = await db.begin(async (tx) => {
      const now = await lockSomeDeliveries(tx, wholeCentral(centralId), together);
      if (now.some(isApart)) throw new ChangedMeanwhile();
      const open = now.filter(({ status }) => !isOver(status));
      const actor = { at: clock.now(), by: caller.userId };
      if (open.length > 0) await cancelCarriers(tx, centralId, open, reasonId, actor);
      return now;
    });
    for (const { id, status } of locked)
      outcomes.set(id, isOver(status) ? { error: new Refusal('delivery-over') } : { value: null });
  };
  await retryOnConflict(cancelOpen);

  const isFirst = (id: number) => asked.delete(id);
  return ids.map((id) => {
    const outcome = outcomes.get(id) ?? { error: new Refusal('delivery-not-found') };
    return isFirst(id) || 'error' in outcome ? outcome : { error: new Refusal('delivery-over') };
  });
}

/** Whether its cancellation concerns more than itself. */
const isApart = ({ status, groupedInto, driverId }: Delivery): boolean =>
  !isOver(status) && (isCarried(status) || groupedInto !== null || driverId !== null);

const cancelAlone = async (...cancellation: Parameters<typeof cancelDelivery>): Promise<null> => {
  await cancelDelivery(...cancellation);
  return null;
};

/** The database without the transaction that stores the answer of the request. */
export const apart = (db: Db): Db => db.with({ begin: db.beginIndependent });
