import type { Tx } from '../postgres/database.ts';
import type { OrderedStop } from '../requests/order.ts';
import type { ScheduledStop } from './scheduled.ts';

interface StopRow {
  id: number;
  scheduled_id: number;
  ordered_with: number;
  position: number;
  address: string;
  complement: string | null;
  reference: string | null;
  district: string;
  city: string;
  state: string;
  lat: number;
  lng: number;
  order_number: string | null;
  external_id: string | null;
  recipient_name: string | null;
  recipient_phone: string | null;
  note: string | null;
  collect_cents: number | null;
  confirmation_code: number | null;
}

const COLUMNS = `id, scheduled_id, ordered_with, position, address, complement, reference, district, city, state,
  lat, lng, order_number, external_id, recipient_name, recipient_phone, note, collect_cents,
  confirmation_code`;

/**
 * The stops that these scheduled deliveries carry, in their order. Stops change only under the lock of the
 * one that carries them, so whoever holds that lock reads them without locking them too.
 */
export async function findScheduledStops(
  tx: Tx,
  centralId: number,
  carrierIds: readonly number[],
): Promise<ScheduledStop[]> {
  const rows = await tx.run<StopRow>(
    `select ${COLUMNS} from scheduled_stops
     where central_id = $1 and scheduled_id = any($2::bigint[]) order by scheduled_id, position`,
    [centralId, carrierIds],
  );
  return rows.map(toStop);
}

const toStop = (row: StopRow): ScheduledStop => ({
  id: row.id,
  carriedBy: row.scheduled_id,
  orderedWith: row.ordered_with,
  order: row.position,
  address: row.address,
  complement: row.complement,
  reference: row.reference,
  district: row.district,
  city: row.city,
  state: row.state,
  position: { lat: row.lat, lng: row.lng },
  orderNumber: row.order_number,
  externalId: row.external_id,
  recipientName: row.recipient_name,
  recipientPhone: row.recipient_phone,
  note: row.note,
  collectCents: row.collect_cents,
  confirmationCode: row.confirmation_code,
});

/**
 * Makes `stopIds`, in this order, the stops of one scheduled delivery, taking over those that others carried.
 * The caller holds the locks of all that give or take.
 */
export async function writeStopOrder(
  tx: Tx,
  centralId: number,
  carrierId: number,
  stopIds: readonly number[],
): Promise<void> {
  await tx`
    update scheduled_stops s set scheduled_id = ${carrierId}, position = ordered.ordinality - 1
    from unnest(${stopIds}::bigint[]) with ordinality as ordered (id, ordinality)
    where s.central_id = ${centralId} and s.id = ordered.id
      and (s.scheduled_id, s.position) is distinct from (${carrierId}::bigint, (ordered.ordinality - 1)::integer)`;
}

export async function insertScheduledStops(
  tx: Tx,
  centralId: number,
  scheduledId: number,
  stops: readonly OrderedStop[],
): Promise<void> {
  await tx.run(`insert into scheduled_stops (central_id, ${COLUMNS}) ${stopRows('$1', '$2', '$3')}`, [
    centralId,
    scheduledId,
    stopsParameter(stops),
  ]);
}

/** Rows to insert out of one parameter, numbered in the order given. */
export const stopRows = (centralId: string, scheduledId: string, stops: string): string => `
  select ${centralId}::bigint, next_id(${centralId}::bigint, 'stop'), ${scheduledId}::bigint, ${scheduledId}::bigint,
    ordinality - 1, s ->> 'address', s ->> 'complement', s ->> 'reference', s ->> 'district', s ->> 'city',
    s ->> 'state', (s ->> 'lat')::double precision, (s ->> 'lng')::double precision, s ->> 'orderNumber',
    s ->> 'externalId', s ->> 'recipientName', s ->> 'recipientPhone', s ->> 'note', (s ->> 'collectCents')::bigint,
    (s ->> 'confirmationCode')::integer
  from jsonb_array_elements(${stops}::jsonb) with ordinality as t (s, ordinality)`;

export const stopsParameter = (stops: readonly OrderedStop[]): string =>
  JSON.stringify(stops.map((stop) => ({ ...stop, ...stop.position })));

export async function deleteScheduledStops(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<void> {
  await tx`
    delete from scheduled_stops where central_id = ${centralId} and id = any(${stopIds}::bigint[])`;
}

/** Whoever carries it now. */
export async function isStopOrderedWith(
  tx: Tx,
  centralId: number,
  scheduledId: number,
  stopId: number,
): Promise<boolean> {
  const rows = await tx`
    select 1 from scheduled_stops
    where central_id = ${centralId} and id = ${stopId} and ordered_with = ${scheduledId}`;
  return rows.length > 0;
}
