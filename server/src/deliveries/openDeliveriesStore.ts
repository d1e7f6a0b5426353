import type { Scope } from '../centrals/caller.ts';
import type { Position } from '../kernel/position.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/request.ts';
import { dueAt } from './deadlineStore.ts';
import type { Status } from './status.ts';

/*
 * Open deliveries. Both statements use the index by status with open statuses only, so their cost depends on the number
 * of open deliveries and not on the history. Grouped deliveries appear within their carrier.
 */
const OPEN = `d.central_id = $1 and d.grouped_into is null and ($2::bigint is null or d.company_id = $2)
  and d.status in ('awaiting_release', 'distributing', 'offered', 'pending', 'accepted', 'on_hold', 'in_progress')`;

/** Uses an index of the few stops whose address must be checked. */
const HAS_UNSURE_ADDRESS = `((d.pickup_to_check and d.started_at is null) or exists (
    select from stops s where s.central_id = $1 and s.delivery_id = d.id and s.to_check and s.concluded_at is null))`;

/** Parameters: the central, the company or null, and now. */
export const COUNT_OPEN = `
  select d.status, count(*) as count, count(*) filter (where least(${dueAt('$1', 'd')}, d.promised_at) < $3) as late,
    count(*) filter (where ${HAS_UNSURE_ADDRESS}) as unsure
  from deliveries d where ${OPEN} group by d.status`;

export async function countOpen(
  tx: Tx,
  { centralId, companyId }: Scope,
  now: Temporal.Instant,
): Promise<{ status: Status; count: number; late: number; unsure: number }[]> {
  return tx.run(COUNT_OPEN, [centralId, companyId, now]);
}

export interface OpenDelivery {
  id: number;
  status: Status;
  companyId: number | null;
  customerName: string;
  categoryName: string;
  driverId: number | null;
  driverName: string | null;
  payment: Payment;
  netCents: number;
  requestedAt: Temporal.Instant;
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
  address: string;
  district: string;
  lat: number;
  lng: number;
  /** Handed over. */
  concluded: boolean;
  isUnsure: boolean;
  notDelivered: boolean;
}

/**
 * The central, the company or null, and the limit. `offset 0` keeps the planner from reading the index by time, oldest
 * first, until it has found enough that are open: that would be the whole history.
 */
export const LIST_OPEN = `
  select d.id, d.status, d.company_id as "companyId", customer.name as "customerName",
    category.name as "categoryName", driver.id as "driverId", driver.name as "driverName", d.payment,
    d.net_cents as "netCents", d.requested_at as "requestedAt", ${dueAt('$1', 'd')} as "dueAt",
    d.promised_at as "promisedAt", d.accepted_at as "acceptedAt",
    d.arrived_at is not null as "hasArrived", d.has_return as returning, d.planned_seconds as "plannedSeconds",
    case when at.driver_id is not null then json_build_object('lat', at.lat, 'lng', at.lng) end as "driverAt",
    ${HAS_UNSURE_ADDRESS} as "hasUnsureAddress", d.pickup_to_check and d.started_at is null as "isPickupUnsure",
    d.pickup_address as address, d.pickup_district as district, d.pickup_lat as lat, d.pickup_lng as lng,
    (select json_agg(json_build_object('id', s.id, 'address', s.address, 'district', s.district, 'lat', s.lat,
        'lng', s.lng, 'concluded', s.concluded_at is not null and not s.not_delivered,
        'notDelivered', s.not_delivered, 'isUnsure', s.to_check and s.concluded_at is null) order by s.position)
      from stops s where s.central_id = $1 and s.delivery_id = d.id) as stops
  from (
    select d.* from (select d.* from deliveries d where ${OPEN} offset 0) d
    order by d.requested_at, d.id limit $3) d
  join customers customer on customer.central_id = $1 and customer.id = d.customer_id
  join categories category on category.central_id = $1 and category.id = d.category_id
  left join drivers driver on driver.central_id = $1 and driver.id = d.driver_id
  left join driver_positions at on at.central_id = $1 and at.driver_id = d.driver_id
  order by d.requested_at, d.id`;

/** The oldest first. */
export async function listOpen(
  tx: Tx,
  { centralId, companyId }: Scope,
  limit: number,
): Promise<OpenDelivery[]> {
  return tx.run<OpenDelivery>(LIST_OPEN, [centralId, companyId, limit]);
}
