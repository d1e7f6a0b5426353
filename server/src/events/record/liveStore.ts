import type { Scope } from '../../centrals/caller.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import type { RecordedEvent } from './event.ts';

/** An event as the live feed reads it. A reader stays for minutes, so the zone is that of the moment. */
export type StoredEvent = RecordedEvent & { centralId: number; id: number; uid: string };

export type LiveEvent = StoredEvent & { timeZone: string };

const columnsOf = (centralId: number): Sql => sql`
  central_id, id, uid, type, company_id, delivery_id, scheduled_id, sequence, payload, occurred_at, happened_at,
  (select time_zone from centrals where id = ${centralId}) as time_zone`;

/** Positions are read from their own table. A reader passes a test event on only to whom it is for. */
const IS_LIVE = sql`type <> 'delivery.position'`;

/** Ids of the visible events after `since`. */
export async function findIdsSince(tx: Tx, centralId: number, since: Temporal.Instant): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from events where central_id = ${centralId} and occurred_at > ${since}`;
  return rows.map(({ id }) => id);
}

/**
 * The events with these ids, and those after `since` that precede them in the same delivery or scheduled delivery: the
 * latter were committed before, but another process may announce them later.
 */
export const findEvents = (
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  since: Temporal.Instant,
): Promise<LiveEvent[]> =>
  tx.rows<LiveEvent>`
    with named as materialized (
      select * from events where central_id = ${centralId} and id = any(${ids}::bigint[]) and ${IS_LIVE})
    select ${columnsOf(centralId)} from named
    union all
    select ${columnsOf(centralId)} from events where central_id = ${centralId} and id in (
      select e.id from named
      join events e
        on e.central_id = ${centralId} and e.delivery_id = named.delivery_id and e.sequence < named.sequence
      where e.occurred_at > ${since}
      union
      select e.id from named
      join events e
        on e.central_id = ${centralId} and e.scheduled_id = named.scheduled_id and e.sequence < named.sequence
      where e.occurred_at > ${since}) and id <> all(${ids}::bigint[])`;

/** How far before the last known event a resumed reader begins. */
const OVERLAP = raw('limit 200');
const OVERLAP_SECONDS = 30;

/**
 * The events that a reader missed since an event. A transaction may commit after one that began later, so events from
 * shortly before are repeated, and readers recognise them by id. Undefined if that event was deleted, or if there are
 * more than `limit` events since.
 */
export async function findEventsSince(
  tx: Tx,
  centralId: number,
  lastId: number,
  limit: number,
): Promise<LiveEvent[] | undefined> {
  const last = await tx.row<{ occurredAt: Temporal.Instant }>`
    select occurred_at from events where central_id = ${centralId} and id = ${lastId}`;
  if (!last) return undefined;
  const at = last.occurredAt;
  const overlapFrom = at.subtract({ seconds: OVERLAP_SECONDS });
  const events = await tx.rows<LiveEvent>`
    (select ${columnsOf(centralId)} from events
     where central_id = ${centralId} and occurred_at > ${overlapFrom} and occurred_at < ${at} and ${IS_LIVE}
     order by occurred_at desc ${OVERLAP})
    union all
    (select ${columnsOf(centralId)} from events
     where central_id = ${centralId} and occurred_at >= ${at} and id <> ${lastId} and ${IS_LIVE}
     order by occurred_at limit ${limit + 1})`;
  const newer = events.filter(({ occurredAt }) => Temporal.Instant.compare(occurredAt, at) >= 0);
  return newer.length > limit ? undefined : events;
}

/** A place in the order of a central's events. */
export interface EventCursor {
  at: Temporal.Instant;
  id: number;
}

/** The place of an event; undefined for one that is not kept, or that is outside the scope. */
export async function findEventCursor(
  tx: Tx,
  { centralId, companyId }: Scope,
  id: number,
): Promise<EventCursor | undefined> {
  const row = await tx.row<{ occurredAt: Temporal.Instant }>`
    select occurred_at from events
    where central_id = ${centralId} and id = ${id}
      and (${companyId}::bigint is null or company_id = ${companyId})`;
  return row && { at: row.occurredAt, id };
}

/** The next events after a place, oldest first. */
export const findEventsAfter = (
  tx: Tx,
  centralId: number,
  { at, id }: EventCursor,
  limit: number,
): Promise<LiveEvent[]> =>
  tx.rows<LiveEvent>`
    select ${columnsOf(centralId)} from events
    where central_id = ${centralId} and occurred_at >= ${at} and (occurred_at > ${at} or id > ${id}) and ${IS_LIVE}
    order by occurred_at, id limit ${limit}`;

/** The position of a driver, and the deliveries it carries. */
export interface LivePosition {
  driverId: number;
  lat: number;
  lng: number;
  at: Temporal.Instant;
  deliveries: readonly { id: number; companyId: number | null }[];
}

/** The positions of all drivers reported after `since`. */
export async function findPositionsSince(
  tx: Tx,
  centralId: number,
  since: Temporal.Instant,
): Promise<LivePosition[]> {
  return tx.rows<LivePosition>`
    with carried as (
      select driver_id, jsonb_agg(jsonb_build_object('id', id, 'companyId', company_id) order by id) as deliveries
      from deliveries
      where central_id = ${centralId} and status in ('accepted', 'on_hold', 'in_progress')
      group by driver_id)
    select p.driver_id, p.lat, p.lng, p.at, coalesce(carried.deliveries, '[]') as deliveries
    from driver_positions p left join carried using (driver_id)
    where p.central_id = ${centralId} and p.at > ${since}`;
}
