import type { Settings } from '../../centrals/central.ts';
import { type Matrix, PointOffRoad, type Profile, type Router } from '../../geo/routing/router.ts';
import { bestStopOrder, STOPS_MAX } from '../../money/pricing/stopOrder.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { randomFrom } from '../../platform/kernel/random.ts';
import type { Mergeable } from './mergeStore.ts';

/** A batch that saves enough to be merged. */
export interface MergeBatch {
  /** By dispatch: the first carries the others, so none is dispatched later than planned. */
  members: Mergeable[];
  secondsBefore: number;
  metresBefore: number;
}

const ROUNDS = 2_000;
/** Planning blocks the event loop, and a dispatch may be due. */
const PLANNING_MS_MAX = 250;

/** Which of some orders of one merge key should travel together. One with a stop off the roads travels alone. */
export async function planMerge(
  router: Router,
  profile: Profile,
  mergeable: readonly Mergeable[],
  settings: Settings,
): Promise<MergeBatch[]> {
  const { orders, seconds, metres } = await matrixOf(router, profile, mergeable);
  if (orders.length < 2) return [];
  let next = 1;
  const problem: BatchProblem = {
    seconds: seconds.map((row) => row.map((cell) => cell ?? Number.POSITIVE_INFINITY)),
    orders: orders.map(({ stops, dispatchAt }) => ({
      stops: stops.map(() => next++),
      dispatchAt: dispatchAt.epochMilliseconds / 1000,
    })),
    returning: orders[0]!.returning,
    stopsMax: STOPS_MAX,
    windowSeconds: settings.mergeWindowMinutes * 60,
    routeSecondsMax: settings.mergeRouteMinutesMax * 60,
  };
  const ends = performance.now() + PLANNING_MS_MAX;
  const batches = planBatches(problem, {
    rounds: ROUNDS,
    random: randomFrom(orders[0]!.id),
    isOver: () => performance.now() > ends,
  });

  const lengthOf = (stops: readonly number[]) => routeLength(seconds, metres, stops, problem.returning);
  return batches.flatMap((batch) => {
    if (batch.length < 2) return [];
    const alone = batch.map((order) => lengthOf(problem.orders[order]!.stops));
    const joint = lengthOf(batch.flatMap((order) => [...problem.orders[order]!.stops]));
    if (!joint || alone.some((each) => each === null)) return [];
    const secondsBefore = alone.reduce((sum, each) => sum + each!.seconds, 0);
    const metresBefore = alone.reduce((sum, each) => sum + each!.metres, 0);
    const saving = 1 - joint.seconds / Math.max(1, secondsBefore);
    if (saving * 100 < settings.mergeSavingPercentMin) return [];
    const members = batch.map((order) => orders[order]!).sort(byDispatch);
    return [{ members, secondsBefore, metresBefore }];
  });
}

/** The matrix of the pickup and all stops, and the orders of the stops. */
async function matrixOf(
  router: Router,
  profile: Profile,
  mergeable: readonly Mergeable[],
): Promise<Matrix & { orders: readonly Mergeable[] }> {
  let orders = mergeable;
  while (orders.length > 1)
    try {
      const points: Position[] = [orders[0]!.pickup, ...orders.flatMap(({ stops }) => stops)];
      return { ...(await router.matrix(points, profile)), orders };
    } catch (error) {
      if (!(error instanceof PointOffRoad) || error.index === 0) throw error;
      const owners = orders.flatMap((order) => order.stops.map(() => order));
      orders = orders.filter((order) => order !== owners[error.index - 1]);
    }
  return { orders, metres: [], seconds: [] };
}

const byDispatch = (a: Mergeable, b: Mergeable): number =>
  Temporal.Instant.compare(a.dispatchAt, b.dispatchAt) || a.id - b.id;

function routeLength(
  seconds: readonly (readonly (number | null)[])[],
  metres: readonly (readonly (number | null)[])[],
  stops: readonly number[],
  returning: boolean,
): { seconds: number; metres: number } | null {
  const best = bestStopOrder(seconds, { start: 0, stops, ...(returning && { end: 0 }) });
  if (!best) return null;
  const visited = [0, ...best.order.map((at) => stops[at]!), ...(returning ? [0] : [])];
  const legs = visited.slice(1).map((to, at) => metres[visited[at]!]![to] ?? 0);
  return { seconds: best.cost, metres: legs.reduce((sum, leg) => sum + leg, 0) };
}

/** Orders of one company from one pickup that might travel together, on one matrix of road seconds. */
export interface BatchProblem {
  /** Row = from, column = to; index 0 is the pickup. Infinity where there is no way. */
  seconds: readonly (readonly number[])[];
  orders: readonly BatchOrder[];
  /** Whether the driver returns to the pickup after each batch. */
  returning: boolean;
  stopsMax: number;
  /** Orders further apart than this do not travel together. */
  windowSeconds: number;
  /** No batch may take longer than this on the road, however much it saves. */
  routeSecondsMax: number;
}

export interface BatchOrder {
  /** Indexes into the matrix. */
  stops: readonly number[];
  /** Epoch seconds of the planned dispatch. */
  dispatchAt: number;
}

export interface BatchSearch {
  rounds: number;
  random: () => number;
  /** Ends the search early with the best plan so far. */
  isOver?: () => boolean;
}

/** Indexes of orders that travel together, and the way through their stops. */
interface Batch {
  orders: number[];
  route: number[];
  seconds: number;
}

const RUIN_SHARE = 0.25;
const RUIN_ORDERS_MIN = 6;
const RUIN_ORDERS_MAX = 14;
/** The probability of skipping a batch, so that the cheapest place is not always taken. */
const BLINK = 0.03;
/** How much worse an accepted plan may initially be. The tolerance falls to zero. */
const TOLERANCE = 0.02;

/**
 * Groups orders so that the total travel time is least, by ruin and recreate: neighbouring orders are taken out of
 * their batches, and each is put back where it costs least; the better plan is kept. Returns all batches, including
 * those of one order.
 */
export function planBatches(problem: BatchProblem, search: BatchSearch): number[][] {
  let current = recreate(problem, [], shuffled([...problem.orders.keys()], search.random), search.random);
  let best = current;
  for (let round = 0; round < search.rounds && !search.isOver?.(); round += 1) {
    const { kept, removed } = ruin(problem, current, search.random);
    const next = recreate(problem, kept, shuffled(removed, search.random), search.random);
    const tolerance = 1 + TOLERANCE * (1 - round / search.rounds);
    if (totalOf(next) < totalOf(current) * tolerance) current = next;
    if (totalOf(next) < totalOf(best)) best = next;
  }
  return best.map((batch) => [...batch.orders].sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!);
}

const totalOf = (batches: readonly Batch[]): number => batches.reduce((sum, { seconds }) => sum + seconds, 0);

/** Takes out a random order and those whose stops are nearest to it. */
function ruin(
  problem: BatchProblem,
  batches: readonly Batch[],
  random: () => number,
): { kept: Batch[]; removed: number[] } {
  const { orders, seconds } = problem;
  const limit = Math.min(RUIN_ORDERS_MAX, Math.max(RUIN_ORDERS_MIN, Math.ceil(orders.length * RUIN_SHARE)));
  const count = 1 + Math.floor(random() * limit);
  const [centre] = orders[Math.floor(random() * orders.length)]!.stops;
  const removed = [...orders.keys()]
    .map((order) => ({ order, away: seconds[centre!]![orders[order]!.stops[0]!]! }))
    .sort((a, b) => a.away - b.away || a.order - b.order)
    .slice(0, count)
    .map(({ order }) => order);
  const out = new Set(removed);
  const kept: Batch[] = [];
  for (const batch of batches) {
    const staying = batch.orders.filter((order) => !out.has(order));
    if (staying.length === batch.orders.length) kept.push(batch);
    else if (staying.length > 0) kept.push(withoutStops(problem, batch, staying));
  }
  return { kept, removed };
}

function withoutStops(problem: BatchProblem, batch: Batch, staying: number[]): Batch {
  const stops = staying.flatMap((order) => [...problem.orders[order]!.stops]);
  const counts = new Map<number, number>();
  for (const stop of stops) counts.set(stop, (counts.get(stop) ?? 0) + 1);
  const route = batch.route.filter((stop) => {
    const left = counts.get(stop) ?? 0;
    counts.set(stop, left - 1);
    return left > 0;
  });
  return { orders: staying, route, seconds: routeSeconds(problem, route) };
}

function recreate(
  problem: BatchProblem,
  kept: readonly Batch[],
  orders: readonly number[],
  random: () => number,
): Batch[] {
  const batches = [...kept];
  for (const order of orders) {
    const alone = insert(problem, { orders: [], route: [], seconds: 0 }, order)!;
    let bestAt = batches.length;
    let best = alone;
    let bestGrowth = alone.seconds;
    for (const [at, batch] of batches.entries()) {
      const joined =
        random() >= BLINK && mayJoin(problem, batch, order) ? insert(problem, batch, order) : null;
      if (!joined || joined.seconds > problem.routeSecondsMax) continue;
      const growth = joined.seconds - batch.seconds;
      if (growth < bestGrowth) {
        bestGrowth = growth;
        bestAt = at;
        best = joined;
      }
    }
    batches[bestAt] = best;
  }
  return batches;
}

function mayJoin({ orders, stopsMax, windowSeconds }: BatchProblem, batch: Batch, order: number): boolean {
  const { stops, dispatchAt } = orders[order]!;
  return (
    batch.route.length + stops.length <= stopsMax &&
    batch.orders.every((other) => Math.abs(orders[other]!.dispatchAt - dispatchAt) <= windowSeconds)
  );
}

/** Inserts each stop of the order where it lengthens the route least. */
function insert(problem: BatchProblem, batch: Batch, order: number): Batch {
  const route = [...batch.route];
  for (const stop of problem.orders[order]!.stops) route.splice(cheapestPlace(problem, route, stop), 0, stop);
  return { orders: [...batch.orders, order], route, seconds: routeSeconds(problem, route) };
}

function cheapestPlace({ seconds, returning }: BatchProblem, route: readonly number[], stop: number): number {
  let best = 0;
  let bestGrowth = Number.POSITIVE_INFINITY;
  for (let place = 0; place <= route.length; place += 1) {
    const before = place === 0 ? 0 : route[place - 1]!;
    const after = place < route.length ? route[place]! : returning ? 0 : undefined;
    const growth =
      after === undefined
        ? seconds[before]![stop]!
        : seconds[before]![stop]! + seconds[stop]![after]! - seconds[before]![after]!;
    if (growth < bestGrowth) {
      bestGrowth = growth;
      best = place;
    }
  }
  return best;
}

function routeSeconds({ seconds, returning }: BatchProblem, route: readonly number[]): number {
  let total = 0;
  let at = 0;
  for (const stop of route) {
    total += seconds[at]![stop]!;
    at = stop;
  }
  return returning && route.length > 0 ? total + seconds[at]![0]! : total;
}

function shuffled<Item>(items: Item[], random: () => number): Item[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other]!, items[last]!];
  }
  return items;
}
