import type { Central } from '../../centrals/central.ts';
import { remainingTrip } from '../../deliveries/deliveries/remainingTrip.ts';
import { splitByVisit } from '../../deliveries/orders/request.ts';
import { type Estimate, type EstimateDeps, estimateTrip } from '../../money/pricing/estimateTrip.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Group, Participant } from './group.ts';

export interface GroupPlan {
  estimate: Estimate;
  /** The stops of all participants, in the order that the grouper will have. */
  stopIds: number[];
  /**
   * Whether the joint trip returns to the pickup: ordered so, or because goods that could not be handed over go back.
   */
  returning: boolean;
}

/**
 * Asks the router for the best order of all stops, and prices the grouper with it. Category, return flag,
 * discount and the moment that decides the tariff's window are the grouper's.
 *
 * Concluded stops stay at the front. The others are ordered from the driver's position, those with failed attempts
 * after the rest. The price covers the whole route from the pickup along all stops, so it does not depend on the
 * driver's progress.
 */
export async function planGroup(
  deps: EstimateDeps,
  central: Central,
  { grouper, others }: Group,
): Promise<GroupPlan> {
  const { request } = grouper;
  const { done, open } = splitByVisit([grouper, ...others].flatMap(({ stops }) => stops));
  // Goods that go back do so on the grouper's way.
  const returning = request.returning || others.some(bringsBack);
  const router = deps.routers.forPlanning(central.settings);
  // Scheduled deliveries have no driver and no failed attempts.
  const isDelivery = grouper.noun === 'delivery';
  const carrier = {
    ...request,
    returning,
    isDelivery,
    at: isDelivery ? grouper.request.requestedAt : grouper.request.dispatchAt,
    driverId: isDelivery ? grouper.request.driverId : null,
  };
  const trip = await remainingTrip(deps, central, carrier, { done, open, optimise: true });
  const estimate = await estimateTrip(deps, router, central, trip).catch(refuseEstimate);
  return {
    estimate,
    returning,
    stopIds: [...done, ...estimate.order.map((index) => open[index]!)].map(({ id }) => id),
  };
}

const bringsBack = ({ noun, request }: Participant): boolean => noun === 'delivery' && request.returnAdded;

/** Contract 7.2 has a single refusal for every reason why a group cannot be estimated. */
function refuseEstimate(error: unknown): never {
  throw error instanceof Refusal ? new Refusal('estimate-impossible') : error;
}
