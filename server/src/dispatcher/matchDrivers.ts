import type { Position } from '../kernel/position.ts';
import { lenientMatrix } from '../routing/lenientMatrix.ts';
import type { Profile, Router } from '../routing/router.ts';
import { assign } from './assign.ts';
import { indexDrivers, type Reach } from './candidates.ts';
import type { FreeDriver, Searching } from './distributionStore.ts';

export interface Match {
  delivery: Searching;
  /** Who to offer it to, the best first. */
  drivers: FreeDriver[];
}

/** A second of waiting counts as much as this share of a second on the road, so nobody waits for ever. */
const WAITING_WEIGHT = 0.5;

/**
 * Pairs waiting deliveries with free drivers, all together: the drivers nearest to each pickup are found by
 * index, their road times come from one matrix for each kind of vehicle (a driver who stands off the roads is
 * still a driver), and the pairing is the one of least total time. Taking the nearest driver for each delivery
 * in turn costs more on the whole.
 */
export async function matchDrivers(
  router: Router,
  searching: readonly Searching[],
  drivers: readonly FreeDriver[],
  options: { reach: Reach; offersAtOnce: number; now: Temporal.Instant },
): Promise<Match[]> {
  const nearest = indexDrivers(drivers);
  const candidates = searching.map((delivery) => nearest(delivery, options.reach));
  const seconds = await roadSeconds(router, searching, candidates);
  const columnOf = new Map(drivers.map((driver, column) => [driver.id, column]));
  const waited = searching.map(
    ({ searchSince }) => options.now.since(searchSince).total('seconds') * WAITING_WEIGHT,
  );
  const longest = Math.max(0, ...waited);
  const cost = searching.map((_, row) => {
    const cells: (number | null)[] = drivers.map(() => null);
    for (const [at, driver] of candidates[row]!.entries()) {
      const time = seconds[row]![at];
      if (time != null) cells[columnOf.get(driver.id)!] = time + longest - waited[row]!;
    }
    return cells;
  });
  const pairing = assign(cost);
  const taken = new Set(pairing);
  return searching.map((delivery, row) => {
    const first = pairing[row] ?? null;
    if (first === null) return { delivery, drivers: [] };
    const others = candidates[row]!.map((driver, at) => ({ driver, time: seconds[row]![at] ?? null }))
      .filter(({ driver, time }) => time !== null && !taken.has(columnOf.get(driver.id)!))
      .sort((a, b) => a.time! - b.time!)
      .slice(0, options.offersAtOnce - 1)
      .map(({ driver }) => driver);
    for (const other of others) taken.add(columnOf.get(other.id)!);
    return { delivery, drivers: [drivers[first]!, ...others] };
  });
}

/** For each delivery and each of its candidates: seconds until the pickup, what it still carries included. */
async function roadSeconds(
  router: Router,
  searching: readonly Searching[],
  candidates: readonly (readonly FreeDriver[])[],
): Promise<(number | null)[][]> {
  const times: (number | null)[][] = searching.map((_, row) => candidates[row]!.map(() => null));
  const rowsOf = Map.groupBy(searching.keys(), (row) => searching[row]!.profile);
  for (const [profile, rows] of rowsOf) {
    const asked = rows.filter((row) => candidates[row]!.length > 0);
    if (asked.length === 0) continue;
    const table = await timeTable(router, profile, asked, searching, candidates);
    for (const row of asked)
      for (const [at, driver] of candidates[row]!.entries()) {
        const road = table(driver.from, searching[row]!.pickup);
        times[row]![at] = road === null ? null : road + (driver.carrying?.secondsLeft ?? 0);
      }
  }
  return times;
}

async function timeTable(
  router: Router,
  profile: Profile,
  rows: readonly number[],
  searching: readonly Searching[],
  candidates: readonly (readonly FreeDriver[])[],
): Promise<(from: Position, to: Position) => number | null> {
  const places = new Map<string, number>();
  const points: Position[] = [];
  const indexOf = (position: Position): number => {
    const key = `${position.lat} ${position.lng}`;
    const known = places.get(key);
    if (known !== undefined) return known;
    places.set(key, points.length);
    return points.push(position) - 1;
  };
  for (const row of rows) {
    indexOf(searching[row]!.pickup);
    for (const { from } of candidates[row]!) indexOf(from);
  }
  const matrix = points.length < 2 ? { seconds: [[0]] } : await lenientMatrix(router, points, profile);
  return (from, to) => matrix.seconds[indexOf(from)]?.[indexOf(to)] ?? null;
}
