import type { Scope } from '../../centrals/caller.ts';
import type { LocatedRow } from '../../platform/kernel/postalAddress.ts';
import type { Situation } from '../../platform/kernel/states.ts';
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
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import { type DemandsJson, demandsJson, readDemands } from '../orders/demandStore.ts';
import type { Demands } from '../orders/demands.ts';
import type { Payment } from '../orders/request.ts';

/** A stop in the list of scheduled deliveries. */
export interface ScheduledListStop extends LocatedRow {
  id: number;
  orderedWith: number;
  orderNumber: string | null;
  externalId: string | null;
  recipientName: string | null;
  recipientPhone: string | null;
  note: string | null;
  collectCents: number | null;
  demands: Demands | null;
}

/** A scheduled delivery with everything for planning the day. */
export interface ScheduledListEntry {
  id: number;
  situation: Situation;
  dispatchAt: Temporal.Instant;
  requestedAt: Temporal.Instant;
  companyId: number | null;
  companyName: string | null;
  externalId: string | null;
  customerName: string;
  categoryId: number;
  categoryName: string;
  tariffName: string;
  couponCode: string | null;
  payment: Payment;
  returning: boolean;
  note: string | null;
  plannedMetres: number;
  plannedSeconds: number;
  grossCents: number;
  netCents: number;
  estimateOutdated: boolean;
  deliveryId: number | null;
  groupedInto: number | null;
  groupedAutomatically: boolean;
  /** The scheduled deliveries whose stops it carries. */
  carries: readonly number[];
  failure: string | null;
  pickup: LocatedRow;
  stops: readonly ScheduledListStop[];
}

type EntryRow = Omit<ScheduledListEntry, 'stops'> & {
  stops: readonly (Omit<ScheduledListStop, 'demands'> & { demands: DemandsJson | null })[];
};

const toEntry = (row: EntryRow): ScheduledListEntry => ({
  ...row,
  stops: row.stops.map((stop) => ({ ...stop, demands: readDemands(stop.demands) })),
});

export interface ScheduledListFilter {
  situation: Situation | null;
  companyId: number | null;
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
}

/** A grouped scheduled delivery shows the delivery that its grouper became, which carries its stops. */
const entry = (centralId: number): Sql => sql`
  s.id, s.situation, s.dispatch_at, s.requested_at, s.company_id, s.external_id,
  company.name as company_name, customer.name as customer_name, s.category_id,
  category.name as category_name, tariff.name as tariff_name, coupon.code as coupon_code, s.payment,
  s.has_return as returning, s.note, s.planned_metres, s.planned_seconds,
  s.gross_cents, s.net_cents, s.estimate_outdated,
  coalesce(s.delivery_id, grouper.delivery_id) as delivery_id, s.grouped_into,
  s.grouped_automatically, s.failure,
  jsonb_build_object('address', s.pickup_address, 'complement', s.pickup_complement, 'reference', s.pickup_reference,
    'district', s.pickup_district, 'city', s.pickup_city, 'state', s.pickup_state, 'lat', s.pickup_lat,
    'lng', s.pickup_lng) as pickup,
  (select coalesce(jsonb_agg(other.id order by other.id), '[]') from scheduled other
    where other.central_id = ${centralId} and other.grouped_into = s.id and other.situation = 'grouped') as carries,
  (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'orderedWith', p.ordered_with, 'address', p.address,
      'complement', p.complement, 'reference', p.reference, 'district', p.district, 'city', p.city,
      'state', p.state, 'lat', p.lat, 'lng', p.lng, 'orderNumber', p.order_number, 'externalId', p.external_id,
      'recipientName', p.recipient_name, 'recipientPhone', p.recipient_phone, 'note', p.note,
      'collectCents', p.collect_cents, 'demands', ${demandsJson(centralId, sql`p.id`)}) order by p.position), '[]')
    from scheduled_stops p where p.central_id = ${centralId} and p.scheduled_id = s.id) as stops`;

const joins = (centralId: number): Sql => sql`
  join customers customer on customer.central_id = ${centralId} and customer.id = s.customer_id
  join categories category on category.central_id = ${centralId} and category.id = s.category_id
  join tariffs tariff on tariff.central_id = ${centralId} and tariff.id = s.tariff_id
  left join companies company on company.central_id = ${centralId} and company.id = s.company_id
  left join coupons coupon on coupon.central_id = ${centralId} and coupon.id = s.coupon_id
  left join scheduled grouper on grouper.central_id = ${centralId} and grouper.id = s.grouped_into`;

/** Awaiting ones are ordered by their dispatch, the next one first; otherwise the latest comes first. */
export async function listScheduledEntries(
  tx: Tx,
  { centralId, companyId }: Scope,
  filter: ScheduledListFilter,
  page: { limit: number; offset: number },
): Promise<ScheduledListEntry[]> {
  const direction = raw(filter.situation === 'awaiting' ? 'asc' : 'desc');
  // A constant of this code, not input. As a parameter, the partial indexes by situation could not be used.
  const situated = raw(filter.situation === null ? '' : `and situation = '${filter.situation}'`);
  const rows = await tx.rows<EntryRow>`
    with page as materialized (
      select id from scheduled
      where central_id = ${centralId} and (${companyId}::bigint is null or company_id = ${companyId})
        and (${filter.companyId}::bigint is null or company_id = ${filter.companyId})
        and (${filter.from}::timestamptz is null or dispatch_at >= ${filter.from})
        and (${filter.until}::timestamptz is null or dispatch_at < ${filter.until})
        ${situated}
      order by dispatch_at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset})
    select ${entry(centralId)}
    from page join scheduled s on s.central_id = ${centralId} and s.id = page.id ${joins(centralId)}
    order by s.dispatch_at ${direction}, s.id ${direction}`;
  return rows.map(toEntry);
}

export async function findScheduledEntry(
  tx: Tx,
  { centralId, companyId }: Scope,
  id: number,
): Promise<ScheduledListEntry | undefined> {
  const row = await tx.row<EntryRow>`
    select ${entry(centralId)} from scheduled s ${joins(centralId)}
    where s.central_id = ${centralId} and s.id = ${id} and (${companyId}::bigint is null or s.company_id = ${companyId})`;
  return row && toEntry(row);
}

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
  const leads: Sql[] = filter.ids
    ? [isAmong(filter.ids)]
    : isBySituation
      ? filter.situations!.map((situation) => sql`situation = ${situation}`)
      : companyId === null
        ? []
        : [sql`company_id = ${companyId}`];
  const isChecked =
    filter.payment !== null ||
    (filter.companyId !== null && (filter.ids !== null || isBySituation || scope.companyId !== null)) ||
    (!isBySituation && filter.situations !== null);
  return {
    table: 'scheduled',
    order: { by: 'dispatch_at', type: 'timestamptz', number: 'id', descending: !filter.earliestFirst },
    leads,
    within: scope.companyId === null ? null : sql`company_id = ${scope.companyId}`,
    checks: isChecked
      ? [
          equalsIfGiven('company_id', 'bigint', filter.companyId),
          isOneIfGiven('situation', filter.situations),
          equalsIfGiven('payment', 'text', filter.payment),
        ]
      : [],
    from: filter.from?.toString() ?? null,
    until: filter.until?.toString() ?? null,
  };
}

/** Scheduled deliveries by their dispatch. Grouped ones show the delivery that their grouper became. */
export const listScheduledPage = (
  tx: Tx,
  { centralId, companyId }: Scope,
  filter: ScheduledPageFilter,
  request: SliceRequest,
): Promise<Slice<ListedScheduled>> =>
  readSlice(
    tx,
    centralId,
    keysetOf({ centralId, companyId }, filter),
    request,
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys})
      select s.id, s.situation, s.dispatch_at, s.requested_at,
        s.company_id, customer.name as customer_name, category.name as category_name, s.payment,
        s.net_cents, coalesce(s.delivery_id, grouper.delivery_id) as delivery_id,
        s.grouped_into, s.failure, s.pickup_address,
        s.pickup_district, stop.count as stops, stop.address, stop.district, ${columns}
      from page join scheduled s on s.central_id = ${centralId} and s.id = page.id
      join customers customer on customer.central_id = ${centralId} and customer.id = s.customer_id
      join categories category on category.central_id = ${centralId} and category.id = s.category_id
      left join scheduled grouper on grouper.central_id = ${centralId} and grouper.id = s.grouped_into
      left join lateral (
        select count(*) over () as count, p.address, p.district from scheduled_stops p
        where p.central_id = ${centralId} and p.scheduled_id = coalesce(s.grouped_into, s.id)
          and (s.grouped_into is null or p.ordered_with = s.id)
        order by p.position limit 1) stop on true
      ${sorted}`,
  );

export const countScheduledPage = (tx: Tx, scope: Scope, filter: ScheduledPageFilter, max: number) =>
  countUpTo(tx, scope.centralId, keysetOf(scope, filter), max);
