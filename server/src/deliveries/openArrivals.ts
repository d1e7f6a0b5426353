import type { Router } from '../routing/router.ts';
import { arrivalsOf } from './arrivals.ts';
import type { OpenDelivery, OpenStop } from './openDeliveriesStore.ts';

type Carried = OpenDelivery & { status: 'accepted' | 'on_hold' | 'in_progress' };

const isCarried = (delivery: OpenDelivery): delivery is Carried =>
  delivery.status === 'accepted' || delivery.status === 'on_hold' || delivery.status === 'in_progress';

const isOpen = ({ concluded, notDelivered }: OpenStop): boolean => !concluded && !notDelivered;

/**
 * When the driver is at the last open stop of each delivery, by their ids: of those on hold after all else that the
 * driver has before. A company does not see all of that, so nothing is said of its deliveries on hold.
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
    runs.sort(inTurn);
    // The current one is not among the oldest, which are all that is listed.
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

/** As runStore.ts sorts a driver's runs: the current one first, then those on hold as they were accepted. */
const inTurn = (a: Carried, b: Carried): number =>
  Number(a.status === 'on_hold') - Number(b.status === 'on_hold') ||
  Temporal.Instant.compare(a.acceptedAt!, b.acceptedAt!) ||
  a.id - b.id;
