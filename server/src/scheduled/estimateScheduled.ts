import type { Central } from '../centrals/central.ts';
import { type Estimate, type EstimateDeps, estimateTrip } from '../estimates/estimateTrip.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Router } from '../routing/router.ts';
import type { Scheduled } from './scheduled.ts';

/** As much of a scheduled delivery as decides its price, beside its stops. */
export type Estimated = Pick<
  Scheduled,
  'categoryId' | 'pickup' | 'returning' | 'dispatchAt' | 'discountPercent'
>;

/**
 * What it takes to visit these stops, in this order. Its category and coupon were settled when it was
 * ordered: that one of them is no longer sold does not take it away from what was sold.
 */
export async function estimateScheduled(
  deps: EstimateDeps,
  router: Router,
  central: Central,
  scheduled: Estimated,
  stops: readonly { position: Position }[],
): Promise<Estimate> {
  const book = await deps.priceBooks.of(central.id);
  const category = book.categories.find((one) => one.id === scheduled.categoryId);
  if (!category) throw new Error(`category ${scheduled.categoryId} is not in the price book`);
  return estimateTrip(deps, router, central, {
    category,
    pickup: scheduled.pickup.position,
    stops: stops.map((stop) => stop.position),
    returning: scheduled.returning,
    at: scheduled.dispatchAt,
    discountPercent: scheduled.discountPercent,
    optimise: false,
  });
}

/** Null where no estimate can be had, for changes that are not held up by that (contract 4.12). */
export async function estimateIfPossible(
  deps: EstimateDeps,
  central: Central,
  scheduled: Estimated,
  stops: readonly { position: Position }[],
): Promise<Estimate | null> {
  try {
    const router = deps.routers.forPlanning(central.settings);
    return await estimateScheduled(deps, router, central, scheduled, stops);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
