import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { names, raw, type Sql, sql, values } from '../../platform/postgres/sql.ts';
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
 * Inserts an event for each row of `select`, which returns `columns` in that order, with their types. There are at least
 * as many `ids` as rows.
 *
 * Stores nest this piece into the statement that makes the change, so that an event exists if and only if the change
 * does. The event's sequence comes from the changed row, which the statement locks: so the sequences of a delivery
 * have no gaps, and their order is the order of the commits.
 */
export const insertEvents = (columns: readonly EventColumn[], ids: readonly number[], select: Sql): Sql => {
  const named = raw(columns.join(', '));
  return sql`insert into events (id, ${named})
    select (${ids}::bigint[])[row_number() over ()], event.* from (${select}) event (${named})`;
};

/** Inserts one event whose values are all known. */
export const insertEvent = (event: { [Column in EventColumn | 'id']?: unknown } & { type: EventType }): Sql =>
  sql`insert into events (${names(event)}) values (${values(event)})`;

/** Inserts an event for each row of `select`, which returns the id first and then `columns`. */
export const insertSelectedEvents = (columns: readonly EventColumn[], select: Sql): Sql =>
  sql`insert into events (id, ${raw(columns.join(', '))}) ${select}`;

/** An event type as an SQL literal, checked by the compiler. */
export const eventType = (type: EventType): Sql => raw(`'${type}'`);

// Facts that every event of a delivery or scheduled delivery carries. Each function returns SQL for a JSON object
// about a row of the inserting statement; the event's own payload overrides it.

const eventStop = (stop: Sql): Sql =>
  sql`'id', ${stop}.id, 'order', ${stop}.position, 'orderNumber', ${stop}.order_number, 'externalId', ${stop}.external_id`;

/** A piece to append to the facts about a row. Without an external id the payload stays as small as it is. */
export const ownKeyFact = (row: Sql): Sql => sql`|| case when ${row}.external_id is null then '{}'
  else jsonb_build_object('ownKey', ${row}.external_id) end`;

export const deliveryFacts = (
  centralId: number,
  delivery: Sql,
  stops = deliveryStops(centralId, delivery),
): Sql => sql`jsonb_build_object(
  'status', ${delivery}.status, 'driverId', ${delivery}.driver_id, 'netCents', ${delivery}.net_cents,
  'scheduledId', ${delivery}.scheduled_id, 'groupedInto', ${delivery}.grouped_into, 'stops', ${stops})
  ${ownKeyFact(delivery)}`;

/** The stops that a delivery carries, and those ordered with it that another delivery carries now. */
export const deliveryStops = (centralId: number, delivery: Sql): Sql => sql`(select coalesce(jsonb_agg(
    jsonb_build_object(${eventStop(sql`stop`)}, 'concluded', stop.concluded_at is not null and not stop.not_delivered,
      'notDelivered', stop.not_delivered)
    order by stop.position, stop.id), '[]')
  from stops stop where stop.central_id = ${centralId}
    and (stop.delivery_id = ${delivery}.id or stop.ordered_with = ${delivery}.id))`;

export const scheduledFacts = (
  centralId: number,
  scheduled: Sql,
  stops = scheduledStops(centralId, scheduled),
): Sql => sql`jsonb_build_object(
  'situation', ${scheduled}.situation, 'dispatchAt', ${scheduled}.dispatch_at, 'netCents', ${scheduled}.net_cents,
  'deliveryId', ${scheduled}.delivery_id, 'groupedInto', ${scheduled}.grouped_into, 'stops', ${stops})
  ${ownKeyFact(scheduled)}`;

const scheduledStops = (centralId: number, scheduled: Sql): Sql => sql`(select coalesce(jsonb_agg(
    jsonb_build_object(${eventStop(sql`stop`)}) order by stop.position, stop.id), '[]')
  from scheduled_stops stop where stop.central_id = ${centralId}
    and (stop.scheduled_id = ${scheduled}.id or stop.ordered_with = ${scheduled}.id))`;

/** The stops for `deliveryFacts` where the same statement inserts them: it sees only the rows that it returns. */
export const insertedStops = (stop: Sql): Sql =>
  sql`coalesce(jsonb_agg(jsonb_build_object(${eventStop(stop)}) order by ${stop}.position), '[]')`;

/**
 * The result of `deliveryFacts` for a delivery that is created with these stops. All values are known beforehand, so
 * PostgreSQL need not collect them.
 */
export const newDeliveryFacts = (
  delivery: Pick<DeliveryFacts, 'status' | 'netCents'> & { ownKey: string | undefined },
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
  ...(delivery.ownKey !== undefined && { ownKey: delivery.ownKey }),
});

/** The centrals among `centralIds` that have events from before the instant. */
export const findCentralsWithOldEvents = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`events where central_id = any(${centralIds}::bigint[]) and occurred_at < ${before}`,
  );

export const findCentralsWithOldPositions = (tx: Tx, before: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`events where type = 'delivery.position' and occurred_at < ${before}`);

export async function deleteOldEvents(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
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
  const rows = await tx.rows`
    delete from events where central_id = ${centralId} and id in (
      select id from events
      where central_id = ${centralId} and type = 'delivery.position' and occurred_at < ${before}
      order by occurred_at limit ${limit})
    returning id`;
  return rows.length;
}

/** Removes the texts in which operators explained the conclusion of these stops. The events stay recorded. */
export async function removeConclusionReasons(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<void> {
  await tx.rows`
    update events set payload = jsonb_set(
      jsonb_set(payload, '{withoutCodeReason}', '""', false), '{receivedReason}', '""', false)
    where central_id = ${centralId} and type = 'delivery.stop_concluded' and sequence is not null
      and delivery_id = any(array(
        select unnest(array[delivery_id, ordered_with]) from stops
        where central_id = ${centralId} and id = any(${stopIds}::bigint[])))
      and (payload ->> 'stopId')::bigint = any(${stopIds}::bigint[])
      and payload ?| '{withoutCodeReason,receivedReason}'`;
}
