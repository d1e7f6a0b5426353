import { randomBytes, randomInt } from 'node:crypto';
import type { Position } from '../../platform/kernel/position.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import { DEMANDED, type DemandedRow, deleteDemands, insertDemands, withDemands } from './demandStore.ts';
import type { OrderedStop, RequestNoun, Stop } from './request.ts';
import { PLACE_COLUMNS, type RowOfStop, withPlace } from './requestStore.ts';
import { removeNotesOfStops } from './visitStore.ts';

/*
 * The stops of deliveries and of scheduled deliveries, in two tables of the same shape (the reasons are in
 * docs/decisions/0019-two-tables-of-stops.md). Only the stops of deliveries are tracked and concluded.
 *
 * Stops are read and written under the lock of the request that carries them, without locks of their own.
 */

const TABLES = {
  scheduled: { table: sql`scheduled_stops`, carrier: sql`scheduled_id` },
  delivery: { table: sql`stops`, carrier: sql`delivery_id` },
} as const satisfies Record<RequestNoun, object>;

/** The ordered data: the same columns in both tables. */
const ORDERED_COLUMNS = [
  ...PLACE_COLUMNS,
  'order_number',
  'external_id',
  'recipient_name',
  'recipient_phone',
  'note',
  'collect_cents',
  'confirmation_code',
] as const;

const ORDERED = raw(ORDERED_COLUMNS.join(', '));

const SELECT = {
  scheduled: sql`select id, scheduled_id as carried_by, ordered_with, position as "order", ${ORDERED},
      null::text as tracking_token, null::timestamptz as concluded_at, false as is_not_delivered, ${DEMANDED}
    from scheduled_stops s`,
  delivery: sql`select id, delivery_id as carried_by, ordered_with, position as "order", ${ORDERED}, tracking_token,
      concluded_at, not_delivered as is_not_delivered, ${DEMANDED}
    from stops s`,
} as const satisfies Record<RequestNoun, Sql>;

/** The stops that these requests carry, each request's in their planned order. */
export async function findStops(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  carrierIds: readonly number[],
): Promise<Stop[]> {
  if (carrierIds.length === 0) return [];
  const { carrier } = TABLES[noun];
  const rows = await tx.rows<RowOfStop<Omit<Stop, 'demands'>> & DemandedRow>`
    ${SELECT[noun]}
    left join stop_demands demanded on demanded.central_id = ${centralId} and demanded.stop_id = s.id
    where s.central_id = ${centralId} and ${carrier} = any(${carrierIds}::bigint[])
    order by ${carrier}, position`;
  return rows.map((row) => withDemands(withPlace(row)));
}

/** Whether the request carries the stop, or the stop was ordered with it and another request carries it now. */
export async function isStopOf(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  requestId: number,
  stopId: number,
): Promise<boolean> {
  const { table, carrier } = TABLES[noun];
  const rows = await tx.rows`
    select 1 from ${table}
    where central_id = ${centralId} and id = ${stopId} and (${carrier} = ${requestId} or ordered_with = ${requestId})`;
  return rows.length > 0;
}

export interface NewStop extends OrderedStop {
  /** A stop that comes with a tracking token keeps it; otherwise a new one is made. */
  trackingToken?: string | null | undefined;
}

const PARAMETER_TYPES: Record<(typeof ORDERED_COLUMNS)[number], string> = {
  address: 'text',
  complement: 'text',
  reference: 'text',
  district: 'text',
  city: 'text',
  state: 'text',
  lat: 'double precision',
  lng: 'double precision',
  located_by: 'text',
  located_precision: 'text',
  to_check: 'boolean',
  order_number: 'text',
  external_id: 'text',
  recipient_name: 'text',
  recipient_phone: 'text',
  note: 'text',
  collect_cents: 'bigint',
  confirmation_code: 'integer',
};

const NEW = {
  scheduled: raw(ORDERED_COLUMNS.join(', ')),
  delivery: raw([...ORDERED_COLUMNS, 'tracking_token'].join(', ')),
};
const TYPED = raw(ORDERED_COLUMNS.map((column) => `${column} ${PARAMETER_TYPES[column]}`).join(', '));

/**
 * Inserts the stops of a new request, numbered in the order given: the rows of `toStopRows` as JSON. With columns instead
 * of values for the central and the request, those are read from each row.
 */
export const insertStopRows = (
  noun: RequestNoun,
  centralId: number | Sql,
  requestId: number | Sql,
  stops: string,
): Sql => sql`
  insert into ${TABLES[noun].table} (central_id, id, ${TABLES[noun].carrier}, ordered_with, position, ${NEW[noun]})
  select ${centralId}::bigint, id, ${requestId}::bigint, ${requestId}::bigint, position, ${NEW[noun]}
  from json_to_recordset(${stops}::json) as stop (central_id bigint, request_id bigint, id bigint,
    position integer, tracking_token text, ${TYPED})`;

const newTrackingToken = (): string => randomBytes(16).toString('base64url');

/** The stops of one new request with as many new ids. Null values are left out. */
export const toStopRows = (stops: readonly NewStop[], ids: readonly number[]) =>
  stops.map((stop, position) => ({
    id: ids[position],
    position,
    tracking_token: stop.trackingToken ?? newTrackingToken(),
    address: stop.address,
    complement: stop.complement ?? undefined,
    reference: stop.reference ?? undefined,
    district: stop.district,
    city: stop.city,
    state: stop.state,
    lat: stop.position.lat,
    lng: stop.position.lng,
    located_by: stop.located?.by,
    located_precision: stop.located?.precision,
    to_check: stop.located?.toCheck ?? false,
    order_number: stop.orderNumber ?? undefined,
    external_id: stop.externalId ?? undefined,
    recipient_name: stop.recipientName ?? undefined,
    recipient_phone: stop.recipientPhone ?? undefined,
    note: stop.note ?? undefined,
    collect_cents: stop.collectCents ?? undefined,
    confirmation_code: stop.confirmationCode ?? undefined,
  }));

export const stopsParameter = (stops: readonly NewStop[], ids: readonly number[]): string =>
  JSON.stringify(toStopRows(stops, ids));

export async function insertStops(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  requestId: number,
  stops: readonly NewStop[],
): Promise<number[]> {
  const ids = await tx.newIds(centralId, 'stop', stops.length);
  await tx.rows`${insertStopRows(noun, centralId, requestId, stopsParameter(stops, ids))}`;
  await insertDemands(tx, centralId, stops, ids);
  return ids;
}

const ORDERED_OF_S = raw(ORDERED_COLUMNS.map((column) => `s.${column}`).join(', '));

/**
 * Makes stops of scheduled deliveries stops of a delivery. Each keeps its id and gets a tracking link of its
 * own. Only a delivery can be tracked, so the stops count as ordered with it. `from` names the rows of scheduled_stops
 * as `s`; `deliveryId` and `position` are expressions about them.
 *
 * A tracking token is 122 random bits of PostgreSQL's strong generator, in base64url.
 */
export const insertStopsOfScheduled = (from: Sql, deliveryId: Sql, position: Sql): Sql => sql`
  insert into stops (central_id, id, delivery_id, ordered_with, position, ${ORDERED}, tracking_token)
  select s.central_id, s.id, ${deliveryId}, ${deliveryId}, ${position},
    ${ORDERED_OF_S},
    translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_')
  from ${from}`;

// The following functions change stops whose carrier's lock the caller holds, unless stated otherwise.

/**
 * Turns the stops of scheduled deliveries into stops of a delivery, each at its place in `stopIds`. The scheduled
 * deliveries lose them.
 */
export async function moveStopsIntoDelivery(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  scheduledIds: readonly number[],
  stopIds: readonly number[],
): Promise<void> {
  if (scheduledIds.length === 0) return;
  const from = sql`s join unnest(${stopIds}::bigint[]) with ordinality as ordered (id, ordinality) on ordered.id = s.id`;
  await tx.rows`
    with s as (
      delete from scheduled_stops where central_id = ${centralId} and scheduled_id = any(${scheduledIds}::bigint[])
      returning *)
    ${insertStopsOfScheduled(from, sql`${deliveryId}::bigint`, sql`ordinality - 1`)}`;
}

/** Makes `stopIds`, in this order, the stops of one request, including stops that others carried. */
export async function moveStops(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  carrierId: number,
  stopIds: readonly number[],
): Promise<void> {
  const { table, carrier } = TABLES[noun];
  await tx.write`
    update ${table} s set ${carrier} = ${carrierId}, position = ordered.ordinality - 1
    from unnest(${stopIds}::bigint[]) with ordinality as ordered (id, ordinality)
    where s.central_id = ${centralId} and s.id = ordered.id
      and (s.${carrier}, s.position) is distinct from (${carrierId}::bigint, (ordered.ordinality - 1)::integer)`;
}

/** Changes the ordered data of stops and what they demand; their codes, links and positions stay. */
export async function updateStops(
  tx: Tx,
  centralId: number,
  stops: readonly (OrderedStop & { id: number })[],
): Promise<void> {
  if (stops.length === 0) return;
  const values = stops.map((stop) => ({ ...stop, ...stop.position }));
  await tx.rows`
    update stops set address = s ->> 'address', complement = s ->> 'complement', reference = s ->> 'reference',
      district = s ->> 'district', city = s ->> 'city', state = s ->> 'state', lat = (s ->> 'lat')::double precision,
      lng = (s ->> 'lng')::double precision, located_by = s -> 'located' ->> 'by',
      located_precision = s -> 'located' ->> 'precision',
      to_check = coalesce((s -> 'located' ->> 'toCheck')::boolean, false), order_number = s ->> 'orderNumber',
      recipient_name = s ->> 'recipientName', recipient_phone = s ->> 'recipientPhone', note = s ->> 'note',
      collect_cents = (s ->> 'collectCents')::bigint
    from jsonb_array_elements(${JSON.stringify(values)}::jsonb) as t (s)
    where stops.central_id = ${centralId} and stops.id = (s ->> 'id')::bigint`;
  const ids = stops.map(({ id }) => id);
  await deleteDemands(tx, centralId, ids);
  await insertDemands(tx, centralId, stops, ids);
}

/** Records that an operator has checked the position of the stop. */
export async function markStopChecked(tx: Tx, centralId: number, stopId: number): Promise<void> {
  await tx.rows`update stops set to_check = false where central_id = ${centralId} and id = ${stopId} and to_check`;
}

/** Stores a corrected position of the stop. */
export async function moveStop(
  tx: Tx,
  centralId: number,
  stopId: number,
  { lat, lng }: Position,
): Promise<void> {
  await tx.rows`
    update stops set lat = ${lat}, lng = ${lng}, to_check = false, located_by = 'correction',
      located_precision = 'number'
    where central_id = ${centralId} and id = ${stopId}`;
}

export async function deleteStops(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  stopIds: readonly number[],
): Promise<void> {
  await tx.rows`
    delete from ${TABLES[noun].table} where central_id = ${centralId} and id = any(${stopIds}::bigint[])`;
  await deleteDemands(tx, centralId, stopIds);
}

/**
 * Makes a stop's confirmation code, unless it has one. The row lock serialises two callers: the second gets the code
 * that the first one made. Undefined when the stop no longer exists, because its delivery was edited.
 */
export async function giveConfirmationCode(
  tx: Tx,
  centralId: number,
  stopId: number,
): Promise<number | undefined> {
  const row = await tx.row<{ confirmationCode: number }>`
    update stops set confirmation_code = coalesce(confirmation_code, ${randomInt(1_000, 10_000)}::integer)
    where central_id = ${centralId} and id = ${stopId}
    returning confirmation_code`;
  return row?.confirmationCode;
}

/** Removes data that identifies a recipient. The tracking link stops working. */
export async function removePersonalDataOfStops(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  stopIds: readonly number[],
): Promise<void> {
  // Random values are made here, because a statement over several nodes must give the same result on each of them.
  const tokens = stopIds.map(() => randomBytes(32).toString('hex'));
  const link = noun === 'delivery' ? sql`, received_by = null, tracking_token = erased.token` : sql``;
  await tx.rows`
    update ${TABLES[noun].table} s set recipient_name = null, recipient_phone = null, note = null, complement = null,
      reference = null, confirmation_code = null, address = without_door(address), lat = rough_degree(lat),
      lng = rough_degree(lng) ${link}
    from unnest(${stopIds}::bigint[], ${tokens}::text[]) as erased (id, token)
    where s.central_id = ${centralId} and s.id = erased.id`;
  if (noun === 'delivery') await removeNotesOfStops(tx, centralId, stopIds);
}

/** Removes personal data from all stops that these requests carry or that were ordered with them; returns their ids. */
export async function removePersonalDataOfStopsOf(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  requestIds: readonly number[],
): Promise<number[]> {
  const { table, carrier } = TABLES[noun];
  const stops = await tx.rows<{ id: number }>`
    select id from ${table}
    where central_id = ${centralId}
      and (${carrier} = any(${requestIds}::bigint[]) or ordered_with = any(${requestIds}::bigint[]))`;
  const stopIds = stops.map(({ id }) => id);
  await removePersonalDataOfStops(tx, centralId, noun, stopIds);
  return stopIds;
}
