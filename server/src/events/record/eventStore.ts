import type { Tx } from '../postgres/database.ts';
import type { DeliveryFacts, EventStop, EventType } from './event.ts';

type EventColumn =
  | 'central_id'
  | 'type'
  | 'company_id'
  | 'delivery_id'
  | 'scheduled_id'
  | 'sequence'
  | 'payload'
  | 'occurred_at'
  | 'happened_at'
  | 'user_id';

/**
 * SQL that inserts an event for each row of a select. The columns of the select are those named, in that order; its
 * parameters carry their types. `ids` is a parameter with at least as many new ids as there are rows.
 *
 * Stores nest it into the statement that makes the change, so that an event exists if and only if the change does.
 * The owner of the row takes the sequence from the row, whose lock the change holds: sequences are dense, and their
 * order is the order of the commits.
 */
export const insertEventsSql = (columns: readonly EventColumn[], ids: string, select: string): string => {
  const names = columns.join(', ');
  return `insert into events (id, ${names})
  select (${ids}::bigint[])[row_number() over ()], event.* from (${select}) event (${names})`;
};

/**
 * The same for events whose values are all known, including ids. Values are in the order of the columns, the id first.
 * Inserts one event, or with `from` one for each of its rows.
 */
export const insertEventSql = (
  columns: readonly EventColumn[],
  values: readonly string[],
  from?: string,
): string =>
  `insert into events (id, ${columns.join(', ')})
  ${from ? `select ${values.join(', ')} from ${from}` : `values (${values.join(', ')})`}`;

/** An event type as an SQL literal, checked by the compiler. */
export const eventTypeSql = (type: EventType): string => `'${type}'`;

// Facts that every event of a delivery or scheduled delivery carries. Each function returns SQL for a JSON object
// about a row of the inserting statement; the event's own payload overrides it. `centralId` is the
// parameter of the central.

const eventStop = (stop: string): string =>
  `'id', ${stop}.id, 'order', ${stop}.position, 'orderNumber', ${stop}.order_number, 'externalId', ${stop}.external_id`;

const outcome = (stop: string): string =>
  `'concluded', ${stop}.concluded_at is not null and not ${stop}.not_delivered, 'notDelivered', ${stop}.not_delivered`;

export const deliveryFacts = (
  centralId: string,
  delivery: string,
  stops = deliveryStops(centralId, delivery),
): string =>
  `jsonb_build_object(
  'status', ${delivery}.status, 'driverId', ${delivery}.driver_id, 'netCents', ${delivery}.net_cents,
  'scheduledId', ${delivery}.scheduled_id, 'groupedInto', ${delivery}.grouped_into, 'stops', ${stops})`;

/** The stops that a delivery carries, and those ordered with it that another delivery carries now. */
export const deliveryStops = (centralId: string, delivery: string): string => `(select coalesce(jsonb_agg(
    jsonb_build_object(${eventStop('stop')}, ${outcome('stop')})
    order by stop.position, stop.id), '[]')
  from stops stop where stop.central_id = ${centralId}
    and (stop.delivery_id = ${delivery}.id or stop.ordered_with = ${delivery}.id))`;

export const scheduledFacts = (
  centralId: string,
  scheduled: string,
  stops = scheduledStops(centralId, scheduled),
): string =>
  `jsonb_build_object(
  'situation', ${scheduled}.situation, 'dispatchAt', ${scheduled}.dispatch_at, 'netCents', ${scheduled}.net_cents,
  'deliveryId', ${scheduled}.delivery_id, 'groupedInto', ${scheduled}.grouped_into, 'stops', ${stops})`;

const scheduledStops = (centralId: string, scheduled: string): string => `(select coalesce(jsonb_agg(
    jsonb_build_object(${eventStop('stop')}) order by stop.position, stop.id), '[]')
  from scheduled_stops stop where stop.central_id = ${centralId}
    and (stop.scheduled_id = ${scheduled}.id or stop.ordered_with = ${scheduled}.id))`;

/** For stops that the same statement inserts: a statement does not see its own rows, only what they return. */
export const insertedStops = (stop: string): string =>
  `coalesce(jsonb_agg(jsonb_build_object(${eventStop(stop)}) order by ${stop}.position), '[]')`;

/**
 * The result of `deliveryFacts` for a delivery that is created with these stops. All values are known beforehand, so
 * PostgreSQL need not collect them.
 */
export const newDeliveryFacts = (
  delivery: Pick<DeliveryFacts, 'status' | 'netCents'>,
  stops: readonly Pick<EventStop, 'id' | 'orderNumber' | 'externalId'>[],
): DeliveryFacts => ({
  status: delivery.status,
  driverId: null,
  driverName: null,
  netCents: delivery.netCents,
  scheduledId: null,
  groupedInto: null,
  stops: stops.map(({ id, orderNumber, externalId }, order) => ({
    id,
    order,
    orderNumber,
    externalId,
    concluded: false,
    notDelivered: false,
  })),
});

/** Those of the centrals that have events from before the instant. */
export async function findCentralsWithOldEvents(
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    select distinct central_id from events
    where central_id = any(${centralIds}::bigint[]) and occurred_at < ${before}`;
  return rows.map((row) => row.central_id);
}

export async function findCentralsWithOldPositions(tx: Tx, before: Temporal.Instant): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    select distinct central_id from events where type = 'delivery.position' and occurred_at < ${before}`;
  return rows.map((row) => row.central_id);
}

export async function deleteOldEvents(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx`
    delete from events where central_id = ${centralId} and id in (
      select id from events where central_id = ${centralId} and occurred_at < ${before}
      order by occurred_at limit ${limit})
    returning id`;
  return rows.length;
}

export async function deleteOldPositions(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx`
    delete from events where central_id = ${centralId} and id in (
      select id from events
      where central_id = ${centralId} and type = 'delivery.position' and occurred_at < ${before}
      order by occurred_at limit ${limit})
    returning id`;
  return rows.length;
}

/** Removes the operators' reasons for conclusions without a code. The fact itself stays recorded. */
export async function removeReasonsWithoutCode(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<void> {
  await tx`
    update events set payload = jsonb_set(payload, '{withoutCodeReason}', '""')
    where central_id = ${centralId} and type = 'delivery.stop_concluded' and sequence is not null
      and delivery_id = any(array(
        select unnest(array[delivery_id, ordered_with]) from stops
        where central_id = ${centralId} and id = any(${stopIds}::bigint[])))
      and (payload ->> 'stopId')::bigint = any(${stopIds}::bigint[])
      and payload ->> 'withoutCodeReason' is not null`;
}
