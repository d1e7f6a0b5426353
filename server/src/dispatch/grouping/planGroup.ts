import type { Central } from '../centrals/central.ts';
import { findPosition } from '../drivers/positionStore.ts';
import { type Estimate, type EstimateDeps, estimateTrip } from '../estimates/estimateTrip.ts';
import { categoryOf } from '../estimates/priceBook.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import { findTried } from '../requests/attemptStore.ts';
import { isConcluded } from '../requests/request.ts';
import type { Group, Participant } from './grouping.ts';

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
 * Concluded stops stay at the front, and the others are ordered from the driver's position, those that were visited in
 * vain after the rest. The price covers the whole route from the pickup along all stops, so it does not depend on the
 * driver's progress.
 */
export async function planGroup(
  deps: EstimateDeps,
  central: Central,
  { grouper, others }: Group,
): Promise<GroupPlan> {
  const { request } = grouper;
  const category = categoryOf(await deps.priceBooks.of(central.id), request);

  const stops = [grouper, ...others].flatMap((participant) => participant.stops);
  const done = stops.filter(isConcluded);
  const toCome = stops.filter((stop) => !isConcluded(stop));
  // Scheduled deliveries have no driver and no failed attempts.
  const [driverAt, last] =
    grouper.noun === 'scheduled'
      ? [undefined, []]
      : await Promise.all([
          findDriver(deps, central.id, grouper.request.driverId),
          findTried(deps.db, central.id, toCome),
        ]);
  // Goods that go back do so on the grouper's way.
  const returning = request.returning || others.some(bringsBack);
  const router = deps.routers.forPlanning(central.settings);
  const estimate = await estimateTrip(deps, router, central, {
    category,
    pickup: request.pickup.position,
    done: done.map(({ position }) => position),
    stops: toCome.map(({ position }) => position),
    last,
    returning,
    at: grouper.noun === 'scheduled' ? grouper.request.dispatchAt : grouper.request.requestedAt,
    discountPercent: request.discountPercent,
    optimise: true,
    ...(driverAt && { continuesFrom: driverAt }),
  }).catch(refuseEstimate);
  return {
    estimate,
    returning,
    stopIds: [...done, ...estimate.order.map((index) => toCome[index]!)].map(({ id }) => id),
  };
}

const bringsBack = ({ noun, request }: Participant): boolean => noun === 'delivery' && request.returnAdded;

async function findDriver(
  { db }: EstimateDeps,
  centralId: number,
  driverId: number | null,
): Promise<Position | undefined> {
  return driverId === null ? undefined : findPosition(db, centralId, driverId);
}

/** Contract 7.2 has a single refusal for every reason why a group cannot be estimated. */
function refuseEstimate(error: unknown): never {
  throw error instanceof Refusal ? new Refusal('estimate-impossible') : error;
}
