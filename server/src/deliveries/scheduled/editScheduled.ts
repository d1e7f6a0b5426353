import type { Caller } from '../../centrals/caller.ts';
import type { ScheduledEvent } from '../../events/record/event.ts';
import { assertCouponUses } from '../../money/pricing/couponStore.ts';
import type { Estimate, EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { findCompany } from '../../registers/companies/companyStore.ts';
import { stopRemoved as stopRemovedPayload } from '../deliveries/removeStop.ts';
import type { KnownOrder } from '../orders/externalIdStore.ts';
import { assertPayable, prepareOrder } from '../orders/prepareOrder.ts';
import { prepareNewOrder, useQuote } from '../orders/quoteOrder.ts';
import type { Order, OrderedStop, Stop } from '../orders/request.ts';
import { deleteStops, findStops, insertStops, isStopOf, moveStops } from '../orders/stopStore.ts';
import { assertCredit } from './assertCredit.ts';
import { findHeldCoupon, replaceOrdered, replaceScheduled } from './insertScheduledStore.ts';
import { estimateIfPossible, estimateScheduled, wakeDispatcher } from './scheduleDelivery.ts';
import {
  assertChangeable,
  assertEditable,
  assertInFuture,
  type Replacement,
  type Scheduled,
} from './scheduled.ts';
import { findScheduled, lockScheduled, recordScheduledEvents, saveEstimate } from './scheduledStore.ts';

/** Contract 4.3. The orders of persons have no company whose manager could edit them: the central does. */
export async function editScheduled(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  replacement: Replacement,
): Promise<void> {
  const { db, clock, routers } = deps;
  const { central } = caller;
  const before = await findScheduled(db, caller, id);
  const { companyId } = before;
  assertMayEdit(caller, before);
  assertInFuture(replacement.dispatchAt, clock.now());
  assertPayable(replacement.payment, companyId);
  if (companyId !== null && !(await findCompany(db, caller, companyId))?.active)
    throw new Refusal('company-inactive');
  const estimate = await estimateScheduled(
    deps,
    routers.forEstimates(central.settings),
    central,
    { ...before, ...replacement },
    replacement.stops,
  );
  await saveEdit(deps, caller, id, replacement, async (tx, { couponId, customerId }) => {
    await replaceScheduled(tx, caller.centralId, id, replacement, estimate);
    return { netCents: estimate.netCents, couponId, customerId };
  });
}

/**
 * A new order with the external id of this scheduled delivery. By the rules of an edit, it replaces category, return,
 * note and coupon too, and may take the price of a quote.
 */
export async function replaceKnownScheduled(
  deps: EstimateDeps,
  caller: Caller,
  { id, version }: Pick<KnownOrder, 'id' | 'version'>,
  order: Order,
  dispatchAt: Temporal.Instant,
): Promise<void> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const before = await findScheduled(db, caller, id);
  if (before.version !== version) throw new ChangedMeanwhile();
  assertMayEdit(caller, before);
  assertInFuture(dispatchAt, clock.now());
  const heldCoupon = await findHeldCoupon(db, centralId, id);
  const prepared = await (order.quoteId === undefined
    ? prepareOrder(deps, caller, order, dispatchAt, heldCoupon)
    : prepareNewOrder(deps, caller, order, dispatchAt));
  await saveEdit(deps, caller, id, { ...order, dispatchAt }, async (tx, scheduled) => {
    if (scheduled.version !== version) throw new ChangedMeanwhile();
    const customerId = await replaceOrdered(tx, centralId, scheduled, prepared, dispatchAt);
    await useQuote(tx, centralId, prepared, 'scheduled', id, clock.now());
    return { netCents: prepared.estimate.netCents, couponId: prepared.couponId, customerId };
  });
}

function assertMayEdit(caller: Caller, before: Scheduled): void {
  if (before.companyId !== caller.companyId) throw new Refusal('company-manager-only');
  assertEditable(before);
}

/** Replaces the stops, and by `replace` everything else. */
async function saveEdit(
  { db, clock }: EstimateDeps,
  caller: Caller,
  id: number,
  replacement: Replacement,
  replace: (tx: Tx, scheduled: Scheduled) => Promise<Pick<Scheduled, 'netCents' | 'couponId' | 'customerId'>>,
): Promise<void> {
  const { centralId } = caller;
  const now = clock.now();
  await db.begin(async (tx) => {
    const scheduled = await lockScheduled(tx, caller, id);
    assertEditable(scheduled);
    assertInFuture(replacement.dispatchAt, now);
    const stops = await findStops(tx, centralId, 'scheduled', [id]);
    await deleteStops(
      tx,
      centralId,
      'scheduled',
      stops.map((stop) => stop.id),
    );
    await insertStops(tx, centralId, 'scheduled', id, replacement.stops);
    const { netCents, couponId, customerId } = await replace(tx, scheduled);
    await recordScheduledEvents(
      tx,
      centralId,
      [
        ...withoutReplaced(stops, replacement.stops).map((stop) => stopRemoved(id, stop)),
        {
          scheduledId: id,
          type: 'scheduled.changed',
          payload: { situation: 'awaiting', change: 'edited' },
        },
      ],
      { at: now, by: caller.userId },
    );
    wakeDispatcher(tx, replacement.dispatchAt, now);
    // A failed dispatch frees the use of the coupon, and other orders may have taken it since.
    if (scheduled.situation === 'failed' || couponId !== scheduled.couponId)
      await assertCouponUses(tx, centralId, couponId, customerId);
    await assertCredit(tx, centralId, {
      companyId: scheduled.companyId,
      payment: replacement.payment,
      netCents,
    });
  });
}

/** All stops are inserted again. A stop whose external id is among the new ones does not count as removed. */
function withoutReplaced(before: readonly Stop[], after: readonly OrderedStop[]): Stop[] {
  const returning = new Set(after.map((stop) => stop.externalId));
  return before.filter((stop) => stop.externalId === null || !returning.has(stop.externalId));
}

/** Describes a removed stop by the references of the system that created it. */
const stopRemoved = (scheduledId: number, stop: Stop): ScheduledEvent => ({
  scheduledId,
  type: 'scheduled.stop_removed',
  payload: stopRemovedPayload(stop),
});

/**
 * Contract 4.12. Returns the estimate of the remaining stops, or null when no router answered: the stop is
 * removed nevertheless, and the estimate is made before the dispatch.
 */
export const removeScheduledStop = (
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  stopId: number,
): Promise<Estimate | null> => retryOnConflict(() => removeOnce(deps, caller, id, stopId));

async function removeOnce(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  stopId: number,
): Promise<Estimate | null> {
  const { db, clock } = deps;
  const { central, centralId } = caller;
  const before = await findScheduled(db, caller, id);
  const stops = await findStops(db, centralId, 'scheduled', [id]);
  const removed = stops.find((stop) => stop.id === stopId);
  if (!removed && !(await isStopOf(db, centralId, 'scheduled', id, stopId)))
    throw new Refusal('stop-not-found');
  assertChangeable(before);
  // The stop was ordered with this scheduled delivery and another one carries it. A grouped one was refused above, so
  // it changed between the two reads.
  if (!removed) throw new ChangedMeanwhile();
  const remaining = stops.filter((stop) => stop !== removed);
  if (remaining.length === 0) throw new Refusal('last-stop');
  const estimate = await estimateIfPossible(deps, central, before, remaining);

  await db.begin(async (tx) => {
    const scheduled = await lockScheduled(tx, caller, id);
    if (scheduled.version !== before.version) throw new ChangedMeanwhile();
    await deleteStops(tx, centralId, 'scheduled', [stopId]);
    await moveStops(
      tx,
      centralId,
      'scheduled',
      id,
      remaining.map((stop) => stop.id),
    );
    await saveEstimate(tx, centralId, id, estimate);
    const actor = { at: clock.now(), by: caller.userId };
    await recordScheduledEvents(tx, centralId, [stopRemoved(id, removed)], actor);
  });
  return estimate;
}
