import { type Caller, wholeCentral } from '../centrals/caller.ts';
import { cancelLocked } from '../deliveries/cancelDelivery.ts';
import { type Cancellation, lockCancelled, planCancellation } from '../deliveries/cancellation.ts';
import { findDelivery } from '../deliveries/deliveryStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { recordScheduledEvents, type ScheduledEvent } from '../events/recordScheduledEvents.ts';
import { Refusal } from '../kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../kernel/retryOnConflict.ts';
import { type Departure, leaveGrouper, planDeparture, releaseGrouped } from './leaveGrouper.ts';
import { notAwaiting, type Scheduled } from './scheduled.ts';
import { findGroupedInto, findScheduled, lockManyScheduled, markCancelled } from './scheduledStore.ts';

export interface CancelOptions {
  /** False: one that still awaits its dispatch is refused, as contract 4.15 has it. */
  evenAwaiting: boolean;
}

/**
 * Contract 4.15. One that was dispatched takes its delivery along, one that was grouped takes its stops back
 * from its grouper, and a grouper takes along those that were grouped into it; but those that the service itself
 * merged into one that still awaits stand alone again, for nobody asked that they leave together.
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
    // Whoever carries stops before those grouped into it, as grouping and dispatch lock them too.
    const scope = wholeCentral(centralId);
    const locked = [
      ...(departure ? await lockManyScheduled(tx, scope, [departure.grouper.id]) : []),
      ...(await lockManyScheduled(tx, scope, [id])),
      ...(await lockManyScheduled(tx, scope, await findGroupedInto(tx, centralId, id))),
    ];
    assertUnchanged(locked, before, departure);
    const carried = locked.filter((one) => one.groupedInto === id && one.situation === 'grouped');
    if (ofDelivery) {
      await lockCancelled(tx, scope, ofDelivery);
      await cancelLocked(tx, centralId, ofDelivery, null, actor);
    }
    if (departure) await leaveGrouper(tx, centralId, departure, actor);
    const released =
      before.situation === 'awaiting' ? await releaseGrouped(tx, centralId, before, carried, actor) : [];
    const cancelled = [before, ...carried.filter((one) => !released.includes(one))];
    await markCancelled(
      tx,
      centralId,
      cancelled.map((one) => one.id),
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

/** Whatever groups into one, or takes from it, makes its version grow: the others hang on these two. */
function assertUnchanged(
  locked: readonly Scheduled[],
  before: Scheduled,
  departure: Departure | undefined,
): void {
  const seen = departure ? [before, departure.grouper] : [before];
  for (const { id, version } of seen)
    if (locked.find((one) => one.id === id)?.version !== version) throw new ChangedMeanwhile();
}

async function planItsDelivery(
  deps: EstimateDeps,
  { central, centralId }: Caller,
  { deliveryId }: Scheduled,
): Promise<Cancellation> {
  if (deliveryId === null) throw new Error('one that was dispatched has a delivery');
  const delivery = await findDelivery(deps.db, wholeCentral(centralId), deliveryId);
  return planCancellation(deps, central, delivery);
}
