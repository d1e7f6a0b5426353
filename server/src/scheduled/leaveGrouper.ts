import { type Caller, wholeCentral } from '../centrals/caller.ts';
import type { Estimate, EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/actor.ts';
import type { ScheduledEvent } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { findStops, moveStops } from '../requests/stopStore.ts';
import { estimateIfPossible } from './estimateScheduled.ts';
import { notAwaiting, type Scheduled } from './scheduled.ts';
import { recordScheduledEvents } from './scheduledEventStore.ts';
import { findScheduled, markReleased, saveEstimate } from './scheduledStore.ts';

/** The plan by which a grouped scheduled delivery takes its stops back from its grouper. */
export interface Departure {
  id: number;
  /** As it was when the departure was planned. */
  grouper: Scheduled;
  leaving: readonly number[];
  remaining: readonly number[];
  /** The estimate of the grouper without the leaving stops; null if no router answered. */
  estimate: Estimate | null;
}

/** Asks the router, so it runs before any lock is taken. Refuses if the grouper would have no stops left. */
export async function planDeparture(
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
  return {
    id: grouped.id,
    grouper,
    leaving: stops.filter((stop) => stop.orderedWith === grouped.id).map((stop) => stop.id),
    remaining: remaining.map((stop) => stop.id),
    estimate: await estimateIfPossible(deps, central, grouper, remaining),
  };
}

/** The caller holds both locks and has checked that nothing changed since the departure was planned. */
export async function leaveGrouper(
  tx: Tx,
  centralId: number,
  { id, grouper, leaving, remaining, estimate }: Departure,
  actor: Actor,
): Promise<void> {
  // An edit of the grouper may have replaced all stops.
  if (leaving.length === 0) return;
  await moveStops(tx, centralId, 'scheduled', id, leaving);
  await moveStops(tx, centralId, 'scheduled', grouper.id, remaining);
  await saveEstimate(tx, centralId, grouper.id, estimate);
  const event: ScheduledEvent = {
    scheduledId: grouper.id,
    type: 'scheduled.changed',
    payload: { situation: grouper.situation, change: 'stops_left' },
  };
  await recordScheduledEvents(tx, centralId, [event], actor);
}

/**
 * Scheduled deliveries that an automatic merge grouped into this carrier take their stops back and await their own
 * dispatch, which is not before the carrier's. Their estimates are renewed before the dispatch. Answers with them. The
 * caller holds the locks of all.
 */
export async function releaseGrouped(
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
