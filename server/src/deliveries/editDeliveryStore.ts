import { upsertPerson } from '../companies/companyStore.ts';
import type { Coupon } from '../estimates/couponStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { PreparedOrder } from '../requests/order.ts';
import { orderChanges } from '../requests/requestStore.ts';
import type { Delivery } from './delivery.ts';

/**
 * Whether a delivery that is not started carries stops that were ordered with others. They can only come from a
 * scheduled delivery with others grouped into it. Nothing joins a delivery between dispatch and start, so the answer
 * needs no lock.
 */
export async function carriesOthers(tx: Tx, centralId: number, deliveryId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from scheduled
    where central_id = ${centralId} and situation = 'grouped' and grouped_into = (
      select scheduled_id from deliveries where central_id = ${centralId} and id = ${deliveryId})
    limit 1`;
  return rows.length > 0;
}

/** The coupon that the delivery was ordered with, at the percentage of that moment. */
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

/**
 * Replaces everything of a delivery except its stops. The caller holds its lock. Without payment by credit wallet
 * nothing is held any more; the wallet's own entry is made by holdCredit. Answers with the customer.
 */
export async function replaceDelivery(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  prepared: PreparedOrder,
): Promise<{ customerId: number }> {
  const { person, payment } = prepared.order;
  const customerId = person ? await upsertPerson(tx, centralId, person) : delivery.customerId;
  const { text, values } = orderChanges(prepared, customerId);
  const reserved = payment === 'credit_wallet' ? '' : 'reserved_cents = 0,';
  await tx.run(
    `update deliveries set ${text}, ${reserved} version = version + 1 where central_id = $1 and id = $2`,
    [centralId, delivery.id, ...values],
  );
  return { customerId };
}
