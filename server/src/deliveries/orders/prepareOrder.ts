import type { Caller } from '../../centrals/caller.ts';
import { type AskedTrip, type EstimateDeps, quoteTrip } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Order, Payment, PreparedOrder } from './request.ts';

/**
 * The business rules of creation, shared by immediate deliveries, scheduled ones and edits. It asks the
 * router, so it runs before any lock is taken.
 */
export async function prepareOrder(
  deps: EstimateDeps,
  caller: Caller,
  order: Order,
  setsOffAt: Temporal.Instant,
  heldCoupon: AskedTrip['heldCoupon'] = null,
): Promise<PreparedOrder> {
  assertPayable(order.payment, order.companyId);
  const { company, category, coupon, estimate } = await quoteTrip(deps, caller, {
    companyId: order.companyId,
    category: order.category,
    couponCode: order.couponCode,
    heldCoupon,
    countsWrongCodes: true,
    pickup: order.pickup.position,
    stops: order.stops.map((stop) => stop.position),
    returning: order.returning,
    at: setsOffAt,
  });
  return {
    order,
    companyId: company?.id ?? null,
    customerId: company?.customerId ?? null,
    needsRelease: caller.central.settings.releaseRequired || company?.needsRelease === true,
    category,
    couponId: coupon?.id ?? null,
    discountPercent: coupon?.percent ?? '0',
    estimate,
  };
}

/** A person has no credit wallet. */
export function assertPayable(payment: Payment, companyId: number | null): void {
  if (payment === 'credit_wallet' && companyId === null) throw new Refusal('wallet-needs-company');
}
