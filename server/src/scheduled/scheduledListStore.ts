import type { Scope } from '../centrals/caller.ts';
import type { LocatedRow } from '../kernel/postalAddress.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/request.ts';
import type { Situation } from './scheduled.ts';

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
}

/** A scheduled delivery with everything for planning the day. */
export interface ScheduledListEntry {
  id: number;
  situation: Situation;
  dispatchAt: Temporal.Instant;
  requestedAt: Temporal.Instant;
  companyId: number | null;
  companyName: string | null;
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

export interface ScheduledListFilter {
  situation: Situation | null;
  companyId: number | null;
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
}

/** A grouped scheduled delivery shows the delivery that its grouper became, which carries its stops. */
const ENTRY = `
  s.id, s.situation, s.dispatch_at as "dispatchAt", s.requested_at as "requestedAt", s.company_id as "companyId",
  company.name as "companyName", customer.name as "customerName", s.category_id as "categoryId",
  category.name as "categoryName", tariff.name as "tariffName", coupon.code as "couponCode", s.payment,
  s.has_return as returning, s.note, s.planned_metres as "plannedMetres", s.planned_seconds as "plannedSeconds",
  s.gross_cents as "grossCents", s.net_cents as "netCents", s.estimate_outdated as "estimateOutdated",
  coalesce(s.delivery_id, grouper.delivery_id) as "deliveryId", s.grouped_into as "groupedInto",
  s.grouped_automatically as "groupedAutomatically", s.failure,
  jsonb_build_object('address', s.pickup_address, 'complement', s.pickup_complement, 'reference', s.pickup_reference,
    'district', s.pickup_district, 'city', s.pickup_city, 'state', s.pickup_state, 'lat', s.pickup_lat,
    'lng', s.pickup_lng) as pickup,
  (select coalesce(jsonb_agg(other.id order by other.id), '[]') from scheduled other
    where other.central_id = $1 and other.grouped_into = s.id and other.situation = 'grouped') as carries,
  (select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'orderedWith', p.ordered_with, 'address', p.address,
      'complement', p.complement, 'reference', p.reference, 'district', p.district, 'city', p.city,
      'state', p.state, 'lat', p.lat, 'lng', p.lng, 'orderNumber', p.order_number, 'externalId', p.external_id,
      'recipientName', p.recipient_name, 'recipientPhone', p.recipient_phone, 'note', p.note,
      'collectCents', p.collect_cents) order by p.position), '[]')
    from scheduled_stops p where p.central_id = $1 and p.scheduled_id = s.id) as stops`;

const JOINS = `
  join customers customer on customer.central_id = $1 and customer.id = s.customer_id
  join categories category on category.central_id = $1 and category.id = s.category_id
  join tariffs tariff on tariff.central_id = $1 and tariff.id = s.tariff_id
  left join companies company on company.central_id = $1 and company.id = s.company_id
  left join coupons coupon on coupon.central_id = $1 and coupon.id = s.coupon_id
  left join scheduled grouper on grouper.central_id = $1 and grouper.id = s.grouped_into`;

/** Awaiting ones are ordered by their dispatch, the next one first; otherwise the latest comes first. */
export async function listScheduledEntries(
  tx: Tx,
  { centralId, companyId }: Scope,
  filter: ScheduledListFilter,
  page: { limit: number; offset: number },
): Promise<ScheduledListEntry[]> {
  const direction = filter.situation === 'awaiting' ? 'asc' : 'desc';
  // A constant of this code, not input. As a parameter, the partial indexes by situation could not be used.
  const situated = filter.situation === null ? '' : `and situation = '${filter.situation}'`;
  return tx.run<ScheduledListEntry>(
    `with page as materialized (
       select id from scheduled
       where central_id = $1 and ($2::bigint is null or company_id = $2) and ($3::bigint is null or company_id = $3)
         and ($4::timestamptz is null or dispatch_at >= $4) and ($5::timestamptz is null or dispatch_at < $5)
         ${situated}
       order by dispatch_at ${direction}, id ${direction} limit $6 offset $7)
     select ${ENTRY} from page join scheduled s on s.central_id = $1 and s.id = page.id ${JOINS}
     order by s.dispatch_at ${direction}, s.id ${direction}`,
    [centralId, companyId, filter.companyId, filter.from, filter.until, page.limit, page.offset],
  );
}

export async function findScheduledEntry(
  tx: Tx,
  { centralId, companyId }: Scope,
  id: number,
): Promise<ScheduledListEntry | undefined> {
  const [entry] = await tx.run<ScheduledListEntry>(
    `select ${ENTRY} from scheduled s ${JOINS}
     where s.central_id = $1 and s.id = $2 and ($3::bigint is null or s.company_id = $3)`,
    [centralId, id, companyId],
  );
  return entry;
}
