import { type Caller, wholeCentral } from '../centrals/caller.ts';
import { cancelLocked } from '../deliveries/cancelDelivery.ts';
import { type Cancellation, lockCancelled, planCancellation } from '../deliveries/cancellation.ts';
import { findDelivery } from '../deliveries/deliveryStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { ScheduledEvent } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import { type Departure, leaveGrouper, planDeparture, releaseGrouped } from './leaveGrouper.ts';
import { notAwaiting, type Scheduled } from './scheduled.ts';
import { recordScheduledEvents } from './scheduledEventStore.ts';
import { findGroupedInto, findScheduled, lockManyScheduled, markCancelled } from './scheduledStore.ts';

export interface CancelOptions {
  /** False refuses a scheduled delivery that still awaits dispatch, as contract 4.15 asks. */
  evenAwaiting: boolean;
}

/**
 * Contract 4.15. A dispatched scheduled delivery is cancelled together with its delivery. A grouped one takes its
 * stops back from its grouper. A grouper is cancelled together with those grouped into it. Those that the automatic
 * merge grouped into one that still awaits dispatch are released instead: nobody asked to group them.
 */
export const cancelScheduled = (
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  options: CancelOptions,
): Promise<void> => retryOnConflict(() => cancelOnce(deps, caller, id, options));

async function cancelOnce(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  options: CancelOptions,
): Promise<void> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const before = await findScheduled(db, caller, id);
  assertCancellable(before, options);
  const departure = before.situation === 'grouped' ? await planDeparture(deps, caller, before) : undefined;
  const ofDelivery =
    before.situation === 'dispatched' ? await planItsDelivery(deps, caller, before) : undefined;

  await db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    // The order of locks of grouping and dispatch: a grouper before those grouped into it.
    const scope = wholeCentral(centralId);
    const locked = [
      ...(departure ? await lockManyScheduled(tx, scope, [departure.grouper.id]) : []),
      ...(await lockManyScheduled(tx, scope, [id])),
      ...(await lockManyScheduled(tx, scope, await findGroupedInto(tx, centralId, [id]))),
    ];
    assertUnchanged(locked, before, departure);
    const carried = locked.filter(
      ({ groupedInto, situation }) => groupedInto === id && situation === 'grouped',
    );
    if (ofDelivery) {
      await lockCancelled(tx, scope, ofDelivery);
      await cancelLocked(tx, centralId, ofDelivery, null, actor);
    }
    if (departure) await leaveGrouper(tx, centralId, departure, actor);
    const released =
      before.situation === 'awaiting' ? await releaseGrouped(tx, centralId, before, carried, actor) : [];
    const cancelled = [before, ...carried.filter((scheduled) => !released.includes(scheduled))];
    await markCancelled(
      tx,
      centralId,
      cancelled.map((scheduled) => scheduled.id),
    );
    await recordScheduledEvents(tx, centralId, cancelled.map(wasCancelled), actor);
  });
}

const wasCancelled = ({ id, situation, deliveryId }: Scheduled): ScheduledEvent => ({
  scheduledId: id,
  type: 'scheduled.cancelled',
  payload: { situation: 'cancelled', previousSituation: situation, deliveryId },
});

function assertCancellable(scheduled: Scheduled, { evenAwaiting }: CancelOptions): void {
  if (scheduled.situation === 'cancelled') throw notAwaiting(scheduled);
  if (scheduled.situation === 'awaiting' && !evenAwaiting) throw new Refusal('still-awaiting-dispatch');
}

/** Every grouping and every departure raises the version of the grouper, so these two versions cover the others. */
function assertUnchanged(
  locked: readonly Scheduled[],
  before: Scheduled,
  departure: Departure | undefined,
): void {
  const seen = departure ? [before, departure.grouper] : [before];
  for (const { id, version } of seen)
    if (locked.find((scheduled) => scheduled.id === id)?.version !== version) throw new ChangedMeanwhile();
}

async function planItsDelivery(
  deps: EstimateDeps,
  { central, centralId }: Caller,
  { deliveryId }: Scheduled,
): Promise<Cancellation> {
  if (deliveryId === null) throw new Error('a dispatched scheduled delivery has a delivery');
  const delivery = await findDelivery(deps.db, wholeCentral(centralId), deliveryId);
  return planCancellation(deps, central, delivery);
}
