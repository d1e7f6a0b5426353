import { upsertPerson } from '../companies/companyStore.ts';
import type { Coupon } from '../estimates/couponStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { PreparedOrder } from '../requests/order.ts';
import type { Delivery } from './delivery.ts';

/** A stop as an edit finds it: what its provider knows it by, and what its recipient was told. */
export interface ReplacedStop {
  id: number;
  orderedWith: number;
  orderNumber: string | null;
  externalId: string | null;
  trackingToken: string;
  confirmationCode: number | null;
}

/** In their order. Stops change only under the lock of the delivery that carries them. */
export async function findReplacedStops(
  tx: Tx,
  centralId: number,
  deliveryId: number,
): Promise<ReplacedStop[]> {
  return tx<ReplacedStop>`
    select id, ordered_with as "orderedWith", order_number as "orderNumber", external_id as "externalId",
      tracking_token as "trackingToken", confirmation_code as "confirmationCode"
    from stops where central_id = ${centralId} and delivery_id = ${deliveryId} order by position`;
}

/** Whether it carries the stop, or the stop was ordered with it and another one carries it by now. */
export async function isStopOf(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopId: number,
): Promise<boolean> {
  const rows = await tx`
    select 1 from stops
    where central_id = ${centralId} and id = ${stopId}
      and (delivery_id = ${deliveryId} or ordered_with = ${deliveryId})`;
  return rows.length > 0;
}

/**
 * Whether it carries what others ordered. Before the start that can only come from a scheduled delivery that had
 * taken in others; once it is dispatched nothing joins it any more, so this need not be looked at again under lock.
 */
export async function carriesOthers(tx: Tx, centralId: number, deliveryId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from scheduled
    where central_id = ${centralId} and situation = 'grouped' and grouped_into = (
      select scheduled_id from deliveries where central_id = ${centralId} and id = ${deliveryId})
    limit 1`;
  return rows.length > 0;
}

/** The coupon that the delivery was ordered with, at the percentage of that time. */
export async function findHeldCoupon(
  tx: Tx,
  centralId: number,
  deliveryId: number,
): Promise<Pick<Coupon, 'id' | 'code' | 'percent'> | null> {
  const [row] = await tx<Pick<Coupon, 'id' | 'code' | 'percent'>>`
    select c.id, c.code, d.discount_percent as percent
    from deliveries d
    join coupons c on c.central_id = ${centralId} and c.id = d.coupon_id
    where d.central_id = ${centralId} and d.id = ${deliveryId}`;
  return row ?? null;
}

// Each of the following changes rows of a delivery whose lock the caller holds.

export async function deleteStops(tx: Tx, centralId: number, stopIds: readonly number[]): Promise<void> {
  await tx`delete from stops where central_id = ${centralId} and id = any(${stopIds}::bigint[])`;
}

/**
 * Everything that an edit replaces, except the stops. Whoever no longer pays by credit wallet holds nothing of it;
 * the entry in the wallet itself is made by holdCredit. Answers with whom it is for now.
 */
export async function replaceDelivery(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  { order, category, couponId, discountPercent, estimate }: PreparedOrder,
): Promise<{ customerId: number }> {
  const { pickup, payment } = order;
  const customerId = order.person ? await upsertPerson(tx, centralId, order.person) : delivery.customerId;
  await tx`
    update deliveries set customer_id = ${customerId}, category_id = ${category.id},
      tariff_id = ${estimate.tariff.id}, payment = ${payment}, has_return = ${order.returning},
      note = ${order.note}, coupon_id = ${couponId}, discount_percent = ${discountPercent},
      pickup_address = ${pickup.address}, pickup_complement = ${pickup.complement},
      pickup_reference = ${pickup.reference}, pickup_district = ${pickup.district}, pickup_city = ${pickup.city},
      pickup_state = ${pickup.state}, pickup_lat = ${pickup.position.lat}, pickup_lng = ${pickup.position.lng},
      planned_metres = ${estimate.metres}, planned_seconds = ${estimate.seconds},
      gross_cents = ${estimate.grossCents}, net_cents = ${estimate.netCents},
      reserved_cents = case when ${payment}::text = 'credit_wallet' then reserved_cents else 0 end,
      version = version + 1
    where central_id = ${centralId} and id = ${delivery.id}`;
  return { customerId };
}
