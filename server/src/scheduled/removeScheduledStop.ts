import type { Caller } from '../centrals/caller.ts';
import { stopRemoved as stopRemovedPayload } from '../deliveries/removeStop.ts';
import type { Estimate, EstimateDeps } from '../estimates/estimateTrip.ts';
import type { ScheduledEvent } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import type { Stop } from '../requests/request.ts';
import { deleteStops, findStops, isStopOf, moveStops } from '../requests/stopStore.ts';
import { estimateIfPossible } from './estimateScheduled.ts';
import { assertChangeable } from './scheduled.ts';
import { recordScheduledEvents } from './scheduledEventStore.ts';
import { findScheduled, lockScheduled, saveEstimate } from './scheduledStore.ts';

/** Names a removed stop to the system that created it, by that system's own references. */
export const stopRemoved = (scheduledId: number, stop: Stop): ScheduledEvent => ({
  scheduledId,
  type: 'scheduled.stop_removed',
  payload: stopRemovedPayload(stop),
});

/**
 * Contract 4.12. Answers with the estimate of the remaining stops, or null when no router answered: the stop is
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
