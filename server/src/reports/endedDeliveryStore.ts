import { promisedAtSql } from '../deliveries/promise.ts';
import type { FailureReason } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import type { EndedDelivery } from './tally.ts';

interface EndedRow extends Omit<EndedDelivery, 'pickup'> {
  lat: number;
  lng: number;
  stopsFailed: (FailureReason | null)[];
}

/**
 * The ended deliveries among the ids of `counted`. Each is found by its key, and so are its stops. A delivery from
 * before promises were stored is measured by the promise that its last plan would have given.
 */
const endedSql = (counted: string): string => `
  select d.id, d.status, d.company_id as "companyId", d.driver_id as "driverId", d.pickup_lat as lat,
    d.pickup_lng as lng, d.requested_at as "requestedAt", d.accepted_at as "acceptedAt", d.started_at as "startedAt",
    coalesce(d.promised_at, ${promisedAtSql('d.requested_at', 'd.planned_seconds', 'stop.count')}) as "promisedAt",
    d.cancellation_reason_id as "cancellationReasonId",
    case when d.grouped_into is null then d.separate_metres - d.planned_metres end as "savedMetres",
    stop.delivered_at as "deliveredAt", stop.delivered as "stopsDelivered", stop.failed as "stopsFailed"
  from ${counted} counted
  join deliveries d on d.central_id = $1 and d.id = counted.id
    and d.status in ('finished', 'cancelled', 'not_attended')
  cross join lateral (
    select count(*) as count, max(s.concluded_at) filter (where not s.not_delivered) as delivered_at,
      count(s.concluded_at) filter (where not s.not_delivered) as delivered,
      coalesce(json_agg((
        select a.reason from stop_attempts a where a.central_id = $1 and a.stop_id = s.id
        order by a.number desc limit 1)) filter (where s.not_delivered), '[]') as failed
    from stops s where s.central_id = $1 and s.ordered_with = d.id) stop`;

const toEnded = ({ lat, lng, ...row }: EndedRow): EndedDelivery => ({ ...row, pickup: { lat, lng } });

const TAKE_QUEUED = `
  with counted as (
    delete from report_queue where central_id = $1 and delivery_id in (
      select delivery_id from report_queue where central_id = $1 order by delivery_id limit $2)
    returning delivery_id as id)
  ${endedSql('counted')}`;

/** Takes ended deliveries out of the queue. The caller holds the lock of the central's state. */
export async function takeQueued(tx: Tx, centralId: number, limit: number): Promise<EndedDelivery[]> {
  return (await tx.run<EndedRow>(TAKE_QUEUED, [centralId, limit])).map(toEnded);
}

/*
 * One statement, so that it sees an ended delivery if and only if it sees its row in the queue. Deliveries that end
 * meanwhile are left to the queue.
 */
const TAKE_HISTORY = `
  with counted as materialized (
    select id from deliveries where central_id = $1 and id > $2 order by id limit $3),
  ended as materialized (${endedSql('counted')}),
  unqueued as (
    delete from report_queue where central_id = $1 and delivery_id in (select id from ended))
  select (select max(id) from counted) as "to", ended.*
  from (select) always left join ended on true`;

/** The next ended deliveries after an id, and the last id examined; null: there are no more. */
export async function takeHistory(
  tx: Tx,
  centralId: number,
  after: number,
  limit: number,
): Promise<{ to: number | null; ended: EndedDelivery[] }> {
  const rows = await tx.run<EndedRow & { to: number | null }>(TAKE_HISTORY, [centralId, after, limit]);
  const ended = rows.filter(({ id }) => id !== null).map(({ to: _to, ...row }) => toEnded(row));
  return { to: rows[0]!.to, ended };
}
