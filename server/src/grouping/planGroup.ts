import type { Central } from '../centrals/central.ts';
import { findPosition } from '../drivers/positionStore.ts';
import { type Estimate, type EstimateDeps, estimateTrip } from '../estimates/estimateTrip.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Group, Participant } from './grouping.ts';

export interface GroupPlan {
  estimate: Estimate;
  /** Everybody's stops, in the order in which the grouper will have them. */
  stopIds: number[];
}

/**
 * Asks the router for the best order of all stops, and prices the grouper with it. Category, return flag,
 * discount and the moment that decides the tariff's window are the grouper's.
 *
 * What is done already stays at the front, and the rest is ordered from where the driver is. The price is
 * that of the whole way from the pickup along all stops, so it does not matter how far the driver has come.
 */
export async function planGroup(
  deps: EstimateDeps,
  central: Central,
  { grouper, others }: Group,
): Promise<GroupPlan> {
  const { request } = grouper;
  const book = await deps.priceBooks.of(central.id);
  const category = book.categories.find(({ id }) => id === request.categoryId);
  if (!category) throw new Error(`category ${request.categoryId} is not in the price book`);

  const stops = [grouper, ...others].flatMap((one) => one.stops);
  const done = stops.filter((stop) => stop.concluded);
  const toCome = stops.filter((stop) => !stop.concluded);
  const driverAt = await findDriver(deps, central.id, grouper);
  const router = deps.routers.forPlanning(central.settings);
  const estimate = await estimateTrip(deps, router, central, {
    category,
    pickup: request.pickup.position,
    done: done.map(({ position }) => position),
    stops: toCome.map(({ position }) => position),
    returning: request.returning,
    at: grouper.noun === 'scheduled' ? grouper.request.dispatchAt : grouper.request.requestedAt,
    discountPercent: request.discountPercent,
    optimise: true,
    ...(driverAt && { continuesFrom: driverAt }),
  }).catch(refuseEstimate);
  return {
    estimate,
    stopIds: [...done, ...estimate.order.map((index) => toCome[index]!)].map(({ id }) => id),
  };
}

async function findDriver(
  { db }: EstimateDeps,
  centralId: number,
  { noun, request }: Participant,
): Promise<Position | undefined> {
  if (noun === 'scheduled' || request.driverId === null) return undefined;
  return findPosition(db, centralId, request.driverId);
}

/** Contract 7.2 knows one answer to whatever keeps a group from being estimated. */
function refuseEstimate(error: unknown): never {
  throw error instanceof Refusal ? new Refusal('estimate-impossible') : error;
}
