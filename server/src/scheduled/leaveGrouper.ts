import { type Caller, wholeCentral } from '../centrals/caller.ts';
import type { Estimate, EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/actor.ts';
import { recordScheduledEvent } from '../events/recordEvent.ts';
import { recordScheduledEvents } from '../events/recordScheduledEvents.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { estimateIfPossible } from './estimateScheduled.ts';
import { notAwaiting, type Scheduled } from './scheduled.ts';
import { findScheduledStops, writeStopOrder } from './scheduledStopStore.ts';
import { findScheduled, markReleased, saveEstimate } from './scheduledStore.ts';

/** What it takes for one that was grouped to take its stops back. */
export interface Departure {
  id: number;
  /** As it was when this was planned. */
  grouper: Scheduled;
  leaving: readonly number[];
  remaining: readonly number[];
  /** Of the grouper without them; null where no router answered. */
  estimate: Estimate | null;
}

/** Asks the router, so it runs before any lock is taken. Refuses where the grouper cannot spare the stops. */
export async function planDeparture(
  deps: EstimateDeps,
  { central, centralId }: Caller,
  grouped: Scheduled,
): Promise<Departure> {
  if (grouped.groupedInto === null) throw notAwaiting(grouped);
  const grouper = await findScheduled(deps.db, wholeCentral(centralId), grouped.groupedInto);
  if (grouper.situation !== 'awaiting') throw notAwaiting(grouped);
  const stops = await findScheduledStops(deps.db, centralId, [grouper.id]);
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

/** The caller holds both locks, and has seen that nothing changed since the departure was planned. */
export async function leaveGrouper(
  tx: Tx,
  centralId: number,
  { id, grouper, leaving, remaining, estimate }: Departure,
  actor: Actor,
): Promise<void> {
  // An edit of the grouper may have replaced them all.
  if (leaving.length === 0) return;
  await writeStopOrder(tx, centralId, id, leaving);
  await writeStopOrder(tx, centralId, grouper.id, remaining);
  await saveEstimate(tx, centralId, grouper.id, estimate);
  const told = { situation: grouper.situation, change: 'stops_left' };
  await recordScheduledEvent(tx, centralId, grouper.id, 'scheduled.changed', told, actor);
}

/**
 * Those of the carried that an automatic merge brought to this carrier take their stops back and await their own
 * dispatch, which is no sooner than the carrier's; answers with them. Their figures are made anew before it. The caller
 * holds the locks of all.
 */
export async function releaseGrouped(
  tx: Tx,
  centralId: number,
  carrier: Scheduled,
  carried: readonly Scheduled[],
  actor: Actor,
): Promise<readonly Scheduled[]> {
  const merged = carried.filter((one) => one.groupedAutomatically);
  if (merged.length === 0) return [];
  const stops = await findScheduledStops(tx, centralId, [carrier.id]);
  const stopsOf = (id: number) => stops.filter((stop) => stop.orderedWith === id).map((stop) => stop.id);
  const mergedIds = merged.map((one) => one.id);
  // Those that leave first, so that no place is taken twice.
  for (const id of mergedIds) await writeStopOrder(tx, centralId, id, stopsOf(id));
  const staying = stops.filter((stop) => !mergedIds.includes(stop.orderedWith)).map((stop) => stop.id);
  await writeStopOrder(tx, centralId, carrier.id, staying);
  await markReleased(tx, centralId, mergedIds);
  const events = mergedIds.map((scheduledId) => ({
    scheduledId,
    type: 'scheduled.changed' as const,
    payload: { situation: 'awaiting', change: 'let_go' },
  }));
  await recordScheduledEvents(tx, centralId, events, actor);
  return merged;
}
