import { type Caller, wholeCentral } from '../centrals/caller.ts';
import type { Estimate, EstimateNeeds } from '../estimates/estimateTrip.ts';
import type { Deed } from '../events/deed.ts';
import { recordScheduledEvent } from '../events/recordEvent.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { estimateIfPossible } from './estimateScheduled.ts';
import { notAwaiting, type Scheduled } from './scheduled.ts';
import { findScheduledStops, writeStopOrder } from './scheduledStopStore.ts';
import { findScheduled, saveEstimate } from './scheduledStore.ts';

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
  needs: EstimateNeeds,
  { central, centralId }: Caller,
  grouped: Scheduled,
): Promise<Departure> {
  if (grouped.groupedInto === null) throw notAwaiting(grouped);
  const grouper = await findScheduled(needs.db, wholeCentral(centralId), grouped.groupedInto);
  if (grouper.situation !== 'awaiting') throw notAwaiting(grouped);
  const stops = await findScheduledStops(needs.db, centralId, [grouper.id]);
  const remaining = stops.filter((stop) => stop.orderedWith !== grouped.id);
  if (remaining.length === 0) throw new Refusal('grouper-needs-stop', { id: grouper.id });
  return {
    id: grouped.id,
    grouper,
    leaving: stops.filter((stop) => stop.orderedWith === grouped.id).map((stop) => stop.id),
    remaining: remaining.map((stop) => stop.id),
    estimate: await estimateIfPossible(needs, central, grouper, remaining),
  };
}

/** The caller holds both locks, and has seen that nothing changed since the departure was planned. */
export async function leaveGrouper(
  tx: Tx,
  centralId: number,
  { id, grouper, leaving, remaining, estimate }: Departure,
  deed: Deed,
): Promise<void> {
  // An edit of the grouper may have replaced them all.
  if (leaving.length === 0) return;
  await writeStopOrder(tx, centralId, id, leaving);
  await writeStopOrder(tx, centralId, grouper.id, remaining);
  await saveEstimate(tx, centralId, grouper.id, estimate);
  const told = { situation: grouper.situation, change: 'stops_left' };
  await recordScheduledEvent(tx, centralId, grouper.id, 'scheduled.changed', told, deed);
}
