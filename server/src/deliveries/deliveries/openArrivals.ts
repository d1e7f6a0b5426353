import type { Router } from '../../geo/routing/router.ts';
import { betweenPieces } from '../../platform/kernel/inSlices.ts';
import { haversineMetres, type Position } from '../../platform/kernel/position.ts';
import type { OpenDelivery, OpenStop } from './openDeliveriesStore.ts';
import { arrivalsOf } from './runArrivals.ts';

type Carried = OpenDelivery & { status: 'accepted' | 'on_hold' | 'in_progress' };

const isCarried = (delivery: OpenDelivery): delivery is Carried =>
  delivery.status === 'accepted' || delivery.status === 'on_hold' || delivery.status === 'in_progress';

const isOpen = ({ concluded, notDelivered }: OpenStop): boolean => !concluded && !notDelivered;

/** A driver from the time and the place at which all its work is done. */
export interface FreeDriver {
  inSeconds: number;
  at: Position;
  categoryIds: readonly number[];
}

/**
 * When the driver reaches the last open stop of each delivery, by delivery id, and when each of these drivers is free.
 * Deliveries on hold come after the other runs of the driver. A company's caller does not see all of those, so its
 * deliveries on hold are left out.
 */
export async function expectedAtLast(
  estimator: Router,
  open: readonly OpenDelivery[],
  now: Temporal.Instant,
  { isWholeCentral }: { isWholeCentral: boolean },
): Promise<{ expected: ReadonlyMap<number, Temporal.Instant>; busy: FreeDriver[] }> {
  const expected = new Map<number, Temporal.Instant>();
  const busy: FreeDriver[] = [];
  const byDriver = Map.groupBy(open.filter(isCarried), ({ driverId }) => driverId);
  for (const runs of byDriver.values()) {
    await betweenPieces();
    runs.sort(inTurn);
    // The current run is not in the list, which is limited to the oldest deliveries.
    if (runs[0]!.status === 'on_hold') continue;
    let [passed, endsAt] = [0, runs[0]!.driverAt];
    for (const run of isWholeCentral ? runs : runs.slice(0, 1)) {
      const { lat, lng, status, hasArrived, returning, plannedSeconds } = run;
      const stops = run.stops.map((stop) => ({ ...stop, concluded: !isOpen(stop) }));
      const way = { status, hasArrived, pickup: { lat, lng }, returning, plannedSeconds, stops };
      const { toStops, untilFree } = await arrivalsOf(estimator, way, endsAt);
      const last = run.stops.filter(isOpen).at(-1);
      if (last) expected.set(run.id, now.add({ seconds: passed + toStops.at(-1)! }));
      passed += untilFree;
      endsAt = returning || !last ? way.pickup : { lat: last.lat, lng: last.lng };
    }
    if (endsAt) busy.push({ inSeconds: passed, at: endsAt, categoryIds: runs[0]!.driverCategoryIds });
  }
  return { expected, busy };
}

/** Straight-line speed of a vehicle in a city, to compare drivers. The arrival of the chosen one is estimated. */
const APPROACH_METRES_PER_SECOND = 4;

/**
 * When the last stop of each delivery without a driver would be reached if the driver who can be at its pickup first took
 * it now; without any such driver, as if one were there. Two deliveries may count on the same driver, so it is the
 * earliest, not the likeliest time. Those held back begin now too.
 */
export async function soonestAtLast(
  estimator: Router,
  open: readonly OpenDelivery[],
  drivers: readonly FreeDriver[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, Temporal.Instant>> {
  const soonest = new Map<number, Temporal.Instant>();
  for (const delivery of open) {
    if (isCarried(delivery)) continue;
    await betweenPieces();
    const { id, lat, lng, categoryId, returning, plannedSeconds } = delivery;
    const pickup = { lat, lng };
    const reaches = ({ inSeconds, at }: FreeDriver) =>
      inSeconds + haversineMetres(at, pickup) / APPROACH_METRES_PER_SECOND;
    let first: FreeDriver | null = null;
    let firstAt = Number.POSITIVE_INFINITY;
    for (const driver of drivers) {
      const reachesAt = reaches(driver);
      if (reachesAt >= firstAt || !driver.categoryIds.includes(categoryId)) continue;
      [first, firstAt] = [driver, reachesAt];
    }
    const stops = delivery.stops.map((stop) => ({ ...stop, concluded: !isOpen(stop) }));
    const way = { status: 'accepted' as const, hasArrived: false, pickup, returning, plannedSeconds, stops };
    const { toStops } = await arrivalsOf(estimator, way, first?.at ?? null);
    soonest.set(id, now.add({ seconds: (first?.inSeconds ?? 0) + (toStops.at(-1) ?? 0) }));
  }
  return soonest;
}

/** The order of a driver's runs, as in runStore.ts: the current one, then those on hold by their acceptance. */
const inTurn = (a: Carried, b: Carried): number =>
  Number(a.status === 'on_hold') - Number(b.status === 'on_hold') ||
  Temporal.Instant.compare(a.acceptedAt!, b.acceptedAt!) ||
  a.id - b.id;
