import type { Caller } from '../centrals/caller.ts';
import { findCompany } from '../companies/companyStore.ts';
import { type EstimateNeeds, estimateTrip } from '../estimates/estimateTrip.ts';
import { chooseCategory } from '../estimates/priceBook.ts';
import { Refusal } from '../kernel/refusal.ts';
import { findUsableCoupon } from './couponStore.ts';
import type { Order, PreparedOrder } from './order.ts';

/**
 * The business rules of creation, shared by immediate deliveries, scheduled ones and edits. It asks the
 * router, so it runs before any lock is taken.
 */
export async function prepareOrder(
  needs: EstimateNeeds,
  caller: Caller,
  order: Order,
  setsOffAt: Temporal.Instant,
): Promise<PreparedOrder> {
  const { db, clock, priceBooks, routers } = needs;
  const { central } = caller;
  const company = order.companyId === null ? null : await findCompany(db, caller, order.companyId);
  if (company === undefined) throw new Refusal('company-not-found');
  if (company?.active === false) throw new Refusal('company-inactive');
  if (order.payment === 'credit_wallet' && !company) throw new Refusal('wallet-needs-company');

  const book = await priceBooks.of(central.id);
  const category = chooseCategory(book, order.category, company?.defaultCategoryId ?? null);
  const coupon =
    order.couponCode === null ? null : await findUsableCoupon(db, central.id, order.couponCode, clock.now());
  if (coupon === undefined) throw new Refusal('coupon-invalid');
  const discountPercent = coupon?.percent ?? '0';

  const estimate = await estimateTrip(needs, routers.forEstimates(central.settings), central, {
    category,
    pickup: order.pickup.position,
    stops: order.stops.map((stop) => stop.position),
    returning: order.returning,
    at: setsOffAt,
    discountPercent,
    optimise: false,
  });
  return {
    order,
    companyId: company?.id ?? null,
    needsRelease: central.settings.releaseRequired || company?.needsRelease === true,
    category,
    couponId: coupon?.id ?? null,
    discountPercent,
    estimate,
  };
}
