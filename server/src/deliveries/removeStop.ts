import type { Caller } from '../centrals/caller.ts';
import type { Estimate, EstimateDeps } from '../estimates/estimateTrip.ts';
import type { EventPayload } from '../events/event.ts';
import { recordDeliveryEvent } from '../events/recordEvent.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, lockDelivery } from './deliveryStore.ts';
import { deleteStops, findReplacedStops, isStopOf } from './editDeliveryStore.ts';
import { holdCredit } from './reserveCredit.ts';
import { isOver } from './status.ts';
import { planStopDeparture, saveStopDeparture } from './stopDeparture.ts';

interface RemovedStop {
  id: number;
  orderedWith: number;
  orderNumber: string | null;
  externalId: string | null;
}

/** Tells the system that created a stop, in its own words for it, that the stop is gone. */
export const stopRemoved = (stop: RemovedStop): EventPayload => ({
  stopId: stop.id,
  externalId: stop.externalId,
  orderNumber: stop.orderNumber,
  orderedWith: stop.orderedWith,
});

/**
 * Takes a stop out of a delivery that is not over, also of one in progress while the stop is still to be visited;
 * something to visit must be left. The others keep their ids and their order. Answers with the estimate of what is
 * left, or null when none can be had: then the price stays as it was.
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
  if (!(await isStopOf(db, centralId, id, stopId))) throw new Refusal('removed-stop-not-found');
  assertRemovable(before);
  const departure = await planStopDeparture(deps, central, before, (stop) => stop.id === stopId, {
    optimise: false,
  });
  const [leaving] = departure.leaving;
  // It moved to another delivery between the two looks.
  if (!leaving) throw new ChangedMeanwhile();
  if (leaving.concluded) throw new Refusal('removed-stop-concluded');
  if (departure.remaining.every((stop) => stop.concluded)) throw new Refusal('removed-stop-last');

  await db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    const delivery = await lockDelivery(tx, caller, id);
    const removed = (await findReplacedStops(tx, centralId, id)).find((stop) => stop.id === stopId);
    await saveStopDeparture(tx, centralId, delivery, departure);
    if (!removed) throw new Error('a delivery of the same version carries the same stops');
    await deleteStops(tx, centralId, [stopId]);
    const payload = stopRemoved(removed);
    await recordDeliveryEvent(tx, centralId, id, 'delivery.stop_removed', payload, actor);
    // Whoever ordered it with another delivery follows that one.
    if (removed.orderedWith !== id)
      await recordDeliveryEvent(tx, centralId, removed.orderedWith, 'delivery.stop_removed', payload, actor);
    await holdCredit(tx, centralId, delivery, departure.netCents, actor);
  });
  return departure.estimate;
}

function assertRemovable({ status, groupedInto }: Delivery): void {
  if (groupedInto !== null) throw new Refusal('removed-stop-grouped', { id: groupedInto });
  if (isOver(status)) throw new Refusal('removed-stop-over');
}
