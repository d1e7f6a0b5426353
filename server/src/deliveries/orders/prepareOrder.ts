import type { Caller } from '../centrals/caller.ts';
import { type AskedTrip, type EstimateDeps, quoteTrip } from '../estimates/estimateTrip.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Order, PreparedOrder } from './request.ts';

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
  if (order.payment === 'credit_wallet' && order.companyId === null)
    throw new Refusal('wallet-needs-company');
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
