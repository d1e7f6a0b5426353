import type { Caller, Scope } from '../../centrals/caller.ts';
import type { LocatedRow } from '../../platform/kernel/postalAddress.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { raw, type Sql } from '../../platform/postgres/sql.ts';
import { type DemandsJson, demandsJson, readDemands } from '../orders/demandStore.ts';
import type { Demands } from '../orders/demands.ts';
import type { Located, Payment } from '../orders/request.ts';
import { type AttemptShown, attemptsSql } from '../orders/visitStore.ts';
import { dueAt } from './deadlineStore.ts';
import { findDelivery } from './deliveryStore.ts';
import type { Status } from './status.ts';

/** Everything that the central's staff sees of a delivery. */
export interface DeliveryDetail {
  id: number;
  status: Status;
  /** Grows with every change. */
  version: number;
  /** The reason and the beginning of a hold by the central. */
  held: { reason: string; at: string } | null;
  groupedInto: number | null;
  grouped: readonly number[];
  scheduledId: number | null;
  companyId: number | null;
  externalId: string | null;
  customerName: string;
  customerPhone: string | null;
  categoryId: number;
  categoryName: string;
  tariffName: string;
  payment: Payment;
  returning: boolean;
  note: string | null;
  couponCode: string | null;
  discountPercent: string;
  netCents: number;
  grossCents: number;
  cancellationFeeCents: number | null;
  plannedMetres: number;
  plannedSeconds: number;
  travelledMetres: number;
  driver: DetailDriver | null;
  driverSpecified: boolean;
  returnAdded: boolean;
  reasonId: number | null;
  reasonName: string | null;
  reasonNameEn: string | null;
  requestedAt: Temporal.Instant;
  pendingAt: Temporal.Instant | null;
  acceptedAt: Temporal.Instant | null;
  arrivedAt: Temporal.Instant | null;
  startedAt: Temporal.Instant | null;
  finishedAt: Temporal.Instant | null;
  notAttendedAt: Temporal.Instant | null;
  /** The delivery that replaced it after no driver was found. */
  orderedAgainAs: number | null;
  /** Who dismissed it after no driver was found, and why. */
  dismissed: { reason: string; at: string; by: string | null } | null;
  cancelledAt: Temporal.Instant | null;
  dueAt: Temporal.Instant;
  promisedAt: Temporal.Instant | null;
  /** Cash entered in drivers' accounts for it and for the deliveries grouped into it. Null: no such entry. */
  cashCents: number | null;
  pickup: DetailPlace;
  stops: readonly DetailStop[];
}

export interface DetailDriver {
  id: number;
  name: string;
  phone: string;
  vehicle: string;
  plate: string;
  color: string | null;
  simulated: boolean;
}

export interface DetailPlace extends LocatedRow {
  /** Null: the coordinates came with the order. */
  located: Located | null;
}

export interface DetailStop extends DetailPlace {
  id: number;
  order: number;
  orderedWith: number;
  orderNumber: string | null;
  externalId: string | null;
  recipientName: string | null;
  recipientPhone: string | null;
  note: string | null;
  collectCents: number | null;
  receivedBy: string | null;
  receivedCents: number | null;
  receivedPayment: Payment | null;
  /** When the stop was concluded or failed. ISO 8601, in any zone. */
  concludedAt: string | null;
  isNotDelivered: boolean;
  attempts: readonly AttemptShown[];
  /** The driver who concluded it; may be an earlier driver than the current one. */
  concludedBy: { id: number; name: string } | null;
  wrongCodes: number;
  demands: Demands | null;
}

type DetailRow = Omit<DeliveryDetail, 'stops'> & {
  stops: readonly (Omit<DetailStop, 'demands'> & { demands: DemandsJson | null })[];
};

export const placeSql = (row: string, prefix = ''): Sql =>
  raw(`'address', ${row}.${prefix}address,
  'complement', ${row}.${prefix}complement, 'reference', ${row}.${prefix}reference,
  'district', ${row}.${prefix}district, 'city', ${row}.${prefix}city, 'state', ${row}.${prefix}state,
  'lat', ${row}.${prefix}lat, 'lng', ${row}.${prefix}lng,
  'located', case when ${row}.${prefix}located_by is not null then json_build_object('by', ${row}.${prefix}located_by,
    'precision', ${row}.${prefix}located_precision, 'toCheck', ${row}.${prefix}to_check) end`);

const PICKUP = placeSql('d', 'pickup_');
const STOP_PLACE = placeSql('s');

/** Includes stops ordered with it that another delivery carries, or carried until they were concluded. */
export async function findDeliveryDetail(
  tx: Tx,
  { centralId, companyId }: Scope,
  id: number,
): Promise<DeliveryDetail> {
  const row = await tx.row<DetailRow>`
    select d.id, d.status, d.version,
      case when d.held_at is not null then json_build_object('reason', d.held_reason, 'at', d.held_at) end as held,
      d.grouped_into, d.scheduled_id,
      d.company_id, d.external_id, customer.name as customer_name, customer.phone as customer_phone,
      d.category_id, category.name as category_name, tariff.name as tariff_name, d.payment,
      d.has_return as returning, d.note, coupon.code as coupon_code, d.discount_percent,
      d.net_cents, d.gross_cents, d.cancellation_fee_cents,
      d.planned_metres, d.planned_seconds,
      d.travelled_metres, d.driver_specified,
      d.return_added,
      case when driver.id is not null then json_build_object('id', driver.id, 'name', driver.name, 'phone', driver.phone,
        'vehicle', driver.vehicle, 'plate', driver.plate, 'color', driver.color, 'simulated', driver.simulated) end as driver,
      reason.id as reason_id, reason.name as reason_name, reason.name_en as reason_name_en,
      d.requested_at, d.pending_at, d.accepted_at,
      d.arrived_at, d.started_at, d.finished_at,
      d.not_attended_at, d.ordered_again_as, d.cancelled_at,
      case when d.dismissed_at is not null then json_build_object('reason', d.dismissed_reason, 'at', d.dismissed_at,
        'by', dismisser.username) end as dismissed,
      ${dueAt(centralId)} as due_at, d.promised_at, (
        select sum(case when exists (
          select 1 from driver_entries taken where taken.central_id = ${centralId} and taken.reverses_id = e.id)
          then 0 else -e.amount_cents end)::bigint
        from driver_entries e
        where e.central_id = ${centralId} and e.kind = 'collected' and e.reverses_id is null and e.delivery_id in (
          select d.id union all
          select part.id from deliveries part where part.central_id = ${centralId} and part.grouped_into = d.id)
      ) as cash_cents,
      json_build_object(${PICKUP}) as pickup,
      (select coalesce(json_agg(grouped.id order by grouped.id), '[]') from deliveries grouped
        where grouped.central_id = ${centralId} and grouped.grouped_into = d.id) as grouped,
      (select coalesce(json_agg(json_build_object(${STOP_PLACE}, 'id', s.id, 'order', s.position,
          'orderedWith', s.ordered_with, 'orderNumber', s.order_number, 'externalId', s.external_id,
          'recipientName', s.recipient_name, 'recipientPhone', s.recipient_phone, 'note', s.note,
          'collectCents', s.collect_cents, 'receivedBy', s.received_by, 'receivedCents', s.received_cents,
          'receivedPayment', s.received_payment, 'concludedAt', s.concluded_at, 'wrongCodes', s.wrong_codes,
          'isNotDelivered', s.not_delivered, 'attempts', ${attemptsSql(centralId)},
          'demands', ${demandsJson(centralId)},
          'concludedBy', case when concluder.id is not null
            then json_build_object('id', concluder.id, 'name', concluder.name) end)
          order by s.position, s.id), '[]')
        from stops s
        left join drivers concluder on concluder.central_id = ${centralId} and s.concluded_at is not null
          and concluder.id = coalesce(s.concluded_by, d.driver_id)
        where s.central_id = ${centralId} and (s.delivery_id = d.id or s.ordered_with = d.id)) as stops
    from deliveries d
    join customers customer on customer.central_id = ${centralId} and customer.id = d.customer_id
    join categories category on category.central_id = ${centralId} and category.id = d.category_id
    join tariffs tariff on tariff.central_id = ${centralId} and tariff.id = d.tariff_id
    left join coupons coupon on coupon.central_id = ${centralId} and coupon.id = d.coupon_id
    left join drivers driver on driver.central_id = ${centralId} and driver.id = d.driver_id
    left join cancellation_reasons reason on reason.central_id = ${centralId} and reason.id = d.cancellation_reason_id
    left join users dismisser on dismisser.central_id = ${centralId} and dismisser.id = d.dismissed_by
    where d.central_id = ${centralId} and d.id = ${id} and (${companyId}::bigint is null or d.company_id = ${companyId})`;
  if (!row) throw new Refusal('delivery-not-found');
  return { ...row, stops: row.stops.map((stop) => ({ ...stop, demands: readDemands(stop.demands) })) };
}

interface Place {
  address: string;
  district: string;
  city: string;
  state: string;
}

/** The receipt of a finished delivery. */
export interface Receipt {
  id: number;
  driver: { name: string; phone: string; vehicle: string; plate: string };
  company: { id: number; name: string; document: string } | null;
  category: { id: number; name: string; description: string };
  tariffName: string;
  payment: Payment;
  /** Before and after the coupon. */
  grossCents: number;
  netCents: number;
  /** Decimal percent. */
  discountPercent: string;
  travelledMetres: number;
  pickup: Place;
  /** The place of its end: the last visited stop, or the pickup if it returned. */
  end: Place;
  startedAt: Temporal.Instant;
  finishedAt: Temporal.Instant;
}

interface ReceiptRow {
  id: number;
  driverName: string;
  driverPhone: string;
  vehicle: string;
  plate: string;
  companyId: number | null;
  companyName: string;
  companyDocument: string;
  categoryId: number;
  categoryName: string;
  categoryDescription: string;
  tariffName: string;
  payment: Payment;
  grossCents: number;
  netCents: number;
  discountPercent: string;
  travelledMetres: number;
  pickupAddress: string;
  pickupDistrict: string;
  pickupCity: string;
  pickupState: string;
  endAddress: string;
  endDistrict: string;
  endCity: string;
  endState: string;
  startedAt: Temporal.Instant;
  finishedAt: Temporal.Instant;
}

/** Requires a finished delivery that is not grouped. */
async function findReceipt(tx: Tx, centralId: number, id: number): Promise<Receipt> {
  const row = await tx.row<ReceiptRow>`
    select d.id, driver.name as driver_name, driver.phone as driver_phone, driver.vehicle, driver.plate,
      d.company_id, company.name as company_name, company.document as company_document,
      d.category_id, category.name as category_name, category.description as category_description,
      tariff.name as tariff_name, d.payment, d.gross_cents, d.net_cents, d.discount_percent, d.travelled_metres,
      d.pickup_address, d.pickup_district, d.pickup_city, d.pickup_state,
      case when d.has_return then d.pickup_address else last.address end as end_address,
      case when d.has_return then d.pickup_district else last.district end as end_district,
      case when d.has_return then d.pickup_city else last.city end as end_city,
      case when d.has_return then d.pickup_state else last.state end as end_state,
      d.started_at, d.finished_at
    from deliveries d
    join drivers driver on driver.central_id = ${centralId} and driver.id = d.driver_id
    join categories category on category.central_id = ${centralId} and category.id = d.category_id
    join tariffs tariff on tariff.central_id = ${centralId} and tariff.id = d.tariff_id
    left join companies company on company.central_id = ${centralId} and company.id = d.company_id
    cross join lateral (
      select address, district, city, state from stops
      where central_id = ${centralId} and delivery_id = d.id
      order by concluded_at desc, position desc limit 1) last
    where d.central_id = ${centralId} and d.id = ${id} and d.status = 'finished'`;
  if (!row) throw new Error(`delivery ${id} is not finished`);
  return toReceipt(row);
}

const toReceipt = (row: ReceiptRow): Receipt => ({
  id: row.id,
  driver: { name: row.driverName, phone: row.driverPhone, vehicle: row.vehicle, plate: row.plate },
  company:
    row.companyId === null
      ? null
      : { id: row.companyId, name: row.companyName, document: row.companyDocument },
  category: { id: row.categoryId, name: row.categoryName, description: row.categoryDescription },
  tariffName: row.tariffName,
  payment: row.payment,
  grossCents: row.grossCents,
  netCents: row.netCents,
  discountPercent: row.discountPercent,
  travelledMetres: row.travelledMetres,
  pickup: {
    address: row.pickupAddress,
    district: row.pickupDistrict,
    city: row.pickupCity,
    state: row.pickupState,
  },
  end: { address: row.endAddress, district: row.endDistrict, city: row.endCity, state: row.endState },
  startedAt: row.startedAt,
  finishedAt: row.finishedAt,
});

/** Contract 4.10. A grouped delivery is part of its grouper's receipt. */
export async function readReceipt({ db }: Deps, caller: Caller, id: number): Promise<Receipt> {
  const delivery = await findDelivery(db, caller, id);
  if (delivery.groupedInto !== null) throw new Refusal('receipt-of-grouper', { id: delivery.groupedInto });
  if (delivery.status !== 'finished') throw new Refusal('not-finished');
  return findReceipt(db, caller.centralId, id);
}
