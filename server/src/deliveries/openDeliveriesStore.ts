import type { Scope } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/request.ts';
import type { Status } from './status.ts';

/**
 * Until when the present step of an open delivery should be over, as SQL about a row of deliveries; `centralId` is the
 * parameter of its central. Nobody was promised these times: past them a delivery is late to an operator, who may
 * want to look after it. A rule of thumb, and generous: ordinary delays must
 * not be marked.
 */
export const dueAt = (centralId: string, delivery: string): string => `(case ${delivery}.status
  when 'awaiting_release' then coalesce(${delivery}.held_at, ${delivery}.requested_at)
    + interval '${RELEASE_MINUTES} minutes'
  when 'accepted' then ${delivery}.accepted_at + interval '${PICKUP_MINUTES} minutes'
    + make_interval(secs => ${delivery}.driver_to_pickup_metres / ${APPROACH_METRES_PER_SECOND})
  when 'on_hold' then ${delivery}.accepted_at + interval '${HOLD_MINUTES} minutes'
  when 'in_progress' then ${delivery}.started_at + make_interval(secs => ${delivery}.planned_seconds * ${ROAD_SLACK})
    + interval '${STOP_MINUTES} minutes' * (
      select count(*) from stops where central_id = ${centralId} and delivery_id = ${delivery}.id)
  else coalesce(${delivery}.search_since, ${delivery}.requested_at) + interval '${SEARCH_MINUTES} minutes' end)`;

const RELEASE_MINUTES = 10;
const SEARCH_MINUTES = 5;
/** To get going and to be handed the goods, beside the way there. */
const PICKUP_MINUTES = 12;
/** As the crow flies, on a vehicle in a city. */
const APPROACH_METRES_PER_SECOND = '4.0';
const HOLD_MINUTES = 30;
/** How much longer than planned the way may take, and how long a person at the door. */
const ROAD_SLACK = '1.3';
const STOP_MINUTES = 4;

/*
 * What goes on now. Both statements go through the index by status, with the statuses that are not over only: they
 * cost as much as is going on, whatever the history. Grouped deliveries appear within their carrier.
 */
const OPEN = `d.central_id = $1 and d.grouped_into is null and ($2::bigint is null or d.company_id = $2)
  and d.status in ('awaiting_release', 'distributing', 'offered', 'pending', 'accepted', 'on_hold', 'in_progress')`;

/** Through an index of the few stops that are to be checked. */
const HAS_UNSURE_ADDRESS = `((d.pickup_to_check and d.started_at is null) or exists (
    select from stops s where s.central_id = $1 and s.delivery_id = d.id and s.to_check and s.concluded_at is null))`;

/** The central, the company or null, and now. */
export const COUNT_OPEN = `
  select d.status, count(*) as count, count(*) filter (where ${dueAt('$1', 'd')} < $3) as late,
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
  /** An address was found less precisely than the central demands, and its stop is still open. */
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

const LIST = `
  select d.id, d.status, d.company_id as "companyId", customer.name as "customerName",
    category.name as "categoryName", driver.id as "driverId", driver.name as "driverName", d.payment,
    d.net_cents as "netCents", d.requested_at as "requestedAt", ${dueAt('$1', 'd')} as "dueAt",
    ${HAS_UNSURE_ADDRESS} as "hasUnsureAddress", d.pickup_to_check and d.started_at is null as "isPickupUnsure",
    d.pickup_address as address, d.pickup_district as district, d.pickup_lat as lat, d.pickup_lng as lng,
    (select json_agg(json_build_object('id', s.id, 'address', s.address, 'district', s.district, 'lat', s.lat,
        'lng', s.lng, 'concluded', s.concluded_at is not null and not s.not_delivered,
        'notDelivered', s.not_delivered, 'isUnsure', s.to_check and s.concluded_at is null) order by s.position)
      from stops s where s.central_id = $1 and s.delivery_id = d.id) as stops
  from (select d.* from deliveries d where ${OPEN} order by d.requested_at, d.id limit $3) d
  join customers customer on customer.central_id = $1 and customer.id = d.customer_id
  join categories category on category.central_id = $1 and category.id = d.category_id
  left join drivers driver on driver.central_id = $1 and driver.id = d.driver_id
  order by d.requested_at, d.id`;

/** The oldest first. */
export async function listOpen(
  tx: Tx,
  { centralId, companyId }: Scope,
  limit: number,
): Promise<OpenDelivery[]> {
  return tx.run<OpenDelivery>(LIST, [centralId, companyId, limit]);
}
