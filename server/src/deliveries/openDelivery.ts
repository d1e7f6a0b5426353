import type { Caller } from '../centrals/caller.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import { recordDeliveryEvent } from '../events/recordEvent.ts';
import { insertDelivery } from './insertDeliveryStore.ts';
import type { Order } from './order.ts';
import { prepareOrder } from './prepareOrder.ts';
import { holdCredit } from './reserveCredit.ts';

/** Opens an immediate delivery; answers with its id. */
export async function openDelivery(needs: EstimateNeeds, caller: Caller, order: Order): Promise<number> {
  const { db, clock } = needs;
  const now = clock.now();
  const prepared = await prepareOrder(needs, caller, order, now);
  const { companyId, estimate, needsRelease } = prepared;
  const status = needsRelease ? 'awaiting_release' : 'distributing';
  const deed = { at: now, by: caller.userId };
  return db.begin(async (tx) => {
    const id = await insertDelivery(tx, caller.centralId, prepared, status, now);
    await recordDeliveryEvent(tx, caller.centralId, id, 'delivery.status', { status }, deed);
    const unreserved = { id, companyId, payment: order.payment, reservedCents: 0 };
    await holdCredit(tx, caller.centralId, unreserved, estimate.netCents, deed);
    return id;
  });
}
