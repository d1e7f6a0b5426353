import { promisedAt } from '../../deliveries/deliveries/promise.ts';
import { hasDemands } from '../../deliveries/orders/demandStore.ts';
import type { FailureReason } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { EndedDelivery } from './tally.ts';

interface EndedRow extends Omit<EndedDelivery, 'pickup'> {
  lat: number;
  lng: number;
  stopsFailed: (FailureReason | null)[];
}

const PROMISED_AT = promisedAt(sql`d.requested_at`, sql`d.planned_seconds`, sql`stop.count`);

/**
 * The ended deliveries among the ids of `counted`. Each is found by its key, and so are its stops. A delivery
 * without a promise is measured by the one that its last plan would have given.
 */
const endedOf = (centralId: number, counted: Sql): Sql => sql`
  select d.id, d.status, d.company_id, d.driver_id, d.pickup_lat as lat,
    d.pickup_lng as lng, d.requested_at, d.accepted_at, d.started_at,
    coalesce(d.promised_at, ${PROMISED_AT}) as promised_at, d.cancellation_reason_id,
    case when d.grouped_into is null then d.separate_metres - d.planned_metres end as saved_metres,
    ${hasDemands(centralId)} and exists (
      select from stops s join stop_demands n on n.central_id = ${centralId} and n.stop_id = s.id
      where s.central_id = ${centralId} and s.ordered_with = d.id and not s.not_delivered
        and s.concluded_at > n.window_until) as missed_window,
    stop.delivered_at, stop.delivered as stops_delivered, stop.failed as stops_failed
  from ${counted} counted
  join deliveries d on d.central_id = ${centralId} and d.id = counted.id
    and d.status in ('finished', 'cancelled', 'not_attended')
  cross join lateral (
    select count(*) as count, max(s.concluded_at) filter (where not s.not_delivered) as delivered_at,
      count(s.concluded_at) filter (where not s.not_delivered) as delivered,
      coalesce(json_agg((
        select a.reason from stop_attempts a where a.central_id = ${centralId} and a.stop_id = s.id
        order by a.number desc limit 1)) filter (where s.not_delivered), '[]') as failed
    from stops s where s.central_id = ${centralId} and s.ordered_with = d.id) stop`;

const toEnded = ({ lat, lng, ...row }: EndedRow): EndedDelivery => ({ ...row, pickup: { lat, lng } });

/** Takes ended deliveries out of the queue. The caller holds the lock of the central's state. */
export async function takeQueued(tx: Tx, centralId: number, limit: number): Promise<EndedDelivery[]> {
  const rows = await tx.rows<EndedRow>`
    with counted as (
      delete from report_queue where central_id = ${centralId} and delivery_id in (
        select delivery_id from report_queue where central_id = ${centralId} order by delivery_id limit ${limit})
      returning delivery_id as id)
    ${endedOf(centralId, sql`counted`)}`;
  return rows.map(toEnded);
}

/**
 * The next ended deliveries after an id, and the last id examined; null: there are no more. One statement, so that it
 * sees an ended delivery if and only if it sees its row in the queue. Deliveries that end meanwhile are left to the queue.
 */
export async function takeHistory(
  tx: Tx,
  centralId: number,
  after: number,
  limit: number,
): Promise<{ to: number | null; ended: EndedDelivery[] }> {
  const rows = await tx.rows<EndedRow & { last: number | null }>`
    with counted as materialized (
      select id from deliveries where central_id = ${centralId} and id > ${after} order by id limit ${limit}),
    ended as materialized (${endedOf(centralId, sql`counted`)}),
    unqueued as (
      delete from report_queue where central_id = ${centralId} and delivery_id in (select id from ended))
    select (select max(id) from counted) as last, ended.*
    from (select) always left join ended on true`;
  const ended = rows.filter(({ id }) => id !== null).map(({ last: _last, ...row }) => toEnded(row));
  return { to: rows[0]!.last, ended };
}
