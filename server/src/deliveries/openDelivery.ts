import type { Caller } from '../centrals/caller.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { prepareOrder } from '../requests/prepareOrder.ts';
import { isOneStatement, type Order } from '../requests/request.ts';
import { insertDelivery, insertDeliveryTogether } from './insertDeliveryStore.ts';
import { holdCredit } from './reserveCredit.ts';

/** Opens an immediate delivery; returns its id. */
export async function openDelivery(deps: EstimateDeps, caller: Caller, order: Order): Promise<number> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const now = clock.now();
  const prepared = await prepareOrder(deps, caller, order, now);
  const { companyId, estimate, needsRelease } = prepared;
  const status = needsRelease ? 'awaiting_release' : 'distributing';
  const actor = { at: now, by: caller.userId };
  const delivery = { centralId, prepared, status, actor } as const;
  if (isOneStatement(prepared)) return db.beginOne((tx) => insertDeliveryTogether(tx, delivery));
  return db.begin(async (tx) => {
    const id = await insertDelivery(tx, delivery);
    const unreserved = { id, companyId, payment: order.payment, reservedCents: 0 };
    await holdCredit(tx, centralId, unreserved, estimate.netCents, actor);
    return id;
  });
}
