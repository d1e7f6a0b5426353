import type { Scope } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';
import {
  type Condition,
  countUpTo,
  equals,
  equalsIfGiven,
  isAmong,
  type KeysetList,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../postgres/keysetPage.ts';
import type { Payment } from '../requests/request.ts';
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
  /** The earlier of the promised time and the time of its step; null once it is over. */
  dueAt: Temporal.Instant | null;
  pickupAddress: string;
  pickupDistrict: string;
  stops: number;
  /** This and the following fields are those of its first stop. */
  address: string | null;
  district: string | null;
  recipientName: string | null;
  orderNumber: string | null;
}

const ENTRY = `
  d.id, d.status, d.grouped_into as "groupedInto", d.scheduled_id as "scheduledId", d.company_id as "companyId",
  customer.name as "customerName", category.name as "categoryName", driver.id as "driverId",
  driver.name as "driverName", d.payment,
  case when d.grouped_into is null then d.net_cents else 0 end as "netCents", d.requested_at as "requestedAt",
  coalesce(d.finished_at, d.cancelled_at, d.not_attended_at) as "endedAt",
  case when d.status not in ('finished', 'cancelled', 'not_attended') then least(${dueAt('$1', 'd')}, d.promised_at) end as "dueAt",
  d.pickup_address as "pickupAddress", d.pickup_district as "pickupDistrict", stop.count as stops,
  stop.address, stop.district, stop.recipient_name as "recipientName", stop.order_number as "orderNumber"`;

/** A grouped delivery shows the stops that were ordered with it, which its carrier carries. */
const JOINS = `
  join customers customer on customer.central_id = $1 and customer.id = d.customer_id
  join categories category on category.central_id = $1 and category.id = d.category_id
  left join drivers driver on driver.central_id = $1 and driver.id = d.driver_id
  left join lateral (
    select count(*) over () as count, s.address, s.district, s.recipient_name, s.order_number from stops s
    where s.central_id = $1 and s.delivery_id = coalesce(d.grouped_into, d.id)
      and (d.grouped_into is null or s.ordered_with = d.id)
    order by s.position limit 1) stop on true`;

/**
 * The filter that is likely to leave the fewest rows: what a search found, what goes on now, a driver's, a company's.
 */
function leadsOf(
  scope: Scope,
  filter: DeliveryListFilter,
): { leads: Condition[]; of: keyof DeliveryListFilter | null } {
  const byStatus = (filter.statuses ?? []).map((status) => ({ sql: equals('status'), value: status }));
  const companyId = scope.companyId ?? filter.companyId;
  if (filter.ids) return { leads: [isAmong(filter.ids)], of: 'ids' };
  if (filter.statuses?.every((status) => !isOver(status))) return { leads: byStatus, of: 'statuses' };
  // A company's caller may examine only the company's rows, which the index by driver does not separate.
  if (filter.driverId !== null && scope.companyId === null)
    return { leads: [{ sql: equals('driver_id'), value: filter.driverId }], of: 'driverId' };
  if (companyId !== null)
    return { leads: [{ sql: equals('company_id'), value: companyId }], of: 'companyId' };
  if (filter.statuses) return { leads: byStatus, of: 'statuses' };
  if (filter.payment) return { leads: [{ sql: equals('payment'), value: filter.payment }], of: 'payment' };
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
    within: scope.companyId === null ? null : { sql: equals('company_id'), value: scope.companyId },
    checks:
      checked || isOtherCompany
        ? [
            { sql: equalsIfGiven('company_id', 'bigint'), value: filter.companyId },
            { sql: equalsIfGiven('driver_id', 'bigint'), value: filter.driverId },
            {
              sql: (parameter) => `(${parameter}::text[] is null or status = any(${parameter}::text[]))`,
              value: filter.statuses,
            },
            { sql: equalsIfGiven('payment', 'text'), value: filter.payment },
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
    ({ keys, columns, sorted }) => `
      with page as materialized (${keys})
      select ${ENTRY}, ${columns} from page join deliveries d on d.central_id = $1 and d.id = page.id ${JOINS}
      ${sorted}`,
  );

export const countDeliveries = (tx: Tx, scope: Scope, filter: DeliveryListFilter, max: number) =>
  countUpTo(tx, scope.centralId, keysetOf(scope, filter), max);
