import { randomBytes, randomInt } from 'node:crypto';
import type { Position } from '../kernel/position.ts';
import type { Tx } from '../postgres/database.ts';
import { removeNotesOfStops } from './attemptStore.ts';
import type { OrderedStop, RequestNoun, Stop } from './request.ts';
import { PLACE_COLUMNS, type PlaceRow, toPlace } from './requestStore.ts';

/*
 * The stops of deliveries and of scheduled deliveries, in two tables of the same shape (the reasons are in
 * docs/decisions/0019-two-tables-of-stops.md). Only the stops of deliveries are tracked and concluded.
 *
 * Stops are read and written under the lock of the request that carries them, without locks of their own.
 */

const TABLES = {
  scheduled: { table: 'scheduled_stops', carrier: 'scheduled_id' },
  delivery: { table: 'stops', carrier: 'delivery_id' },
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

const ORDERED = ORDERED_COLUMNS.join(', ');

interface StopRow extends PlaceRow {
  id: number;
  carried_by: number;
  ordered_with: number;
  position: number;
  order_number: string | null;
  external_id: string | null;
  recipient_name: string | null;
  recipient_phone: string | null;
  note: string | null;
  collect_cents: number | null;
  confirmation_code: number | null;
  tracking_token: string | null;
  concluded_at: Temporal.Instant | null;
  not_delivered: boolean;
}

const SELECT = {
  scheduled: `select id, scheduled_id as carried_by, ordered_with, position, ${ORDERED},
      null::text as tracking_token, null::timestamptz as concluded_at, false as not_delivered
    from scheduled_stops`,
  delivery: `select id, delivery_id as carried_by, ordered_with, position, ${ORDERED}, tracking_token, concluded_at,
      not_delivered
    from stops`,
} as const satisfies Record<RequestNoun, string>;

const toStop = (row: StopRow): Stop => ({
  id: row.id,
  carriedBy: row.carried_by,
  orderedWith: row.ordered_with,
  order: row.position,
  ...toPlace(row),
  orderNumber: row.order_number,
  externalId: row.external_id,
  recipientName: row.recipient_name,
  recipientPhone: row.recipient_phone,
  note: row.note,
  collectCents: row.collect_cents,
  confirmationCode: row.confirmation_code,
  trackingToken: row.tracking_token,
  concludedAt: row.concluded_at,
  isNotDelivered: row.not_delivered,
});

/** The stops that these requests carry, each request's in their planned order. */
export async function findStops(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  carrierIds: readonly number[],
): Promise<Stop[]> {
  if (carrierIds.length === 0) return [];
  const { carrier } = TABLES[noun];
  const rows = await tx.run<StopRow>(
    `${SELECT[noun]} where central_id = $1 and ${carrier} = any($2::bigint[]) order by ${carrier}, position`,
    [centralId, carrierIds],
  );
  return rows.map(toStop);
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
  const rows = await tx.run(
    `select 1 from ${table}
     where central_id = $1 and id = $3 and (${carrier} = $2 or ordered_with = $2)`,
    [centralId, requestId, stopId],
  );
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

/**
 * SQL that inserts the stops of a new request, numbered in the order given. `stops` is a parameter: the rows of
 * `toStopRows` as JSON. With the names of columns instead of parameters for the central and the request, those are read
 * from each row.
 */
export const insertStopsSql = (
  noun: RequestNoun,
  centralId: string,
  requestId: string,
  stops: string,
): string => `
  insert into ${TABLES[noun].table} (central_id, id, ${TABLES[noun].carrier}, ordered_with, position, ${ORDERED}
    ${noun === 'delivery' ? ', tracking_token' : ''})
  select ${centralId}::bigint, id, ${requestId}::bigint, ${requestId}::bigint, position, ${ORDERED}
    ${noun === 'delivery' ? ', tracking_token' : ''}
  from json_to_recordset(${stops}::json) as stop (central_id bigint, request_id bigint, id bigint,
    position integer, tracking_token text, ${ORDERED_COLUMNS.map((column) => `${column} ${PARAMETER_TYPES[column]}`).join(', ')})`;

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
  await tx.run(insertStopsSql(noun, '$1', '$2', '$3'), [centralId, requestId, stopsParameter(stops, ids)]);
  return ids;
}

/**
 * SQL that makes stops of scheduled deliveries stops of a delivery. Each keeps its id and gets a tracking link of its
 * own. Only a delivery can be tracked, so the stops count as ordered with it. `from` names the rows of scheduled_stops
 * as `s`; `deliveryId` and `position` are expressions about them.
 *
 * A tracking token is 122 random bits of PostgreSQL's strong generator, in base64url.
 */
export const insertStopsOfScheduledSql = (from: string, deliveryId: string, position: string): string => `
  insert into stops (central_id, id, delivery_id, ordered_with, position, ${ORDERED}, tracking_token)
  select s.central_id, s.id, ${deliveryId}, ${deliveryId}, ${position},
    ${ORDERED_COLUMNS.map((column) => `s.${column}`).join(', ')},
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
  await tx.run(MOVE_INTO_DELIVERY, [centralId, deliveryId, scheduledIds, stopIds]);
}

const MOVE_INTO_DELIVERY = `
  with s as (
    delete from scheduled_stops where central_id = $1 and scheduled_id = any($3::bigint[])
    returning *)
  ${insertStopsOfScheduledSql(
    's join unnest($4::bigint[]) with ordinality as ordered (id, ordinality) on ordered.id = s.id',
    '$2::bigint',
    'ordinality - 1',
  )}`;

/** Makes `stopIds`, in this order, the stops of one request, including stops that others carried. */
export async function moveStops(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  carrierId: number,
  stopIds: readonly number[],
): Promise<void> {
  const { table, carrier } = TABLES[noun];
  const update = `update ${table} s set ${carrier} = $2, position = ordered.ordinality - 1
    from unnest($3::bigint[]) with ordinality as ordered (id, ordinality)
    where s.central_id = $1 and s.id = ordered.id
      and (s.${carrier}, s.position) is distinct from ($2::bigint, (ordered.ordinality - 1)::integer)`;
  await tx.defer(update, centralId, carrierId, stopIds);
}

/** The position of the address was checked. */
export async function markStopChecked(tx: Tx, centralId: number, stopId: number): Promise<void> {
  await tx`update stops set to_check = false where central_id = ${centralId} and id = ${stopId} and to_check`;
}

/** The position of the address was corrected. */
export async function moveStop(
  tx: Tx,
  centralId: number,
  stopId: number,
  { lat, lng }: Position,
): Promise<void> {
  await tx`
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
  await tx.run(`delete from ${TABLES[noun].table} where central_id = $1 and id = any($2::bigint[])`, [
    centralId,
    stopIds,
  ]);
}

/** How a stop ended. */
type StopOutcome = 'delivered' | 'not-delivered';

/**
 * Marks a stop of a delivery as concluded, or as given up. The stored time is not before the start, and is after that
 * of the last concluded stop even if a clock was set back, because the order of these times is the order of the visits.
 */
export async function markStopConcluded(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopId: number,
  driverId: number | null,
  now: Temporal.Instant,
  outcome: StopOutcome = 'delivered',
): Promise<void> {
  await tx.defer`
    update stops set not_delivered = ${outcome === 'not-delivered'}, concluded_by = ${driverId},
      concluded_at = greatest(${now}::timestamptz, (
        select started_at from deliveries where central_id = ${centralId} and id = ${deliveryId}), (
        select max(concluded_at) + interval '1 microsecond' from stops
        where central_id = ${centralId} and delivery_id = ${deliveryId}))
    where central_id = ${centralId} and id = ${stopId}`;
}

export async function markStopArrived(
  tx: Tx,
  centralId: number,
  stopId: number,
  at: Temporal.Instant,
): Promise<void> {
  await tx.defer`update stops set arrived_at = ${at} where central_id = ${centralId} and id = ${stopId}`;
}

/** Clears the arrival of a stop that will be visited again. */
export async function clearStopArrival(tx: Tx, centralId: number, stopId: number): Promise<void> {
  await tx.defer`update stops set arrived_at = null where central_id = ${centralId} and id = ${stopId}`;
}

/** Reopens a stop that was given up. */
export async function markStopReopened(tx: Tx, centralId: number, stopId: number): Promise<void> {
  await tx`
    update stops set concluded_at = null, not_delivered = false, arrived_at = null
    where central_id = ${centralId} and id = ${stopId}`;
}

/** Returns the number of wrong codes so far. */
export async function markWrongCode(tx: Tx, centralId: number, stopId: number): Promise<number> {
  const [row] = await tx<{ wrong_codes: number }>`
    update stops set wrong_codes = wrong_codes + 1
    where central_id = ${centralId} and id = ${stopId}
    returning wrong_codes`;
  return row!.wrong_codes;
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
  const [row] = await tx<{ confirmation_code: number }>`
    update stops set confirmation_code = coalesce(confirmation_code, ${randomInt(1_000, 10_000)}::integer)
    where central_id = ${centralId} and id = ${stopId}
    returning confirmation_code`;
  return row?.confirmation_code;
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
  await tx.run(
    `update ${TABLES[noun].table} s set recipient_name = null, recipient_phone = null, note = null, complement = null,
       reference = null, confirmation_code = null, address = without_door(address), lat = rough_degree(lat),
       lng = rough_degree(lng) ${noun === 'delivery' ? ', received_by = null, tracking_token = erased.token' : ''}
     from unnest($2::bigint[], $3::text[]) as erased (id, token)
     where s.central_id = $1 and s.id = erased.id`,
    [centralId, stopIds, tokens],
  );
  if (noun === 'delivery') await removeNotesOfStops(tx, centralId, stopIds);
}

/** The same for all stops that these requests carry or that were ordered with them; returns their ids. */
export async function removePersonalDataOfStopsOf(
  tx: Tx,
  centralId: number,
  noun: RequestNoun,
  requestIds: readonly number[],
): Promise<number[]> {
  const { table, carrier } = TABLES[noun];
  const stops = await tx.run<{ id: number }>(
    `select id from ${table}
     where central_id = $1 and (${carrier} = any($2::bigint[]) or ordered_with = any($2::bigint[]))`,
    [centralId, requestIds],
  );
  const stopIds = stops.map(({ id }) => id);
  await removePersonalDataOfStops(tx, centralId, noun, stopIds);
  return stopIds;
}
