import { randomBytes } from 'node:crypto';
import { findCompanyCustomer, upsertPerson } from '../companies/companyStore.ts';
import { assertCouponUses } from '../estimates/couponUseStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { OrderedStop, PreparedOrder } from '../requests/order.ts';
import type { Status } from './status.ts';

/** Who the delivery is for: the company itself, or the person, who is remembered by CPF. */
export async function customerOf(
  tx: Tx,
  centralId: number,
  { order, companyId }: PreparedOrder,
): Promise<number> {
  if (companyId !== null) return findCompanyCustomer(tx, centralId, companyId);
  if (!order.person) throw new Error('an order has a company or a person');
  return upsertPerson(tx, centralId, order.person);
}

export async function insertDelivery(
  tx: Tx,
  centralId: number,
  prepared: PreparedOrder,
  status: Status,
  now: Temporal.Instant,
): Promise<number> {
  const { order, estimate } = prepared;
  const { pickup } = order;
  const customerId = await customerOf(tx, centralId, prepared);
  const [row] = await tx<{ id: number }>`
    insert into deliveries (central_id, id, status, company_id, customer_id, category_id, tariff_id, payment,
      has_return, note, coupon_id, discount_percent, pickup_address, pickup_complement, pickup_reference,
      pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng, planned_metres, planned_seconds,
      gross_cents, net_cents, requested_at)
    values (${centralId}, next_id(${centralId}, 'delivery'), ${status}, ${prepared.companyId}, ${customerId},
      ${prepared.category.id}, ${estimate.tariff.id}, ${order.payment}, ${order.returning}, ${order.note},
      ${prepared.couponId}, ${prepared.discountPercent}, ${pickup.address}, ${pickup.complement},
      ${pickup.reference}, ${pickup.district}, ${pickup.city}, ${pickup.state}, ${pickup.position.lat},
      ${pickup.position.lng}, ${estimate.metres}, ${estimate.seconds}, ${estimate.grossCents},
      ${estimate.netCents}, ${now})
    returning id`;
  await insertStops(tx, centralId, row!.id, order.stops);
  await assertCouponUses(tx, centralId, prepared.couponId, customerId);
  return row!.id;
}

const newTrackingToken = (): string => randomBytes(16).toString('base64url');

/** In the order given. A stop that comes with a tracking token keeps it. */
export async function insertStops(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stops: readonly (OrderedStop & { trackingToken?: string | undefined })[],
): Promise<void> {
  const rows = stops.map((stop) => ({
    ...stop,
    lat: stop.position.lat,
    lng: stop.position.lng,
    trackingToken: stop.trackingToken ?? newTrackingToken(),
  }));
  await tx`
    insert into stops (central_id, id, delivery_id, ordered_with, position, address, complement, reference,
      district, city, state, lat, lng, order_number, external_id, recipient_name, recipient_phone, note,
      collect_cents, confirmation_code, tracking_token)
    select ${centralId}, next_id(${centralId}, 'stop'), ${deliveryId}, ${deliveryId}, ordinality - 1,
      s ->> 'address', s ->> 'complement', s ->> 'reference', s ->> 'district', s ->> 'city', s ->> 'state',
      (s ->> 'lat')::double precision, (s ->> 'lng')::double precision, s ->> 'orderNumber',
      s ->> 'externalId', s ->> 'recipientName', s ->> 'recipientPhone', s ->> 'note',
      (s ->> 'collectCents')::bigint, (s ->> 'confirmationCode')::integer, s ->> 'trackingToken'
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as t(s, ordinality)`;
}
