import type { Profile, Router } from '../../geo/routing/router.ts';
import type { Position } from '../../platform/kernel/position.ts';

/*
 * When a driver reaches each stop. The tracking page, the driver's app and the operators are all answered by these
 * functions, so they never disagree by more than the age of the driver's position.
 *
 * The routing engine is not asked, because every open page asks every few seconds. The remaining way is estimated by
 * straight lines, and corrected by the ratio of the stored plan of this delivery to such an estimate of it.
 */

const AT_PICKUP_SECONDS = 6 * 60;
const AT_STOP_SECONDS = 3 * 60;

/** The planned way of a delivery, including the stops that are done. */
export interface PlannedWay {
  pickup: Position;
  /** All stops, in their order. */
  stops: readonly Position[];
  returning: boolean;
  seconds: number;
}

/** The part of the way that is left. */
export interface WayLeft {
  /** Null while no position of the driver is known: then the way begins at the pickup. */
  driverAt: Position | null;
  progress: 'to-pickup' | 'at-pickup' | 'started';
  /** Stops that are still to be visited, in their order. */
  toVisit: readonly Position[];
}

export interface Arrivals {
  /** Seconds from now until the driver is at each of the stops to visit. */
  toStops: number[];
  /** Until the last stop is done and the driver is back, if it returns. */
  untilFree: number;
}

/**
 * `estimator` answers at once and never fails. The vehicle matters only where no plan was stored: otherwise the
 * correction covers the difference.
 */
export async function estimateArrivals(
  estimator: Router,
  planned: PlannedWay,
  { driverAt, progress, toVisit }: WayLeft,
  profile: Profile = 'motorcycle',
): Promise<Arrivals> {
  const start = (progress !== 'at-pickup' && driverAt) || planned.pickup;
  const approach = progress === 'to-pickup' ? [planned.pickup] : [];
  const back = planned.returning ? [planned.pickup] : [];
  const way = [start, ...approach, ...toVisit, ...back];
  const [factor, { legs }] = await Promise.all([
    roadFactor(estimator, planned, profile),
    estimator.route(way, profile),
  ]);
  const seconds = legs.map((leg) => leg.seconds * factor);
  let passed = progress === 'started' ? 0 : AT_PICKUP_SECONDS;
  if (approach.length > 0) passed += seconds.shift()!;
  const toStops = toVisit.map((_, index) => {
    passed += seconds[index]! + (index > 0 ? AT_STOP_SECONDS : 0);
    return Math.round(passed);
  });
  const atLast = toVisit.length > 0 ? AT_STOP_SECONDS : 0;
  return { toStops, untilFree: Math.round(passed + atLast + (seconds[toVisit.length] ?? 0)) };
}

/** A plan outside of this range of ratios does not belong to this way. */
const FACTOR_MIN = 0.5;
const FACTOR_MAX = 3;

/** How much longer the planned way takes than its estimate by straight lines. */
async function roadFactor(estimator: Router, planned: PlannedWay, profile: Profile): Promise<number> {
  const way = [planned.pickup, ...planned.stops, ...(planned.returning ? [planned.pickup] : [])];
  const { seconds } = await estimator.route(way, profile);
  if (seconds === 0 || planned.seconds === 0) return 1;
  return Math.min(FACTOR_MAX, Math.max(FACTOR_MIN, planned.seconds / seconds));
}
