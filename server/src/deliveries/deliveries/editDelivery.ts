import type { Caller } from '../../centrals/caller.ts';
import type { Actor } from '../../events/record/event.ts';
import { assertCouponUses } from '../../money/pricing/couponStore.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { samePlace } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { KnownOrder } from '../orders/externalIdStore.ts';
import { prepareOrder } from '../orders/prepareOrder.ts';
import { prepareNewOrder, useQuote } from '../orders/quoteOrder.ts';
import type { Order, OrderedStop, PreparedOrder, Stop } from '../orders/request.ts';
import { deleteStops, findStops, insertStops } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery } from './deliveryStore.ts';
import { carriesOthers, findHeldCoupon, replaceDelivery } from './insertDeliveryStore.ts';
import { withdrawOffers } from './offerStore.ts';
import { renewPromise } from './promiseStore.ts';
import { stopRemoved } from './removeStop.ts';
import { holdCredit } from './reserveCredit.ts';
import { isCurrent, isOver } from './status.ts';
import { clearDriver, recordDeliveryEvent } from './stepStore.ts';
import { resumeNext } from './steps.ts';
import { assertUngrouped, takeSteps } from './takeSteps.ts';

/**
 * Replaces everything of a delivery that is not started yet, by the rules of creation. The delivery keeps its id, its
 * company and the time of the order, which decides the hour of its tariff. Its coupon stays valid for it.
 *
 * While pickup and category stay the same, the driver keeps the delivery and offers stay open. Otherwise offers are
 * withdrawn, the driver is freed, and the search starts again. A company that the replacement names must be the
 * delivery's own. Without a person in the replacement, the current person stays.
 *
 * The router is asked while nothing is locked. If the version shows that the delivery changed meanwhile, by a step, a
 * cancellation or another edit, the edit is repeated from the start.
 */
export const editDelivery = (
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  replacement: Order,
): Promise<void> =>
  retryOnConflict(async () => editOnce(deps, caller, await findDelivery(deps.db, caller, id), replacement));

/** The same for a new order with the external id of this delivery. It may take the price of a quote. */
export async function replaceKnownDelivery(
  deps: EstimateDeps,
  caller: Caller,
  { id, version }: Pick<KnownOrder, 'id' | 'version'>,
  order: Order,
): Promise<void> {
  const before = await findDelivery(deps.db, caller, id);
  if (before.version !== version) throw new ChangedMeanwhile();
  await editOnce(deps, caller, before, order);
}

async function editOnce(
  deps: EstimateDeps,
  caller: Caller,
  before: Delivery,
  replacement: Order,
): Promise<void> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const { id } = before;
  assertEditable(before);
  if (await carriesOthers(db, centralId, id)) throw new Refusal('delivery-carries-others');
  if (replacement.companyId !== null && replacement.companyId !== before.companyId)
    throw new Refusal('company-fixed');
  const { companyId } = before;
  const order = { ...replacement, companyId, person: companyId === null ? replacement.person : null };
  const heldCoupon = await findHeldCoupon(db, centralId, id);
  const isQuoted = replacement.external !== undefined && replacement.quoteId !== undefined;
  const prepared = await (isQuoted
    ? prepareNewOrder(deps, caller, order, null)
    : prepareOrder(deps, caller, order, before.requestedAt, heldCoupon));

  await db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    const delivery = await lockDelivery(tx, caller, id);
    if (delivery.version !== before.version) throw new ChangedMeanwhile();
    const { customerId } = await replaceDelivery(tx, centralId, delivery, prepared);
    if (isQuoted) await useQuote(tx, centralId, prepared, 'delivery', id, actor.at);
    if (prepared.couponId !== heldCoupon?.id)
      await assertCouponUses(tx, centralId, prepared.couponId, customerId);
    const { before: stopsBefore, gone } = await replaceStops(tx, centralId, id, order.stops);
    await renewPromise(tx, centralId, id, stopsBefore, order.stops);
    for (const stop of gone)
      await recordDeliveryEvent(
        tx,
        centralId,
        { deliveryId: id, type: 'delivery.stop_removed', payload: stopRemoved(stop) },
        actor,
      );
    await recordDeliveryEvent(
      tx,
      centralId,
      { deliveryId: id, type: 'delivery.changed', payload: { change: 'edited' } },
      actor,
    );
    if (isAnotherJob(delivery, prepared)) await searchAnew(tx, centralId, delivery, actor);
    await holdCredit(
      tx,
      centralId,
      { ...delivery, payment: order.payment },
      prepared.estimate.netCents,
      actor,
    );
  });
}

function assertEditable(delivery: Delivery): void {
  assertUngrouped(delivery);
  if (isOver(delivery.status)) throw new Refusal('delivery-over');
  if (delivery.status === 'in_progress') throw new Refusal('delivery-started');
}

/** Whether the change makes existing offers invalid. A delivery that awaits its release has none yet. */
const isAnotherJob = (delivery: Delivery, { order, category }: PreparedOrder): boolean =>
  delivery.status !== 'awaiting_release' &&
  (category.id !== delivery.categoryId || !samePlace(order.pickup.position, delivery.pickup.position));

/**
 * Replaces all stops. A new stop with the external id of an old one keeps the old tracking link and code, which the
 * recipient may already have; such a stop does not count as removed. Returns the stops before and the removed ones.
 */
async function replaceStops(
  tx: Tx,
  centralId: number,
  id: number,
  stops: readonly OrderedStop[],
): Promise<{ before: readonly Stop[]; gone: readonly Stop[] }> {
  const before = await findStops(tx, centralId, 'delivery', [id]);
  const gone = [...before];
  const takeBack = (externalId: string | null): Stop | undefined => {
    const at = externalId === null ? -1 : gone.findIndex((stop) => stop.externalId === externalId);
    return at === -1 ? undefined : gone.splice(at, 1)[0];
  };
  await deleteStops(
    tx,
    centralId,
    'delivery',
    gone.map((stop) => stop.id),
  );
  const placed = stops.map((stop) => {
    const kept = takeBack(stop.externalId);
    return {
      ...stop,
      trackingToken: kept?.trackingToken,
      confirmationCode: stop.confirmationCode ?? kept?.confirmationCode ?? null,
    };
  });
  await insertStops(tx, centralId, 'delivery', id, placed);
  return { before, gone };
}

async function searchAnew(tx: Tx, centralId: number, delivery: Delivery, actor: Actor): Promise<void> {
  const { id, driverId } = delivery;
  await takeSteps(tx, centralId, [delivery], 'reopen', actor, () => ({
    driverId: null,
    previousDriverId: driverId,
  }));
  await clearDriver(tx, centralId, id);
  await withdrawOffers(tx, centralId, [id], ['open', 'accepted'], actor.at);
  if (driverId !== null && isCurrent(delivery.status)) await resumeNext(tx, centralId, driverId, actor.at);
}
