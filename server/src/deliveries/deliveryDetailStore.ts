import type { Scope } from '../centrals/caller.ts';
import type { LocatedRow } from '../kernel/postalAddress.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { type AttemptShown, attemptsSql } from '../requests/attemptStore.ts';
import type { Located, Payment } from '../requests/request.ts';
import { dueAt } from './deadlineStore.ts';
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
}

export const placeSql = (row: string, prefix = ''): string => `'address', ${row}.${prefix}address,
  'complement', ${row}.${prefix}complement, 'reference', ${row}.${prefix}reference,
  'district', ${row}.${prefix}district, 'city', ${row}.${prefix}city, 'state', ${row}.${prefix}state,
  'lat', ${row}.${prefix}lat, 'lng', ${row}.${prefix}lng,
  'located', case when ${row}.${prefix}located_by is not null then json_build_object('by', ${row}.${prefix}located_by,
    'precision', ${row}.${prefix}located_precision, 'toCheck', ${row}.${prefix}to_check) end`;

const DETAIL = `
  select d.id, d.status, d.version,
    case when d.held_at is not null then json_build_object('reason', d.held_reason, 'at', d.held_at) end as held,
    d.grouped_into as "groupedInto", d.scheduled_id as "scheduledId",
    d.company_id as "companyId", customer.name as "customerName", customer.phone as "customerPhone",
    d.category_id as "categoryId", category.name as "categoryName", tariff.name as "tariffName", d.payment,
    d.has_return as returning, d.note, coupon.code as "couponCode", d.discount_percent as "discountPercent",
    d.net_cents as "netCents", d.gross_cents as "grossCents", d.cancellation_fee_cents as "cancellationFeeCents",
    d.planned_metres as "plannedMetres", d.planned_seconds as "plannedSeconds",
    d.travelled_metres as "travelledMetres", d.driver_specified as "driverSpecified",
    d.return_added as "returnAdded",
    case when driver.id is not null then json_build_object('id', driver.id, 'name', driver.name, 'phone', driver.phone,
      'vehicle', driver.vehicle, 'plate', driver.plate, 'color', driver.color, 'simulated', driver.simulated) end as driver,
    reason.id as "reasonId", reason.name as "reasonName", reason.name_en as "reasonNameEn",
    d.requested_at as "requestedAt", d.pending_at as "pendingAt", d.accepted_at as "acceptedAt",
    d.arrived_at as "arrivedAt", d.started_at as "startedAt", d.finished_at as "finishedAt",
    d.not_attended_at as "notAttendedAt", d.ordered_again_as as "orderedAgainAs", d.cancelled_at as "cancelledAt",
    case when d.dismissed_at is not null then json_build_object('reason', d.dismissed_reason, 'at', d.dismissed_at,
      'by', dismisser.username) end as dismissed,
    ${dueAt('$1', 'd')} as "dueAt", d.promised_at as "promisedAt", (
      select sum(case when exists (
        select 1 from driver_entries taken where taken.central_id = $1 and taken.reverses_id = e.id)
        then 0 else -e.amount_cents end)::bigint
      from driver_entries e
      where e.central_id = $1 and e.kind = 'collected' and e.reverses_id is null and e.delivery_id in (
        select d.id union all
        select part.id from deliveries part where part.central_id = $1 and part.grouped_into = d.id)
    ) as "cashCents",
    json_build_object(${placeSql('d', 'pickup_')}) as pickup,
    (select coalesce(json_agg(grouped.id order by grouped.id), '[]') from deliveries grouped
      where grouped.central_id = $1 and grouped.grouped_into = d.id) as grouped,
    (select coalesce(json_agg(json_build_object(${placeSql('s')}, 'id', s.id, 'order', s.position,
        'orderedWith', s.ordered_with, 'orderNumber', s.order_number, 'externalId', s.external_id,
        'recipientName', s.recipient_name, 'recipientPhone', s.recipient_phone, 'note', s.note,
        'collectCents', s.collect_cents, 'receivedBy', s.received_by, 'receivedCents', s.received_cents,
        'receivedPayment', s.received_payment, 'concludedAt', s.concluded_at, 'wrongCodes', s.wrong_codes,
        'isNotDelivered', s.not_delivered, 'attempts', ${attemptsSql('$1', 's')},
        'concludedBy', case when concluder.id is not null
          then json_build_object('id', concluder.id, 'name', concluder.name) end)
        order by s.position, s.id), '[]')
      from stops s
      left join drivers concluder on concluder.central_id = $1 and s.concluded_at is not null
        and concluder.id = coalesce(s.concluded_by, d.driver_id)
      where s.central_id = $1 and (s.delivery_id = d.id or s.ordered_with = d.id)) as stops
  from deliveries d
  join customers customer on customer.central_id = $1 and customer.id = d.customer_id
  join categories category on category.central_id = $1 and category.id = d.category_id
  join tariffs tariff on tariff.central_id = $1 and tariff.id = d.tariff_id
  left join coupons coupon on coupon.central_id = $1 and coupon.id = d.coupon_id
  left join drivers driver on driver.central_id = $1 and driver.id = d.driver_id
  left join cancellation_reasons reason on reason.central_id = $1 and reason.id = d.cancellation_reason_id
  left join users dismisser on dismisser.central_id = $1 and dismisser.id = d.dismissed_by
  where d.central_id = $1 and d.id = $2 and ($3::bigint is null or d.company_id = $3)`;

/** Includes stops ordered with it that another delivery carries, or carried until they were concluded. */
export async function findDeliveryDetail(
  tx: Tx,
  { centralId, companyId }: Scope,
  id: number,
): Promise<DeliveryDetail> {
  const [row] = await tx.run<DeliveryDetail>(DETAIL, [centralId, id, companyId]);
  if (!row) throw new Refusal('delivery-not-found');
  return row;
}
