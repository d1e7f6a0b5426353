import { setTimeout as sleep } from 'node:timers/promises';
import { lenientMatrix } from '../../geo/routing/guardedRouter.ts';
import type { Router } from '../../geo/routing/router.ts';
import { straightLineRouter } from '../../geo/routing/straightLine.ts';
import { betweenPieces, inSlices } from '../../platform/kernel/inSlices.ts';
import { haversineMetres } from '../../platform/kernel/position.ts';
import { forEachIsolated } from '../../platform/kernel/rounds.ts';
import { assign, type Choice, indexDrivers, type Reach } from './assign.ts';
import type { FreeDriver, Searching } from './distributionStore.ts';

export interface Match {
  delivery: Searching;
  /** The drivers who get the offer, the best first. */
  drivers: FreeDriver[];
}

/** The weight of a second of waiting against a second of travel, so that no delivery waits for ever. */
const WAITING_WEIGHT = 0.5;
/** Router requests at the same time: enough to keep an engine busy, few enough that none waits long. */
const QUESTIONS_AT_ONCE = 4;
/** How many deliveries may compete for a driver in one matching. */
const RIVALS_MAX = 2;
/** Straight-line speed, only to compare drivers before the router is asked. */
const METRES_PER_SECOND = 5;
/** The time limit for router requests of one matching. */
const ROADS_MS = 5_000;

/** The parameters of a matching. */
export interface Matching {
  reach: Reach;
  offersAtOnce: number;
  now: Temporal.Instant;
}

/** A driver near a pickup, and its travel time there. */
interface Nearby {
  driver: FreeDriver;
  seconds: number;
}

/**
 * Pairs all waiting deliveries with free drivers at once. The drivers nearest to each pickup are found by an index,
 * their travel times come from one matrix for each pickup (drivers away from roads are estimated), and the pairing has
 * the least total time. Giving each delivery in turn its nearest driver would cost more in total, and one matrix of 60
 * pickups and 300 drivers took 24 s. The work yields to the event loop after each slice.
 */
export async function matchDrivers(
  router: Router,
  searching: readonly Searching[],
  drivers: readonly FreeDriver[],
  matching: Matching,
): Promise<Match[]> {
  const asked = new Map<Searching, FreeDriver[]>();
  const nearbyOf = new Map<Searching, Nearby[]>();
  const taken = new Set<FreeDriver>();
  const roads = patientFor(router, ROADS_MS);
  let waiting = searching;
  // If more deliveries wait at one pickup than drivers are considered for each, the next nearest drivers follow.
  for (let before = -1; before < asked.size; ) {
    before = asked.size;
    const free = drivers.filter((driver) => !taken.has(driver));
    const candidates = await inSlices(findCandidates(waiting, free, matching.reach));
    const chosen = await inSlices(chooseRivals(candidates, matching.now));
    const nearby = await findNearby(roads, chosen);
    for (const [delivery, driver] of await inSlices(pairUp(nearby, free, matching.now))) {
      asked.set(delivery, [driver]);
      nearbyOf.set(delivery, nearby.get(delivery)!);
      taken.add(driver);
    }
    // A delivery out of reach of all drivers stays so with fewer drivers.
    waiting = [...candidates.keys()].filter((delivery) => !asked.has(delivery));
  }
  for (const [delivery, [first]] of asked) {
    const others = nearbyOf
      .get(delivery)!
      .filter(({ driver }) => !taken.has(driver))
      .sort((a, b) => a.seconds - b.seconds)
      .slice(0, matching.offersAtOnce - 1)
      .map(({ driver }) => driver);
    for (const other of others) taken.add(other);
    asked.set(delivery, [first!, ...others]);
  }
  return searching.map((delivery) => ({ delivery, drivers: asked.get(delivery) ?? [] }));
}

type Candidates = ReadonlyMap<Searching, readonly FreeDriver[]>;

/** The nearest drivers of each delivery that has any. */
function* findCandidates(
  waiting: readonly Searching[],
  free: readonly FreeDriver[],
  reach: Reach,
): Generator<void, Candidates, void> {
  const nearest = indexDrivers(free);
  const candidates = new Map<Searching, readonly FreeDriver[]>();
  for (const delivery of waiting) {
    const drivers = nearest(delivery, reach);
    if (drivers.length > 0) candidates.set(delivery, drivers);
    yield;
  }
  return candidates;
}

/**
 * Limits the deliveries that compete for a driver to the few that it suits best, by straight lines; a long wait counts
 * in favour of a delivery. So many deliveries near the same drivers neither block others nor slow the matching.
 */
function* chooseRivals(candidates: Candidates, now: Temporal.Instant): Generator<void, Candidates, void> {
  const pairs: { delivery: Searching; driver: FreeDriver; cost: number }[] = [];
  for (const [delivery, drivers] of candidates) {
    const waited = waitedSeconds(delivery, now) * WAITING_WEIGHT;
    for (const driver of drivers) {
      const way = haversineMetres(driver.from, delivery.pickup) / METRES_PER_SECOND;
      pairs.push({ delivery, driver, cost: way + (driver.carrying?.secondsLeft ?? 0) - waited });
    }
    yield;
  }
  pairs.sort((a, b) => a.cost - b.cost);
  yield;
  const rivals = new Map<FreeDriver, number>();
  const chosen = new Map<Searching, readonly FreeDriver[]>();
  for (const { delivery, driver } of pairs) {
    const count = rivals.get(driver) ?? 0;
    if (count >= RIVALS_MAX || chosen.has(delivery)) continue;
    rivals.set(driver, count + 1);
    chosen.set(delivery, candidates.get(delivery)!);
  }
  return chosen;
}

/** How much longer a delivery counts as waiting for each step of its priority. */
const PRIORITY_SECONDS = 10 * 60;

const waitedSeconds = ({ searchSince, demands }: Searching, now: Temporal.Instant): number =>
  (now.epochMilliseconds - searchSince.epochMilliseconds) / 1000 +
  (demands?.priority ?? 0) * PRIORITY_SECONDS;

/** The best driver for each delivery that gets one. */
function* pairUp(
  nearby: ReadonlyMap<Searching, readonly Nearby[]>,
  drivers: readonly FreeDriver[],
  now: Temporal.Instant,
): Generator<void, Map<Searching, FreeDriver>, void> {
  const columnOf = new Map(drivers.map((driver, column) => [driver, column]));
  const waiting = [...nearby.keys()];
  const waited = waiting.map((delivery) => waitedSeconds(delivery, now) * WAITING_WEIGHT);
  const longest = waited.reduce((most, seconds) => Math.max(most, seconds), 0);
  const rows = waiting.map((delivery, row) =>
    nearby.get(delivery)!.map(
      ({ driver, seconds }): Choice => ({
        column: columnOf.get(driver)!,
        cost: seconds + longest - waited[row]!,
      }),
    ),
  );
  const columns = yield* assign(rows, drivers.length);
  return new Map(
    columns.flatMap((column, row) => (column === null ? [] : [[waiting[row]!, drivers[column]!] as const])),
  );
}

/**
 * The candidates of each delivery with their time to its pickup, including the delivery they still carry. There is one
 * request for each pickup: in a matrix of all places hardly any cell is needed, and it takes an engine too long
 * (measured: 7 places 0.1 s, 50 places 1.5 s, 250 places 20 s).
 */
async function findNearby(router: Router, candidates: Candidates): Promise<Map<Searching, Nearby[]>> {
  const nearby = new Map<Searching, Nearby[]>();
  const atPickup = Map.groupBy(
    candidates.keys(),
    ({ profile, pickup }) => `${profile} ${pickup.lat} ${pickup.lng}`,
  );
  const ask = async (deliveries: readonly Searching[]): Promise<void> => {
    await betweenPieces();
    const { profile, pickup } = deliveries[0]!;
    const drivers = [...new Set(deliveries.flatMap((delivery) => candidates.get(delivery)!))];
    const { seconds } = await lenientMatrix(router, [pickup, ...drivers.map(({ from }) => from)], profile);
    const roadOf = new Map(drivers.map((driver, index) => [driver, seconds[index + 1]![0] ?? null]));
    for (const delivery of deliveries)
      nearby.set(
        delivery,
        candidates.get(delivery)!.flatMap((driver) => {
          const road = roadOf.get(driver) ?? null;
          return road === null ? [] : [{ driver, seconds: road + (driver.carrying?.secondsLeft ?? 0) }];
        }),
      );
  };
  await forEachIsolated([...atPickup.values()], ask, QUESTIONS_AT_ONCE);
  return nearby;
}

/** A router with a time limit, after which travel times are estimated by straight lines. */
function patientFor(router: Router, ms: number): Router {
  const until = performance.now() + ms;
  return {
    ...router,
    async matrix(points, profile) {
      const guess = () => straightLineRouter().matrix(points, profile);
      const msLeft = until - performance.now();
      if (msLeft <= 0) return guess();
      const answered = new AbortController();
      const late = sleep(msLeft, undefined, { signal: answered.signal }).then(guess, guess);
      try {
        return await Promise.race([router.matrix(points, profile), late]);
      } finally {
        answered.abort();
      }
    },
  };
}
