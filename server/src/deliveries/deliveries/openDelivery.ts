import type { Caller } from '../centrals/caller.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { prepareOrder } from '../requests/prepareOrder.ts';
import { isOneStatement, type Order } from '../requests/request.ts';
import { insertDelivery, insertDeliveryTogether } from './insertDeliveryStore.ts';
import { holdForNew } from './reserveCredit.ts';

/** Opens an immediate delivery; returns its id. */
export async function openDelivery(deps: EstimateDeps, caller: Caller, order: Order): Promise<number> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const now = clock.now();
  const prepared = await prepareOrder(deps, caller, order, now);
  const actor = { at: now, by: caller.userId };
  const delivery = { centralId, prepared, actor };
  if (isOneStatement(prepared)) return db.beginOne((tx) => insertDeliveryTogether(tx, delivery));
  return db.begin(async (tx) => {
    const id = await insertDelivery(tx, delivery);
    await holdForNew(tx, centralId, id, prepared, actor);
    return id;
  });
}
