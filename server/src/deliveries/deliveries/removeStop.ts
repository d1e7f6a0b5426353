import type { Caller } from '../../centrals/caller.ts';
import type { StopRemoval } from '../../events/record/event.ts';
import type { Estimate, EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import { isConcluded, type Stop } from '../orders/request.ts';
import { deleteStops, findStops, isStopOf } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery } from './deliveryStore.ts';
import { planStopDeparture, saveStopDeparture } from './leaveCarrier.ts';
import { holdAvailable } from './reserveCredit.ts';
import { isOver } from './status.ts';
import { recordStopEvent } from './stepStore.ts';

/** Describes a removed stop by the references of the system that created it. */
export const stopRemoved = (
  stop: Pick<Stop, 'id' | 'orderedWith' | 'orderNumber' | 'externalId'>,
): StopRemoval => ({
  stopId: stop.id,
  externalId: stop.externalId,
  orderNumber: stop.orderNumber,
  orderedWith: stop.orderedWith,
});

/**
 * Removes a stop from a delivery that is not over. In a delivery in progress the stop must not be concluded, and at
 * least one stop to visit must remain. The other stops keep their ids and their order. Returns the estimate of the
 * remaining stops, or null when no estimate is available: then the price stays.
 */
export const removeStop = (
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
  const before = await findDelivery(db, caller, id);
  if (!(await isStopOf(db, centralId, 'delivery', id, stopId))) throw new Refusal('removed-stop-not-found');
  assertRemovable(before);
  const departure = await planStopDeparture(deps, central, before, (stop) => stop.id === stopId, {
    optimise: false,
  });
  const [leaving] = departure.leaving;
  // The stop moved to another delivery between the two reads.
  if (!leaving) throw new ChangedMeanwhile();
  if (isConcluded(leaving)) throw new Refusal('removed-stop-concluded');
  if (departure.remaining.every(isConcluded)) throw new Refusal('removed-stop-last');

  await db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    const delivery = await lockDelivery(tx, caller, id);
    const stops = await findStops(tx, centralId, 'delivery', [id]);
    const removed = stops.find((stop) => stop.id === stopId);
    await saveStopDeparture(tx, centralId, delivery, departure);
    if (!removed) throw new Error('a delivery of the same version carries the same stops');
    await deleteStops(tx, centralId, 'delivery', [stopId]);
    const event = { deliveryId: id, type: 'delivery.stop_removed', payload: stopRemoved(removed) } as const;
    await recordStopEvent(tx, centralId, removed.orderedWith, event, actor);
    await holdAvailable(tx, centralId, delivery, departure.netCents, actor);
  });
  return departure.estimate;
}

function assertRemovable({ status, groupedInto }: Delivery): void {
  if (groupedInto !== null) throw new Refusal('removed-stop-grouped', { id: groupedInto });
  if (isOver(status)) throw new Refusal('removed-stop-over');
}
