import type { Tx } from '../postgres/database.ts';
import type { RecordedEvent } from './event.ts';

/** An event as the live feed reads it. */
export type LiveEvent = RecordedEvent & { centralId: number; id: number; uid: string };

const COLUMNS = `central_id as "centralId", id, uid, type, company_id as "companyId", delivery_id as "deliveryId",
  scheduled_id as "scheduledId", sequence, payload, occurred_at as "occurredAt"`;

/** What came after `cursor`, and what is there by now of the ids that were still missing. In order of the ids. */
export async function findNewEvents(
  tx: Tx,
  centralId: number,
  cursor: number,
  missing: readonly number[],
  limit: number,
): Promise<LiveEvent[]> {
  return tx.run<LiveEvent>(
    `select ${COLUMNS} from events where central_id = $1 and id = any($3::bigint[])
     union all
     (select ${COLUMNS} from events where central_id = $1 and id > $2 order by id limit $4)
     order by id`,
    [centralId, cursor, missing, limit],
  );
}

/** The newest ids of a central, newest first. */
export async function findNewestIds(tx: Tx, centralId: number, limit: number): Promise<number[]> {
  const rows = await tx<{ id: number }>`
    select id from events where central_id = ${centralId} order by id desc limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** How far back a reader is resumed behind the last event it knows. */
const OVERLAP = 200;
const OVERLAP_SECONDS = 30;

/**
 * What a reader missed since `lastId`. Ids are given before the commit, so one with a lower id may have
 * become visible after a higher one: the recent past is told again, and readers know events by their id.
 */
export async function findEventsSince(
  tx: Tx,
  centralId: number,
  lastId: number,
  now: Temporal.Instant,
  limit: number,
): Promise<LiveEvent[]> {
  return tx.run<LiveEvent>(
    `select ${COLUMNS} from events
     where central_id = $1 and id > $2::bigint - ${OVERLAP} and (id > $2::bigint or id < $2::bigint and occurred_at > $3)
       and type not in ('delivery.position', 'webhook.test')
     order by id limit $4`,
    [centralId, lastId, now.subtract({ seconds: OVERLAP_SECONDS }), limit],
  );
}

/** Where a driver was seen, and what it carries. */
export interface LivePosition {
  centralId: number;
  driverId: number;
  lat: number;
  lng: number;
  at: Temporal.Instant;
  deliveries: readonly { id: number; companyId: number | null }[];
}

/** Of all drivers of these centrals that were seen after `since`. */
export async function findPositionsSince(
  tx: Tx,
  centralIds: readonly number[],
  since: Temporal.Instant,
): Promise<LivePosition[]> {
  return tx<LivePosition>`
    with carried as (
      select central_id, driver_id, jsonb_agg(jsonb_build_object('id', id, 'companyId', company_id) order by id) as deliveries
      from deliveries
      where central_id = any(${centralIds}::bigint[]) and status in ('accepted', 'on_hold', 'in_progress')
      group by central_id, driver_id)
    select p.central_id as "centralId", p.driver_id as "driverId", p.lat, p.lng, p.at,
      coalesce(carried.deliveries, '[]') as deliveries
    from driver_positions p left join carried using (central_id, driver_id)
    where p.central_id = any(${centralIds}::bigint[]) and p.at > ${since}`;
}
