import type { Caller } from '../centrals/caller.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { prepareOrder } from '../requests/prepareOrder.ts';
import type { Order } from '../requests/request.ts';
import { recordDeliveryEvent } from './deliveryStore.ts';
import { insertDelivery } from './insertDeliveryStore.ts';
import { holdCredit } from './reserveCredit.ts';

/** Opens an immediate delivery; answers with its id. */
export async function openDelivery(deps: EstimateDeps, caller: Caller, order: Order): Promise<number> {
  const { db, clock } = deps;
  const now = clock.now();
  const prepared = await prepareOrder(deps, caller, order, now);
  const { companyId, estimate, needsRelease } = prepared;
  const status = needsRelease ? 'awaiting_release' : 'distributing';
  const actor = { at: now, by: caller.userId };
  return db.begin(async (tx) => {
    const id = await insertDelivery(tx, caller.centralId, prepared, status, now);
    const event = { deliveryId: id, type: 'delivery.status', payload: { status } } as const;
    await recordDeliveryEvent(tx, caller.centralId, event, actor);
    const unreserved = { id, companyId, payment: order.payment, reservedCents: 0 };
    await holdCredit(tx, caller.centralId, unreserved, estimate.netCents, actor);
    return id;
  });
}
