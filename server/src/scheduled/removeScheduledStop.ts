import type { Caller } from '../centrals/caller.ts';
import type { Estimate, EstimateNeeds } from '../estimates/estimateTrip.ts';
import { recordScheduledEvents } from '../events/recordScheduledEvents.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import { estimateIfPossible } from './estimateScheduled.ts';
import { assertChangeable } from './scheduled.ts';
import {
  deleteScheduledStops,
  findScheduledStops,
  isStopOrderedWith,
  writeStopOrder,
} from './scheduledStopStore.ts';
import { findScheduled, lockScheduled, saveEstimate } from './scheduledStore.ts';
import { stopRemoved } from './stopRemoved.ts';

/**
 * Contract 4.12. Answers with the estimate of the remaining stops, or null when no router gave one: the stop
 * is removed all the same, and the estimate is made at dispatch.
 */
export const removeScheduledStop = (
  needs: EstimateNeeds,
  caller: Caller,
  id: number,
  stopId: number,
): Promise<Estimate | null> => retryOnConflict(() => removeOnce(needs, caller, id, stopId));

async function removeOnce(
  needs: EstimateNeeds,
  caller: Caller,
  id: number,
  stopId: number,
): Promise<Estimate | null> {
  const { db, clock } = needs;
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
  const estimate = await estimateIfPossible(needs, central, before, remaining);

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
    const deed = { at: clock.now(), by: caller.userId };
    await recordScheduledEvents(tx, centralId, [stopRemoved(id, removed)], deed);
  });
  return estimate;
}
