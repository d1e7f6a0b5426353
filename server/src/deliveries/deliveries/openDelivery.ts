import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { prepareNewOrder, useQuote } from '../orders/quoteOrder.ts';
import { isOneStatement, type Order } from '../orders/request.ts';
import { insertDelivery, insertDeliveryTogether } from './insertDeliveryStore.ts';
import { holdForNew } from './reserveCredit.ts';

/** Opens an immediate delivery; returns its id. */
export async function openDelivery(deps: EstimateDeps, caller: Caller, order: Order): Promise<number> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const now = clock.now();
  const prepared = await prepareNewOrder(deps, caller, order, null);
  const actor = { at: now, by: caller.userId };
  const delivery = { centralId, prepared, actor };
  if (isOneStatement(prepared) && !db.request) return insertDeliveryTogether(db, delivery);
  return db.begin(async (tx) => {
    const id = await insertDelivery(tx, delivery);
    await useQuote(tx, centralId, prepared, 'delivery', id, now);
    await holdForNew(tx, centralId, id, prepared, actor);
    return id;
  });
}
