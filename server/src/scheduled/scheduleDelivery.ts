import type { Caller } from '../centrals/caller.ts';
import type { Order } from '../deliveries/order.ts';
import { prepareOrder } from '../deliveries/prepareOrder.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { assertCredit } from './assertCredit.ts';
import { insertScheduled } from './insertScheduledStore.ts';
import { assertInFuture } from './scheduled.ts';
import { wakeDispatcher } from './wakeDispatcher.ts';

/** Orders a delivery that sets off later; answers with the scheduled delivery's id. */
export async function scheduleDelivery(
  needs: EstimateNeeds,
  caller: Caller,
  order: Order,
  dispatchAt: Temporal.Instant,
): Promise<number> {
  const { db, clock } = needs;
  const prepared = await prepareOrder(needs, caller, order, dispatchAt);
  const now = clock.now();
  assertInFuture(dispatchAt, now);
  return db.begin(async (tx) => {
    const deed = { at: now, by: caller.userId };
    const id = await insertScheduled(tx, caller.centralId, prepared, dispatchAt, deed);
    await wakeDispatcher(tx, dispatchAt, now);
    const { companyId, estimate } = prepared;
    await assertCredit(tx, caller.centralId, {
      companyId,
      payment: order.payment,
      netCents: estimate.netCents,
    });
    return id;
  });
}
