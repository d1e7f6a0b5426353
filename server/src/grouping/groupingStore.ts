import type { Tx } from '../postgres/database.ts';
import type { ClaimTarget } from './claimStore.ts';
import type { CarriedStop } from './grouping.ts';

interface StopRow {
  noun: ClaimTarget['noun'];
  carrier: number;
  id: number;
  lat: number;
  lng: number;
  concluded: boolean;
}

/** The stops of each, in their order. */
export async function findCarriedStops(
  tx: Tx,
  centralId: number,
  targets: readonly ClaimTarget[],
): Promise<(noun: ClaimTarget['noun'], id: number) => CarriedStop[]> {
  const idsOf = (noun: ClaimTarget['noun']) => targets.filter((one) => one.noun === noun).map(({ id }) => id);
  const rows = await tx<StopRow>`
    select 'scheduled' as noun, scheduled_id as carrier, position, id, lat, lng, false as concluded
    from scheduled_stops
    where central_id = ${centralId} and scheduled_id = any(${idsOf('scheduled')}::bigint[])
    union all
    select 'delivery', delivery_id, position, id, lat, lng, concluded_at is not null
    from stops
    where central_id = ${centralId} and delivery_id = any(${idsOf('delivery')}::bigint[])
    order by noun, carrier, position`;
  const byCarrier = Map.groupBy(rows, ({ noun, carrier }) => `${noun} ${carrier}`);
  return (noun, carrier) =>
    (byCarrier.get(`${noun} ${carrier}`) ?? []).map(({ id, lat, lng, concluded }) => ({
      id,
      position: { lat, lng },
      concluded,
    }));
}

/** The scheduled deliveries that were grouped into any of these before. */
export async function findScheduledGroupedInto(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await tx<{ id: number }>`
    select id from scheduled
    where central_id = ${centralId} and grouped_into = any(${ids}::bigint[]) and situation = 'grouped'
    order by id`;
  return rows.map(({ id }) => id);
}

// Each of the following changes rows whose locks the caller holds, or whose grouper's lock it holds.

/**
 * What these scheduled deliveries carried becomes a delivery's, each stop under its own id and at its place in
 * `stopIds`, with a tracking link of its own. Only a delivery can be tracked, so they count as ordered with it.
 */
export async function adoptScheduledStops(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  scheduledIds: readonly number[],
  stopIds: readonly number[],
): Promise<void> {
  if (scheduledIds.length === 0) return;
  await tx`
    with adopted as (
      delete from scheduled_stops
      where central_id = ${centralId} and scheduled_id = any(${scheduledIds}::bigint[])
      returning *)
    insert into stops (central_id, id, delivery_id, ordered_with, position, address, complement, reference,
      district, city, state, lat, lng, order_number, external_id, recipient_name, recipient_phone, note,
      collect_cents, confirmation_code, tracking_token)
    select central_id, id, ${deliveryId}, ${deliveryId}, ordinality - 1, address, complement, reference,
      district, city, state, lat, lng, order_number, external_id, recipient_name, recipient_phone, note,
      collect_cents, confirmation_code, translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_')
    from adopted join unnest(${stopIds}::bigint[]) with ordinality as ordered (id, ordinality) using (id)`;
}

/**
 * Grouped into another delivery, along with all that had been grouped into them before: who carries a stop is
 * always one step away. The grouper's driver is theirs from now on. Answers with the ids of all of them.
 */
export async function markDeliveriesGrouped(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  grouper: { id: number; driverId: number | null },
): Promise<number[]> {
  const rows = await tx<{ id: number }>`
    update deliveries set grouped_into = ${grouper.id}, driver_id = ${grouper.driverId}, version = version + 1
    where central_id = ${centralId} and (id = any(${ids}::bigint[]) or grouped_into = any(${ids}::bigint[]))
    returning id`;
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
