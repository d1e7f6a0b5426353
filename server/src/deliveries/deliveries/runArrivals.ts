import type { Router } from '../../geo/routing/router.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { type Arrivals, estimateArrivals } from '../tracking/estimateArrivals.ts';
import type { Run, RunStop } from './driverWorkStore.ts';

/** The part of a run that its times depend on. */
type RunWay = Omit<Run, 'id' | 'driverId' | 'pickupAddress'>;

const isOpen = ({ concluded }: RunStop): boolean => !concluded;

/** The arrivals if the driver went for the delivery now, even if it is on hold. */
export function arrivalsOf(estimator: Router, run: RunWay, driverAt: Position | null): Promise<Arrivals> {
  const planned = {
    pickup: run.pickup,
    stops: run.stops,
    returning: run.returning,
    seconds: run.plannedSeconds,
  };
  return estimateArrivals(estimator, planned, {
    driverAt,
    progress: run.status === 'in_progress' ? 'started' : run.hasArrived ? 'at-pickup' : 'to-pickup',
    toVisit: run.stops.filter(isOpen),
  });
}

/**
 * When the driver reaches each open stop of a delivery, by stop id. Empty for a delivery on hold, as on the tracking
 * page: its driver has another one to finish first.
 */
export async function expectedAt(
  estimator: Router,
  run: RunWay,
  driverAt: Position | null,
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, Temporal.Instant>> {
  if (run.status === 'on_hold') return new Map();
  const { toStops } = await arrivalsOf(estimator, run, driverAt);
  return new Map(
    run.stops.filter(isOpen).map(({ id }, index) => [id, now.add({ seconds: toStops[index]! })]),
  );
}

/** How long a driver's runs take one after another, and where they end. Zero for a driver without runs. */
export async function workLeft(
  estimator: Router,
  runs: readonly Run[],
  driverAt: Position | null,
): Promise<{ seconds: number; endsAt: Position | null }> {
  let [seconds, endsAt] = [0, driverAt];
  for (const run of runs) {
    seconds += (await arrivalsOf(estimator, run, endsAt)).untilFree;
    const last = run.stops.filter(isOpen).at(-1);
    endsAt = run.returning || !last ? run.pickup : { lat: last.lat, lng: last.lng };
  }
  return { seconds, endsAt };
}
