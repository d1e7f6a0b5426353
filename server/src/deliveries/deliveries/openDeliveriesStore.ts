import type { Scope } from '../../centrals/caller.ts';
import type { Position } from '../../platform/kernel/position.ts';
import type { FailureDecision, FailureReason } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { Payment } from '../orders/request.ts';
import { dueAt, isLateSql } from './deadlineStore.ts';
import type { Status } from './status.ts';

/*
 * Open deliveries. Both statements use the index by status with open statuses only, so their cost depends on the number
 * of open deliveries and not on the history. Grouped deliveries appear within their carrier.
 */
const open = ({ companyId }: Scope): Sql => sql`d.grouped_into is null
  and (${companyId}::bigint is null or d.company_id = ${companyId})
  and d.status in ('awaiting_release', 'distributing', 'offered', 'pending', 'accepted', 'on_hold', 'in_progress')`;

/** Uses an index of the few stops whose address must be checked. */
const hasUnsureAddress = (
  centralId: number,
): Sql => sql`((d.pickup_to_check and d.started_at is null) or exists (
    select from stops s
    where s.central_id = ${centralId} and s.delivery_id = d.id and s.to_check and s.concluded_at is null))`;

export const countOpenSql = (scope: Scope, now: Temporal.Instant): Sql => sql`
  select d.status, count(*) as count, count(*) filter (where ${isLateSql(scope.centralId, now)}) as late,
    count(*) filter (where ${hasUnsureAddress(scope.centralId)}) as unsure
  from deliveries d where d.central_id = ${scope.centralId} and ${open(scope)} group by d.status`;

export const countOpen = (
  tx: Tx,
  scope: Scope,
  now: Temporal.Instant,
): Promise<{ status: Status; count: number; late: number; unsure: number }[]> =>
  tx.rows`${countOpenSql(scope, now)}`;

export interface OpenDelivery {
  id: number;
  status: Status;
  companyId: number | null;
  customerName: string;
  categoryId: number;
  categoryName: string;
  driverId: number | null;
  driverName: string | null;
  driverCategoryIds: readonly number[];
  payment: Payment;
  netCents: number;
  requestedAt: Temporal.Instant;
  /** Since when it waits for its release or, as the customer does, for a driver, or is with its driver. */
  statusSince: Temporal.Instant;
  dueAt: Temporal.Instant;
  promisedAt: Temporal.Instant | null;
  acceptedAt: Temporal.Instant | null;
  hasArrived: boolean;
  returning: boolean;
  plannedSeconds: number;
  /** The last position of its driver. */
  driverAt: Position | null;
  /** Whether the address of an open stop was found less precisely than the central demands. */
  hasUnsureAddress: boolean;
  isPickupUnsure: boolean;
  address: string;
  district: string;
  lat: number;
  lng: number;
  stops: readonly OpenStop[];
}

export interface OpenStop {
  id: number;
  orderNumber: string | null;
  recipientName: string | null;
  address: string;
  district: string;
  lat: number;
  lng: number;
  /** Whether the goods were handed over. */
  concluded: boolean;
  isUnsure: boolean;
  notDelivered: boolean;
}

const categoryIdsOf = (centralId: number, driverId: Sql): Sql => sql`(
  select coalesce(json_agg(c.category_id order by c.category_id), '[]') from driver_categories c
  where c.central_id = ${centralId} and c.driver_id = ${driverId})`;

/** Available drivers without a delivery whose position is known. */
export const listIdle = (
  tx: Tx,
  centralId: number,
  limit: number,
): Promise<{ lat: number; lng: number; categoryIds: readonly number[] }[]> =>
  tx.rows`
    select at.lat, at.lng, ${categoryIdsOf(centralId, sql`driver.id`)} as category_ids
    from drivers driver
    join driver_positions at on at.central_id = ${centralId} and at.driver_id = driver.id
    where driver.central_id = ${centralId} and driver.active and driver.available and not exists (
      select from deliveries d
      where d.central_id = ${centralId} and d.driver_id = driver.id and d.grouped_into is null
        and d.status in ('accepted', 'on_hold', 'in_progress'))
    order by at.at desc limit ${limit}`;

/**
 * `offset 0` keeps the planner from reading the index by time, oldest first, until it has found enough that are open:
 * that would be the whole history.
 */
export function listOpenSql(scope: Scope, limit: number): Sql {
  const { centralId } = scope;
  return sql`
    select d.id, d.status, d.company_id, customer.name as customer_name,
      d.category_id, category.name as category_name, driver.id as driver_id, driver.name as driver_name, ${categoryIdsOf(centralId, sql`d.driver_id`)} as driver_category_ids, d.payment,
      d.net_cents, d.requested_at, ${dueAt(centralId)} as due_at,
      d.promised_at, d.accepted_at, (case d.status
        when 'awaiting_release' then coalesce(d.held_at, d.requested_at)
        when 'accepted' then d.accepted_at
        when 'on_hold' then d.accepted_at
        when 'in_progress' then d.started_at
        else d.requested_at end) as status_since,
      d.arrived_at is not null as has_arrived, d.has_return as returning, d.planned_seconds,
      case when at.driver_id is not null then json_build_object('lat', at.lat, 'lng', at.lng) end as driver_at,
      ${hasUnsureAddress(centralId)} as has_unsure_address, d.pickup_to_check and d.started_at is null as is_pickup_unsure,
      d.pickup_address as address, d.pickup_district as district, d.pickup_lat as lat, d.pickup_lng as lng,
      (select json_agg(json_build_object('id', s.id, 'address', s.address, 'district', s.district, 'lat', s.lat,
          'lng', s.lng, 'orderNumber', s.order_number, 'recipientName', s.recipient_name, 'concluded', s.concluded_at is not null and not s.not_delivered,
          'notDelivered', s.not_delivered, 'isUnsure', s.to_check and s.concluded_at is null) order by s.position)
        from stops s where s.central_id = ${centralId} and s.delivery_id = d.id) as stops
    from (
      select d.* from (select d.* from deliveries d where d.central_id = ${centralId} and ${open(scope)} offset 0) d
      order by d.requested_at, d.id limit ${limit}) d
    join customers customer on customer.central_id = ${centralId} and customer.id = d.customer_id
    join categories category on category.central_id = ${centralId} and category.id = d.category_id
    left join drivers driver on driver.central_id = ${centralId} and driver.id = d.driver_id
    left join driver_positions at on at.central_id = ${centralId} and at.driver_id = d.driver_id
    order by d.requested_at, d.id`;
}

/** The oldest first. */
export const listOpen = (tx: Tx, scope: Scope, limit: number): Promise<OpenDelivery[]> =>
  tx.rows<OpenDelivery>`${listOpenSql(scope, limit)}`;

/** A stop that was not delivered and not resolved yet. */
export interface UnresolvedFailure {
  stopId: number;
  deliveryId: number;
  status: Status;
  customerName: string;
  recipientName: string | null;
  recipientPhone: string | null;
  address: string;
  district: string;
  driverName: string | null;
  reason: FailureReason;
  note: string | null;
  attempt: number;
  decision: FailureDecision;
  happenedAt: Temporal.Instant;
}

// The partial index holds only unresolved failures, so neither statement reads the history.
const unresolved = ({ centralId, companyId }: Scope): Sql => sql`
  from stop_attempts a
  join stops s on s.central_id = ${centralId} and s.id = a.stop_id
  join deliveries d on d.central_id = ${centralId} and d.id = s.delivery_id
  where a.central_id = ${centralId} and a.decision <> 'retry' and a.undone_at is null and a.resolved_at is null
    and d.personal_data_removed_at is null and (${companyId}::bigint is null or d.company_id = ${companyId})`;

export async function countFailures(tx: Tx, scope: Scope): Promise<number> {
  const row = await tx.row<{ count: number }>`select count(*) as count ${unresolved(scope)}`;
  return row!.count;
}

/** The oldest first. */
export const listFailures = (tx: Tx, scope: Scope, limit: number): Promise<UnresolvedFailure[]> =>
  tx.rows<UnresolvedFailure>`
    select failure.stop_id, failure.delivery_id, failure.status, failure.recipient_name, failure.recipient_phone,
      failure.address, failure.district, failure.reason, failure.note, failure.attempt, failure.decision,
      failure.happened_at, customer.name as customer_name, driver.name as driver_name
    from (select s.id as stop_id, s.delivery_id, d.status, d.customer_id, a.driver_id,
        s.recipient_name, s.recipient_phone, s.address, s.district, a.reason,
        a.note, a.number as attempt, a.decision, a.happened_at, a.recorded_at
      ${unresolved(scope)}
      order by a.recorded_at, a.stop_id limit ${limit}) failure
    join customers customer on customer.central_id = ${scope.centralId} and customer.id = failure.customer_id
    left join drivers driver on driver.central_id = ${scope.centralId} and driver.id = failure.driver_id
    order by failure.recorded_at, failure.stop_id`;
