import type { Deed } from '../events/deed.ts';
import { recordScheduledEvents } from '../events/recordScheduledEvents.ts';
import type { Tx } from '../postgres/database.ts';
import type { Scheduled } from './scheduled.ts';
import { findScheduledStops, writeStopOrder } from './scheduledStopStore.ts';
import { markLetGo } from './scheduledStore.ts';

/**
 * Those of the carried that an automatic merge brought to this carrier take their stops back and await their own
 * dispatch, which is no sooner than the carrier's; answers with them. Their figures are made anew before it. The caller
 * holds the locks of all.
 */
export async function letGo(
  tx: Tx,
  centralId: number,
  carrier: Scheduled,
  carried: readonly Scheduled[],
  deed: Deed,
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
  await markLetGo(tx, centralId, mergedIds);
  const events = mergedIds.map((scheduledId) => ({
    scheduledId,
    type: 'scheduled.changed' as const,
    payload: { situation: 'awaiting', change: 'let_go' },
  }));
  await recordScheduledEvents(tx, centralId, events, deed);
  return merged;
}
