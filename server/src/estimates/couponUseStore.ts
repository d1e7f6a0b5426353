import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';

/*
 * A coupon is used by every order that was created with it, immediate or scheduled, from its creation on. An edit, a
 * dispatch and a grouping leave the use where it is. It is free again when the order comes to nothing: cancelled, not
 * attended, failed at dispatch, or carried by one that was. So a use is not written down but counted from the orders,
 * and no way of ending one can forget to give it back.
 */

/** SQL for the number of uses; each parameter is an expression. Without a customer, of all customers. */
export const couponUses = (centralId: string, couponId: string, customerId?: string): string => {
  const ofCustomer = (table: string) => (customerId ? `and ${table}.customer_id = ${customerId}` : '');
  return `(
    (select count(*) from deliveries used
      where used.central_id = ${centralId} and used.coupon_id = ${couponId} ${ofCustomer('used')}
        and used.status <> 'cancelled' and used.status <> 'not_attended')
    + (select count(*) from scheduled waiting
      left join scheduled grouper on grouper.central_id = ${centralId} and grouper.id = waiting.grouped_into
      left join deliveries carrier on carrier.central_id = ${centralId}
        and carrier.id = coalesce(waiting.delivery_id, grouper.delivery_id)
      where waiting.central_id = ${centralId} and waiting.coupon_id = ${couponId} ${ofCustomer('waiting')}
        and (waiting.situation = 'awaiting' or waiting.situation = 'grouped')
        and (grouper.situation is null or grouper.situation not in ('cancelled', 'failed'))
        and (carrier.status is null or carrier.status not in ('cancelled', 'not_attended'))))`;
};

interface Limits {
  uses_max: number | null;
  uses_per_company_max: number | null;
}

/**
 * Refuses when the order that this transaction has just written exceeds the coupon's limits. The coupon's lock is
 * held until the end of the transaction, and the next holder counts this order too: two concurrent orders cannot
 * both take the last use. A coupon without limits is not locked.
 */
export async function assertCouponUses(
  tx: Tx,
  centralId: number,
  couponId: number | null,
  customerId: number,
): Promise<void> {
  if (couponId === null) return;
  // This lock does not conflict with orders that only refer to the coupon, as `for update` would.
  const [limits] = await tx<Limits>`
    select uses_max, uses_per_company_max from coupons
    where central_id = ${centralId} and id = ${couponId}
      and (uses_max is not null or uses_per_company_max is not null)
    for no key update`;
  if (!limits) return;
  const [row] = await tx.run<{ uses: number; own: number }>(
    `select ${couponUses('$1', '$2')} as uses, ${couponUses('$1', '$2', '$3')} as own`,
    [centralId, couponId, customerId],
  );
  const { uses_max: max, uses_per_company_max: ownMax } = limits;
  if ((max !== null && row!.uses > max) || (ownMax !== null && row!.own > ownMax))
    throw new Refusal('coupon-invalid');
}
