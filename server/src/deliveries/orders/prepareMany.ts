import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { continueEach, type Outcome, valuesOf } from '../../platform/kernel/outcome.ts';
import { prepareNewOrder } from './quoteOrder.ts';
import { findQuotes } from './quoteStore.ts';
import type { Order, PreparedOrder } from './request.ts';

/** An order for a certain time; null: for now. */
export interface TimedOrder<Time extends Temporal.Instant | null> {
  order: Order;
  dispatchAt: Time;
}

/**
 * Prepares several new orders, in slices. Quotes are read together, and a coupon once: how often it may still be used is
 * decided with all orders of the transaction (grantOrders.ts).
 */
export async function prepareMany<Time extends Temporal.Instant | null>(
  deps: EstimateDeps,
  caller: Caller,
  orders: readonly Outcome<TimedOrder<Time>>[],
): Promise<Outcome<PreparedOrder & { dispatchAt: Time }>[]> {
  const quoteIds = valuesOf(orders).flatMap(({ order }) => order.quoteId ?? []);
  const found = quoteIds.length > 0 ? await findQuotes(deps.db, caller.centralId, quoteIds) : [];
  const quotes = new Map(found.map((quote) => [quote.id, quote]));
  const coupons = new Map<string, { id: number; code: string; percent: string }>();
  return continueEach(orders, async ({ order, dispatchAt }) => {
    const code = order.couponCode;
    const key = `${order.companyId} ${code?.toUpperCase()}`;
    const coupon = coupons.get(key) ?? null;
    const prepared = await prepareNewOrder(deps, caller, order, dispatchAt, { quotes, coupon });
    const { couponId: id, discountPercent: percent } = prepared;
    if (code !== null && id !== null && order.quoteId === undefined) coupons.set(key, { id, code, percent });
    return { ...prepared, dispatchAt };
  });
}
