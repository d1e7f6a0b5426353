import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findPerson } from '../../registers/companies/companyStore.ts';
import { demandsAgain } from '../orders/demands.ts';
import { prepareOrder } from '../orders/prepareOrder.ts';
import type { Order, OrderedStop, Stop } from '../orders/request.ts';
import { findStops } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery, markOrderedAgain } from './deliveryStore.ts';
import { insertDelivery } from './insertDeliveryStore.ts';
import { holdForNew } from './reserveCredit.ts';

/**
 * Opens a new delivery for an order for which no driver was found, at the current price and without its coupon. The old
 * delivery then refers to the new one and needs no further action. Of several simultaneous calls the first to get the
 * lock succeeds; the others are refused.
 */
export async function orderAgain(deps: EstimateDeps, caller: Caller, id: number): Promise<number> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const now = clock.now();
  const delivery = await findDelivery(db, caller, id);
  const stops = await findStops(db, centralId, 'delivery', [id]);
  const order =
    isNotAttended(delivery) && stops.length > 0
      ? await sameOrder(deps, centralId, delivery, stops, now)
      : null;
  if (!order) throw new Refusal('not-to-order-again');
  const prepared = await prepareOrder(deps, caller, order, now);
  const actor = { at: now, by: caller.userId };
  return db.begin(async (tx) => {
    if (!isNotAttended(await lockDelivery(tx, caller, id))) throw new Refusal('not-to-order-again');
    const newId = await insertDelivery(tx, { centralId, prepared, actor });
    if (!(await markOrderedAgain(tx, centralId, id, newId))) throw new Refusal('not-to-order-again');
    await holdForNew(tx, centralId, newId, prepared, actor);
    return newId;
  });
}

/** Excludes deliveries that are grouped into another one. */
export const isNotAttended = ({ status, groupedInto }: Delivery): boolean =>
  status === 'not_attended' && groupedInto === null;

/** The order of a delivery, or of some of its stops; null where the data of the person who ordered was removed. */
export async function sameOrder(
  { db }: Deps,
  centralId: number,
  { companyId, customerId, categoryId, payment, note, pickup, returning }: Delivery,
  stops: readonly Stop[],
  now: Temporal.Instant,
): Promise<Order | null> {
  const person = companyId === null ? await findPerson(db, centralId, customerId) : null;
  if (companyId === null && person === null) return null;
  return {
    companyId,
    person,
    category: { id: categoryId },
    payment,
    returning,
    note,
    couponCode: null,
    pickup,
    stops: stops.map((stop) => sameStop(stop, now)),
  };
}

/** A stop with the destination of an earlier one. Its recipient gets a new link and a new code. */
const sameStop = (stop: Stop, now: Temporal.Instant): OrderedStop => ({
  address: stop.address,
  complement: stop.complement,
  reference: stop.reference,
  district: stop.district,
  city: stop.city,
  state: stop.state,
  position: stop.position,
  located: stop.located,
  orderNumber: stop.orderNumber,
  externalId: stop.externalId,
  recipientName: stop.recipientName,
  recipientPhone: stop.recipientPhone,
  note: stop.note,
  collectCents: stop.collectCents,
  confirmationCode: null,
  demands: stop.demands && demandsAgain(stop.demands, now),
});
