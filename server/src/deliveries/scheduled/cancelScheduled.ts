import { type Caller, wholeCentral } from '../../centrals/caller.ts';
import type { Actor, ScheduledEvent } from '../../events/record/event.ts';
import type { Estimate, EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import {
  type Cancellation,
  cancelLocked,
  lockCancelled,
  planCancellation,
} from '../deliveries/cancelDelivery.ts';
import { findDelivery } from '../deliveries/deliveryStore.ts';
import { separateInProportion, separateMetresOf } from '../orders/request.ts';
import { findStops, moveStops } from '../orders/stopStore.ts';
import { estimateIfPossible } from './scheduleDelivery.ts';
import { notAwaiting, type Scheduled } from './scheduled.ts';
import {
  findGroupedInto,
  findScheduled,
  lockManyScheduled,
  markAlone,
  markCancelled,
  markReleased,
  recordScheduledEvents,
  saveEstimate,
} from './scheduledStore.ts';

export interface CancelOptions {
  /** False refuses a scheduled delivery that still awaits dispatch, as contract 4.15 asks. */
  evenAwaiting: boolean;
}

/**
 * Contract 4.15. A dispatched scheduled delivery is cancelled together with its delivery. A grouped one takes its stops
 * back from its grouper. A grouper is cancelled together with those grouped into it. Scheduled deliveries that the
 * automatic merge grouped into it are released instead while it awaits dispatch, because nobody asked to group them.
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
      await cancelLocked(tx, caller.central, ofDelivery, null, actor);
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

export const wasCancelled = ({ id, situation, deliveryId }: Scheduled): ScheduledEvent => ({
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

/** The plan by which a grouped scheduled delivery takes its stops back from its grouper. */
interface Departure {
  id: number;
  /** The separate routes of those that stay with the grouper; null if none stays. Undefined: unchanged. */
  separateMetres: number | null | undefined;
  /** The grouper at the time of planning. */
  grouper: Scheduled;
  leaving: readonly number[];
  remaining: readonly number[];
  /** The estimate of the grouper without the leaving stops; null if no router answered. */
  estimate: Estimate | null;
}

/** Asks the router, so it runs before any lock is taken. Refuses if the grouper would have no stops left. */
async function planDeparture(
  deps: EstimateDeps,
  { central, centralId }: Caller,
  grouped: Scheduled,
): Promise<Departure> {
  if (grouped.groupedInto === null) throw notAwaiting(grouped);
  const grouper = await findScheduled(deps.db, wholeCentral(centralId), grouped.groupedInto);
  if (grouper.situation !== 'awaiting') throw notAwaiting(grouped);
  const stops = await findStops(deps.db, centralId, 'scheduled', [grouper.id]);
  const remaining = stops.filter((stop) => stop.orderedWith !== grouped.id);
  if (remaining.length === 0) throw new Refusal('grouper-needs-stop', { id: grouper.id });
  const leaving = stops.filter((stop) => stop.orderedWith === grouped.id).map((stop) => stop.id);
  const estimate = await estimateIfPossible(deps, central, grouper, remaining);
  const isAlone = (await findGroupedInto(deps.db, centralId, [grouper.id])).every((id) => id === grouped.id);
  return {
    id: grouped.id,
    separateMetres: isAlone ? null : separateWithout(grouper, grouped, leaving, estimate !== null),
    grouper,
    leaving,
    remaining: remaining.map((stop) => stop.id),
    estimate,
  };
}

function separateWithout(
  { separateMetres, plannedMetres }: Scheduled,
  grouped: Scheduled,
  leaving: readonly number[],
  isMeasured: boolean,
): number | null | undefined {
  if (separateMetres === null) return null;
  // Its stops, and so its part of the route, were removed before.
  if (leaving.length === 0) return undefined;
  const leavingMetres = separateMetresOf(grouped);
  if (isMeasured) return separateMetres - leavingMetres;
  return separateInProportion({ separateMetres, plannedMetres }, leavingMetres, plannedMetres);
}

/** The caller holds both locks and has checked that nothing changed since the departure was planned. */
async function leaveGrouper(
  tx: Tx,
  centralId: number,
  { id, separateMetres, grouper, leaving, remaining, estimate }: Departure,
  actor: Actor,
): Promise<void> {
  // An edit of the grouper may have replaced all stops.
  if (leaving.length === 0) {
    if (separateMetres === null) await markAlone(tx, centralId, grouper.id);
    return;
  }
  await moveStops(tx, centralId, 'scheduled', id, leaving);
  await moveStops(tx, centralId, 'scheduled', grouper.id, remaining);
  await saveEstimate(tx, centralId, grouper.id, estimate, separateMetres);
  const event: ScheduledEvent = {
    scheduledId: grouper.id,
    type: 'scheduled.changed',
    payload: { situation: grouper.situation, change: 'stops_left' },
  };
  await recordScheduledEvents(tx, centralId, [event], actor);
}

/**
 * Scheduled deliveries that an automatic merge grouped into this carrier take their stops back and await their own
 * dispatch, which is not before the carrier's. Their estimates are renewed before the dispatch. Returns them. The
 * caller holds the locks of all.
 */
async function releaseGrouped(
  tx: Tx,
  centralId: number,
  carrier: Scheduled,
  carried: readonly Scheduled[],
  actor: Actor,
): Promise<readonly Scheduled[]> {
  const merged = carried.filter(({ groupedAutomatically }) => groupedAutomatically);
  if (merged.length === 0) return [];
  const stops = await findStops(tx, centralId, 'scheduled', [carrier.id]);
  const stopsOf = (id: number) => stops.filter((stop) => stop.orderedWith === id).map((stop) => stop.id);
  const mergedIds = merged.map(({ id }) => id);
  // The leaving stops move first, so that no position is taken twice.
  for (const id of mergedIds) await moveStops(tx, centralId, 'scheduled', id, stopsOf(id));
  const staying = stops.filter((stop) => !mergedIds.includes(stop.orderedWith)).map((stop) => stop.id);
  await moveStops(tx, centralId, 'scheduled', carrier.id, staying);
  await markReleased(tx, centralId, mergedIds);
  const events = mergedIds.map<ScheduledEvent>((scheduledId) => ({
    scheduledId,
    type: 'scheduled.changed',
    payload: { situation: 'awaiting', change: 'let_go' },
  }));
  await recordScheduledEvents(tx, centralId, events, actor);
  return merged;
}
