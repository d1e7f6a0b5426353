import type { Router } from '../../geo/routing/router.ts';
import { betweenPieces } from '../../platform/kernel/inSlices.ts';
import type { OpenDelivery, OpenStop } from './openDeliveriesStore.ts';
import { arrivalsOf } from './runArrivals.ts';

type Carried = OpenDelivery & { status: 'accepted' | 'on_hold' | 'in_progress' };

const isCarried = (delivery: OpenDelivery): delivery is Carried =>
  delivery.status === 'accepted' || delivery.status === 'on_hold' || delivery.status === 'in_progress';

const isOpen = ({ concluded, notDelivered }: OpenStop): boolean => !concluded && !notDelivered;

/**
 * When the driver reaches the last open stop of each delivery, by delivery id. Deliveries on hold come after the other
 * runs of the driver. A company's caller does not see all of those, so its deliveries on hold are left out.
 */
export async function expectedAtLast(
  estimator: Router,
  open: readonly OpenDelivery[],
  now: Temporal.Instant,
  { isWholeCentral }: { isWholeCentral: boolean },
): Promise<ReadonlyMap<number, Temporal.Instant>> {
  const expected = new Map<number, Temporal.Instant>();
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
  }
  return expected;
}

/** The order of a driver's runs, as in runStore.ts: the current one, then those on hold by their acceptance. */
const inTurn = (a: Carried, b: Carried): number =>
  Number(a.status === 'on_hold') - Number(b.status === 'on_hold') ||
  Temporal.Instant.compare(a.acceptedAt!, b.acceptedAt!) ||
  a.id - b.id;
