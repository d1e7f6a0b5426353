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
import type { Situation } from './scheduled.ts';

export interface ScheduledPageFilter {
  /** Only these, found by a search; null: all. */
  ids: readonly number[] | null;
  companyId: number | null;
  /** Null: all. */
  situations: readonly Situation[] | null;
  payment: Payment | null;
  /** The range of the dispatch; `until` is excluded. */
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
  earliestFirst: boolean;
}

export interface ListedScheduled {
  id: number;
  situation: Situation;
  dispatchAt: Temporal.Instant;
  requestedAt: Temporal.Instant;
  companyId: number | null;
  customerName: string;
  categoryName: string;
  payment: Payment;
  netCents: number;
  deliveryId: number | null;
  groupedInto: number | null;
  failure: string | null;
  pickupAddress: string;
  pickupDistrict: string;
  stops: number | null;
  /** This and the following field are those of its first stop. */
  address: string | null;
  district: string | null;
}

/** Each lead has an index: the primary key, scheduled_by_situation, _by_company and _newest. */
function keysetOf(scope: Scope, filter: ScheduledPageFilter): KeysetList {
  const companyId = scope.companyId ?? filter.companyId;
  const isBySituation =
    filter.ids === null &&
    filter.situations !== null &&
    (companyId === null || filter.situations.join() === 'awaiting');
  const leads: Condition[] = filter.ids
    ? [isAmong(filter.ids)]
    : isBySituation
      ? filter.situations!.map((situation) => ({ sql: equals('situation'), value: situation }))
      : companyId === null
        ? []
        : [{ sql: equals('company_id'), value: companyId }];
  const isChecked =
    filter.payment !== null ||
    (filter.companyId !== null && (filter.ids !== null || isBySituation || scope.companyId !== null)) ||
    (!isBySituation && filter.situations !== null);
  return {
    table: 'scheduled',
    order: { by: 'dispatch_at', type: 'timestamptz', number: 'id', descending: !filter.earliestFirst },
    leads,
    within: scope.companyId === null ? null : { sql: equals('company_id'), value: scope.companyId },
    checks: isChecked
      ? [
          { sql: equalsIfGiven('company_id', 'bigint'), value: filter.companyId },
          {
            sql: (parameter) => `(${parameter}::text[] is null or situation = any(${parameter}::text[]))`,
            value: filter.situations,
          },
          { sql: equalsIfGiven('payment', 'text'), value: filter.payment },
        ]
      : [],
    from: filter.from?.toString() ?? null,
    until: filter.until?.toString() ?? null,
  };
}

/** Scheduled deliveries by their dispatch. Grouped ones show the delivery that their grouper became. */
export const listScheduledPage = (
  tx: Tx,
  scope: Scope,
  filter: ScheduledPageFilter,
  request: SliceRequest,
): Promise<Slice<ListedScheduled>> =>
  readSlice(
    tx,
    scope.centralId,
    keysetOf(scope, filter),
    request,
    ({ keys, columns, sorted }) => `
      with page as materialized (${keys})
      select s.id, s.situation, s.dispatch_at as "dispatchAt", s.requested_at as "requestedAt",
        s.company_id as "companyId", customer.name as "customerName", category.name as "categoryName", s.payment,
        s.net_cents as "netCents", coalesce(s.delivery_id, grouper.delivery_id) as "deliveryId",
        s.grouped_into as "groupedInto", s.failure, s.pickup_address as "pickupAddress",
        s.pickup_district as "pickupDistrict", stop.count as stops, stop.address, stop.district, ${columns}
      from page join scheduled s on s.central_id = $1 and s.id = page.id
      join customers customer on customer.central_id = $1 and customer.id = s.customer_id
      join categories category on category.central_id = $1 and category.id = s.category_id
      left join scheduled grouper on grouper.central_id = $1 and grouper.id = s.grouped_into
      left join lateral (
        select count(*) over () as count, p.address, p.district from scheduled_stops p
        where p.central_id = $1 and p.scheduled_id = coalesce(s.grouped_into, s.id)
          and (s.grouped_into is null or p.ordered_with = s.id)
        order by p.position limit 1) stop on true
      ${sorted}`,
  );

export const countScheduledPage = (tx: Tx, scope: Scope, filter: ScheduledPageFilter, max: number) =>
  countUpTo(tx, scope.centralId, keysetOf(scope, filter), max);
