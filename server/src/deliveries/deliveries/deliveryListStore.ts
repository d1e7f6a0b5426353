import type { Scope } from '../../centrals/caller.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import {
  countUpTo,
  equalsIfGiven,
  isAmong,
  isOneIfGiven,
  type KeysetList,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../../platform/postgres/keysetPage.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { Payment } from '../orders/request.ts';
import { dueAt } from './deadlineStore.ts';
import { isOver, type Status } from './status.ts';

export interface DeliveryListFilter {
  /** Only these deliveries, found by a search; null: all. */
  ids: readonly number[] | null;
  companyId: number | null;
  driverId: number | null;
  /** Null: all. */
  statuses: readonly Status[] | null;
  payment: Payment | null;
  /** The range of the time of the order; `until` is excluded. */
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
  oldestFirst: boolean;
}

export interface ListedDelivery {
  id: number;
  status: Status;
  groupedInto: number | null;
  scheduledId: number | null;
  companyId: number | null;
  customerName: string;
  categoryName: string;
  driverId: number | null;
  driverName: string | null;
  payment: Payment;
  /** 0 for a grouped delivery, whose price is part of its carrier's. */
  netCents: number;
  requestedAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
  /** When its current step should be over; null once the delivery is over. */
  dueAt: Temporal.Instant | null;
  promisedAt: Temporal.Instant | null;
  pickupAddress: string;
  pickupDistrict: string;
  stops: number;
  /** This and the following fields are those of its first stop. */
  address: string | null;
  district: string | null;
  recipientName: string | null;
  orderNumber: string | null;
}

const entry = (centralId: number) => sql`
  d.id, d.status, d.grouped_into, d.scheduled_id, d.company_id,
  customer.name as customer_name, category.name as category_name, driver.id as driver_id,
  driver.name as driver_name, d.payment,
  case when d.grouped_into is null then d.net_cents else 0 end as net_cents, d.requested_at,
  coalesce(d.finished_at, d.cancelled_at, d.not_attended_at) as ended_at,
  case when d.status not in ('finished', 'cancelled', 'not_attended') then ${dueAt(centralId)} end as due_at,
  d.promised_at,
  d.pickup_address, d.pickup_district, stop.count as stops,
  stop.address, stop.district, stop.recipient_name, stop.order_number`;

/** A grouped delivery shows the stops that were ordered with it, which its carrier carries. */
const joins = (centralId: number) => sql`
  join customers customer on customer.central_id = ${centralId} and customer.id = d.customer_id
  join categories category on category.central_id = ${centralId} and category.id = d.category_id
  left join drivers driver on driver.central_id = ${centralId} and driver.id = d.driver_id
  left join lateral (
    select count(*) over () as count, s.address, s.district, s.recipient_name, s.order_number from stops s
    where s.central_id = ${centralId} and s.delivery_id = coalesce(d.grouped_into, d.id)
      and (d.grouped_into is null or s.ordered_with = d.id)
    order by s.position limit 1) stop on true`;

/**
 * The filter that is likely to leave the fewest rows: what a search found, what goes on now, a driver's, a company's.
 */
function leadsOf(
  scope: Scope,
  filter: DeliveryListFilter,
): { leads: Sql[]; of: keyof DeliveryListFilter | null } {
  const byStatus = (filter.statuses ?? []).map((status) => sql`status = ${status}`);
  const companyId = scope.companyId ?? filter.companyId;
  if (filter.ids) return { leads: [isAmong(filter.ids)], of: 'ids' };
  if (filter.statuses?.every((status) => !isOver(status))) return { leads: byStatus, of: 'statuses' };
  // A company's caller may examine only the company's rows, which the index by driver does not separate.
  if (filter.driverId !== null && scope.companyId === null)
    return { leads: [sql`driver_id = ${filter.driverId}`], of: 'driverId' };
  if (companyId !== null) return { leads: [sql`company_id = ${companyId}`], of: 'companyId' };
  if (filter.statuses) return { leads: byStatus, of: 'statuses' };
  if (filter.payment) return { leads: [sql`payment = ${filter.payment}`], of: 'payment' };
  return { leads: [], of: null };
}

/** Each lead has an index: the primary key, deliveries_by_status, _by_driver, _by_company, _by_payment and _newest. */
function keysetOf(scope: Scope, filter: DeliveryListFilter): KeysetList {
  const { leads, of } = leadsOf(scope, filter);
  const checked = (['companyId', 'driverId', 'statuses', 'payment'] as const).some(
    (name) => name !== of && filter[name] !== null,
  );
  const isOtherCompany = scope.companyId !== null && filter.companyId !== null;
  return {
    table: 'deliveries',
    order: { by: 'requested_at', type: 'timestamptz', number: 'id', descending: !filter.oldestFirst },
    leads,
    within: scope.companyId === null ? null : sql`company_id = ${scope.companyId}`,
    checks:
      checked || isOtherCompany
        ? [
            equalsIfGiven('company_id', 'bigint', filter.companyId),
            equalsIfGiven('driver_id', 'bigint', filter.driverId),
            isOneIfGiven('status', filter.statuses),
            equalsIfGiven('payment', 'text', filter.payment),
          ]
        : [],
    from: filter.from?.toString() ?? null,
    until: filter.until?.toString() ?? null,
  };
}

/** Deliveries by the time of their order, including those grouped into others. */
export const listDeliveries = (
  tx: Tx,
  scope: Scope,
  filter: DeliveryListFilter,
  request: SliceRequest,
): Promise<Slice<ListedDelivery>> =>
  readSlice(
    tx,
    scope.centralId,
    keysetOf(scope, filter),
    request,
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys})
      select ${entry(scope.centralId)}, ${columns}
      from page join deliveries d on d.central_id = ${scope.centralId} and d.id = page.id ${joins(scope.centralId)}
      ${sorted}`,
  );

export const countDeliveries = (tx: Tx, scope: Scope, filter: DeliveryListFilter, max: number) =>
  countUpTo(tx, scope.centralId, keysetOf(scope, filter), max);

/** A delivery for which no driver was found, and which was neither ordered again nor dismissed. */
export interface NotAttended {
  id: number;
  companyId: number | null;
  customerName: string;
  requestedAt: Temporal.Instant;
  notAttendedAt: Temporal.Instant;
}

/** Deliveries ordered since an instant, newest first, through the index by status and time. */
export async function listNotAttended(
  tx: Tx,
  { centralId, companyId }: Scope,
  since: Temporal.Instant,
  limit: number,
): Promise<NotAttended[]> {
  return tx.rows<NotAttended>`
    select d.id, d.company_id, customer.name as customer_name, d.requested_at,
      d.not_attended_at
    from (
      select * from deliveries
      where central_id = ${centralId} and status = 'not_attended' and requested_at > ${since}
        and ordered_again_as is null and dismissed_at is null and grouped_into is null
        and personal_data_removed_at is null
        and (${companyId}::bigint is null or company_id = ${companyId})
      order by requested_at desc, id desc limit ${limit}) d
    join customers customer on customer.central_id = ${centralId} and customer.id = d.customer_id
    order by d.requested_at desc, d.id desc`;
}
