import { type Caller, wholeCentral } from '../../centrals/caller.ts';
import type { Estimate, EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { prepareOrder } from '../orders/prepareOrder.ts';
import { inVisitOrder, isConcluded, splitByVisit } from '../orders/request.ts';
import { findStops } from '../orders/stopStore.ts';
import {
  findUnresolved,
  lockStop,
  markResolved,
  markStopReopened,
  markUndone,
  returnsForOthers,
  type Unresolved,
} from '../orders/visitStore.ts';
import { findDelivery, lockDelivery, markReturnAdded, saveDeliveryEstimate } from './deliveryStore.ts';
import { postponeStop } from './failStop.ts';
import { insertDelivery } from './insertDeliveryStore.ts';
import { estimateCarrier, noDearer } from './leaveCarrier.ts';
import { sameOrder } from './orderAgain.ts';
import { holdAvailable, holdForNew } from './reserveCredit.ts';
import { isOver } from './status.ts';
import { recordStopEvent } from './stepStore.ts';
import { assertUngrouped } from './takeSteps.ts';

/*
 * How an operator resolves a stop that was not delivered: puts it back into the current run, opens a new delivery for
 * it, or records another solution. Each takes the delivery's lock, so only one of them succeeds.
 */

/** Puts the stop at the end of the run. A return that only its goods needed is removed, together with its price. */
export const reopenStop = (deps: EstimateDeps, caller: Caller, id: number, stopId: number): Promise<number> =>
  retryOnConflict(async () => {
    const { db, clock } = deps;
    const { centralId } = caller;
    const planned = await planWithoutReturn(deps, caller, id, stopId);
    return db.begin(async (tx) => {
      const delivery = await lockDelivery(tx, caller, id);
      assertUngrouped(delivery);
      const stop = await lockStop(tx, centralId, id, stopId);
      if (isOver(delivery.status)) throw new Refusal('delivery-over');
      await assertNotCancelled(tx, centralId, stop.orderedWith);
      const failure = await mustBeUnresolved(tx, centralId, stopId);
      const stops = await findStops(tx, centralId, 'delivery', [id]);
      const endsReturn = delivery.returnAdded && !(await returnsForOthers(tx, centralId, id, stopId));
      if (endsReturn && planned?.version !== delivery.version) throw new ChangedMeanwhile();

      const actor = { at: clock.now(), by: caller.userId };
      await markUndone(tx, centralId, stopId, failure.number, actor.at);
      await markStopReopened(tx, centralId, stopId);
      await postponeStop(tx, centralId, id, stops, { stopId, attempt: failure.number });
      if (endsReturn) await markReturnAdded(tx, centralId, id, false);
      const estimate = endsReturn ? planned!.estimate : null;
      await saveDeliveryEstimate(tx, centralId, id, estimate);
      const payload = { stopId, order: stops.length - 1, carriedBy: id, driverId: delivery.driverId };
      const event = { deliveryId: id, type: 'delivery.stop_reopened', payload } as const;
      await recordStopEvent(tx, centralId, stop.orderedWith, event, actor);
      if (estimate) await holdAvailable(tx, centralId, delivery, estimate.netCents, actor);
      return stops.filter((each) => !isConcluded(each)).length + 1;
    });
  });

/**
 * Refuses if the order of the stop was cancelled: an order that is cancelled alone leaves its failed stops with its
 * carrier. The carrier's lock prevents a cancellation meanwhile.
 */
async function assertNotCancelled(tx: Tx, centralId: number, orderedWith: number): Promise<void> {
  const { status } = await findDelivery(tx, wholeCentral(centralId), orderedWith);
  if (isOver(status)) throw new Refusal('delivery-over');
}

/** Asks the router, so it runs before any lock is taken. Null where the return stays or there was none. */
async function planWithoutReturn(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  stopId: number,
): Promise<{ version: number; estimate: Estimate | null } | null> {
  const { db } = deps;
  const delivery = await findDelivery(db, caller, id);
  if (!delivery.returnAdded || (await returnsForOthers(db, caller.centralId, id, stopId))) return null;
  const stops = inVisitOrder(await findStops(db, caller.centralId, 'delivery', [id]));
  if (!stops.some((stop) => stop.id === stopId)) return null;
  // The stop is priced at the place of its first visit: a repeated attempt costs nothing.
  const estimate = await estimateCarrier(
    deps,
    caller.central,
    { ...delivery, returning: false },
    { ...splitByVisit(stops), optimise: false },
  );
  return { version: delivery.version, estimate: estimate && noDearer(estimate, delivery) };
}

/** Records another solution: handed over at the counter, sent by post, given up. */
export async function resolveFailure(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  stopId: number,
  text: string,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    await lockDelivery(tx, caller, id);
    await lockStop(tx, centralId, id, stopId);
    const failure = await mustBeUnresolved(tx, centralId, stopId);
    const resolution = { at: clock.now(), by: caller.userId, text, newDeliveryId: null };
    await markResolved(tx, centralId, stopId, failure.number, resolution);
  });
}

/**
 * Opens a new delivery with the same stop, pickup and payer, at the current price and without a coupon. Returns its id.
 * It is refused like any other order, for instance for lack of balance.
 */
export async function redeliverStop(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  stopId: number,
): Promise<number> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const now = clock.now();
  const delivery = await findDelivery(db, caller, id);
  const stops = await findStops(db, centralId, 'delivery', [id]);
  const stop = stops.find((each) => each.id === stopId);
  if (!stop) throw new Refusal('stop-not-found');
  // Avoids a needless call of the router. Checked again under the lock.
  await mustBeUnresolved(db, centralId, stopId);
  // Payer, payment and note are those of the order that the stop came with, whichever delivery carried it.
  const ordered = stop.orderedWith === id ? delivery : await findDelivery(db, caller, stop.orderedWith);
  const order = await sameOrder(deps, centralId, { ...ordered, returning: false }, [stop], now);
  // The data of the person who ordered was removed, so the stop cannot be ordered again.
  if (!order) throw new Refusal('failure-not-open');
  const prepared = await prepareOrder(deps, caller, order, now);
  const actor = { at: now, by: caller.userId };
  return db.begin(async (tx) => {
    await lockDelivery(tx, caller, id);
    const failure = await mustBeUnresolved(tx, centralId, stopId);
    const newDeliveryId = await insertDelivery(tx, { centralId, prepared, actor });
    await markResolved(tx, centralId, stopId, failure.number, { ...actor, text: null, newDeliveryId });
    await holdForNew(tx, centralId, newDeliveryId, prepared, actor);
    return newDeliveryId;
  });
}

async function mustBeUnresolved(tx: Tx, centralId: number, stopId: number): Promise<Unresolved> {
  const failure = await findUnresolved(tx, centralId, stopId);
  if (!failure) throw new Refusal('failure-not-open');
  return failure;
}
