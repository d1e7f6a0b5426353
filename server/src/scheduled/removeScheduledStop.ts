import type { Caller } from '../centrals/caller.ts';
import { stopRemoved as toldOfStop } from '../deliveries/removeStop.ts';
import type { Estimate, EstimateDeps } from '../estimates/estimateTrip.ts';
import { recordScheduledEvents, type ScheduledEvent } from '../events/recordScheduledEvents.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import { estimateIfPossible } from './estimateScheduled.ts';
import { assertChangeable, type ScheduledStop } from './scheduled.ts';
import {
  deleteScheduledStops,
  findScheduledStops,
  isStopOrderedWith,
  writeStopOrder,
} from './scheduledStopStore.ts';
import { findScheduled, lockScheduled, saveEstimate } from './scheduledStore.ts';

/** Tells the system that created a stop, in its own words for it, that the stop is gone. */
export const stopRemoved = (scheduledId: number, stop: ScheduledStop): ScheduledEvent => ({
  scheduledId,
  type: 'scheduled.stop_removed',
  payload: toldOfStop(stop),
});

/**
 * Contract 4.12. Answers with the estimate of the remaining stops, or null when no router gave one: the stop
 * is removed all the same, and the estimate is made at dispatch.
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
  const stops = await findScheduledStops(db, centralId, [id]);
  const removed = stops.find((stop) => stop.id === stopId);
  if (!removed && !(await isStopOrderedWith(db, centralId, id, stopId))) throw new Refusal('stop-not-found');
  assertChangeable(before);
  // Ordered with this one and carried by another, so this one was grouped, and was just refused; or it changed
  // between the two looks.
  if (!removed) throw new ChangedMeanwhile();
  const remaining = stops.filter((stop) => stop !== removed);
  if (remaining.length === 0) throw new Refusal('last-stop');
  const estimate = await estimateIfPossible(deps, central, before, remaining);

  await db.begin(async (tx) => {
    const scheduled = await lockScheduled(tx, caller, id);
    if (scheduled.version !== before.version) throw new ChangedMeanwhile();
    await deleteScheduledStops(tx, centralId, [stopId]);
    await writeStopOrder(
      tx,
      centralId,
      id,
      remaining.map((stop) => stop.id),
    );
    await saveEstimate(tx, centralId, id, estimate);
    const actor = { at: clock.now(), by: caller.userId };
    await recordScheduledEvents(tx, centralId, [stopRemoved(id, removed)], actor);
  });
  return estimate;
}
