import type { Central } from '../centrals/central.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { type Plan, type PlannedTrip, planStops } from '../estimates/planStops.ts';
import { priceDelivery } from '../estimates/price.ts';
import { inVisitOrder, isConcluded } from '../requests/request.ts';
import { findStops } from '../requests/stopStore.ts';
import { estimatorFor } from '../routing/routers.ts';
import type { Delivery } from './delivery.ts';

/**
 * What the carried out part of a delivery costs: the way from the pickup along the concluded stops, in the order in
 * which they were visited, by the tariff of the order. The way back is no part of it. Null when no stop was
 * concluded. Asks the router, so it runs before any lock is taken.
 */
export async function priceOfDone(
  deps: EstimateDeps,
  central: Central,
  delivery: Delivery,
): Promise<number | null> {
  const stops = await findStops(deps.db, central.id, 'delivery', [delivery.id]);
  const done = inVisitOrder(stops).filter(isConcluded);
  if (done.length === 0) return null;
  const book = await deps.priceBooks.of(central.id);
  const category = book.categories.find(({ id }) => id === delivery.categoryId);
  const tariff = book.tariffs.find(({ id }) => id === delivery.tariffId);
  if (!category || !tariff) throw new Error(`delivery ${delivery.id} is not covered by the price book`);
  const plan = await planDriven(deps, central, {
    start: delivery.pickup.position,
    stops: done.map(({ position }) => position),
    profile: category.profile,
    optimise: false,
  });
  return priceDelivery({
    tariff,
    outwardMetres: plan.outwardMetres,
    outwardSeconds: plan.outwardSeconds,
    backMetres: 0,
    backSeconds: 0,
    stops: done.length,
    at: delivery.requestedAt,
    timeZone: central.timeZone,
    discountPercent: delivery.discountPercent,
  }).netCents;
}

/** A cancellation is not held up by roads that cannot be asked or that changed: straight lines always answer. */
async function planDriven(
  { routers }: EstimateDeps,
  { settings }: Central,
  driven: PlannedTrip,
): Promise<Plan> {
  try {
    return await planStops(routers.forEstimates(settings), driven);
  } catch {
    return planStops(estimatorFor(settings), driven);
  }
}
