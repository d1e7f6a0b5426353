/** Orders of one company from one pickup that might travel together, on one matrix of road seconds. */
export interface BatchProblem {
  /** Row = from, column = to; index 0 is the pickup. Infinity where there is no way. */
  seconds: readonly (readonly number[])[];
  orders: readonly BatchOrder[];
  /** The driver comes back to the pickup after each batch. */
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
  /** Ends the search early; what was found so far stands. */
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
/** A batch is now and then passed over, so that the cheapest place is not always the one taken. */
const BLINK = 0.03;
/** How much worse a plan may be and still be gone on from, at the beginning; it falls to nothing. */
const TOLERANCE = 0.02;

/**
 * Which orders should travel together, so that the total time on the road is least: ruin and recreate. A
 * neighbourhood of orders is taken out of its batches and each is put back where it costs least; the better
 * plan is kept. Answers with all batches, those of one order included.
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

/** Takes out one order at random and those whose stops lie nearest to it. */
function ruin(
  problem: BatchProblem,
  batches: readonly Batch[],
  random: () => number,
): { kept: Batch[]; removed: number[] } {
  const { orders, seconds } = problem;
  const most = Math.min(RUIN_ORDERS_MAX, Math.max(RUIN_ORDERS_MIN, Math.ceil(orders.length * RUIN_SHARE)));
  const count = 1 + Math.floor(random() * most);
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

/** Each stop of the order goes where the route grows least. */
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
