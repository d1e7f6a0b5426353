/** Contract section 8: a request has at most this many stops. The solver's memory is sized by it. */
export const STOPS_MAX = 10;

export interface StopTrip {
  /** The start. Like `stops` and `end`, an index into the cost matrix. */
  start: number;
  /** Two stops may share an index when they are at the same place. */
  stops: readonly number[];
  /** Where the driver must end, the start or elsewhere; absent when the last stop is the end. */
  end?: number;
  /** Positions in `stops` that are visited after all others. */
  last?: ReadonlySet<number>;
}

export interface StopOrder {
  /** Positions in `trip.stops`, in the order of visiting. */
  order: number[];
  cost: number;
}

/** Means "no way". The sum of two still fits an Int32, and no sum of a trip's legs reaches it. */
const NO_WAY = 2 ** 30 - 1;
const COST_MAX = Math.floor((NO_WAY - 1) / (STOPS_MAX + 1));

// The search has no pause in which another could begin, so all share this memory.
// Integers and Math.min make it two to three times as fast as floats and a branch.
const legs = new Int32Array((STOPS_MAX + 1) * STOPS_MAX);
const rests = new Int32Array(2 ** STOPS_MAX * STOPS_MAX);

/**
 * The cheapest order of visiting all stops, by dynamic programming over subsets (Held-Karp): exact, not heuristic.
 * Costs are non-negative integers (RangeError otherwise), need not be symmetric, and are null where no way exists;
 * a cost above about 97 million (three years in seconds) also counts as no way. Null when no order is possible.
 * Among several cheapest orders it returns the lexicographically smallest, so the result is unique.
 */
export function bestStopOrder(
  cost: readonly (readonly (number | null)[])[],
  trip: StopTrip,
): StopOrder | null {
  const count = trip.stops.length;
  if (count < 1 || count > STOPS_MAX) throw new RangeError(`cannot order ${count} stops`);

  // legs[from * count + to]: from stop to stop; the row after the last stop's is the start's.
  const start = count;
  for (let to = 0; to < count; to++) {
    for (let from = 0; from < count; from++)
      legs[from * count + to] = costBetween(cost, trip.stops[from]!, trip.stops[to]!);
    legs[start * count + to] = costBetween(cost, trip.start, trip.stops[to]!);
  }
  if (trip.last) closeLegsBefore(trip.last, count);

  // rests[set * count + from]: the least cost of visiting the set after `from`, the way to the end included.
  for (let from = 0; from < count; from++)
    rests[from] = trip.end === undefined ? 0 : costBetween(cost, trip.stops[from]!, trip.end);
  const whole = 2 ** count - 1;
  for (let set = 1; set < whole; set++)
    for (let outside = whole ^ set; outside !== 0; outside &= outside - 1) {
      const from = lowest(outside);
      rests[set * count + from] = leastRest(set, from, count);
    }

  const least = leastRest(whole, start, count);
  if (least === NO_WAY) return null;

  // Going forward and taking the first stop with the least cost gives the smallest order.
  const order: number[] = [];
  for (let set = whole, from = start, rest = least; set !== 0; ) {
    let next = 0;
    while (!(set & (1 << next)) || costVia(next, set, from, count) !== rest) next++;
    order.push(next);
    set ^= 1 << next;
    rest = rests[set * count + next]!;
    from = next;
  }
  return { order, cost: least };
}

/**
 * Removes the legs that would visit one of the last stops before another stop: from the last stops to the others, and
 * from the start to the last stops.
 */
function closeLegsBefore(last: ReadonlySet<number>, count: number): void {
  const others = Array.from({ length: count }, (_, stop) => stop).filter((stop) => !last.has(stop));
  if (others.length === 0) return;
  for (const stop of last) {
    legs[count * count + stop] = NO_WAY;
    for (const other of others) legs[stop * count + other] = NO_WAY;
  }
}

/** Staying at a place costs nothing, whatever the routing engine answers. */
function costBetween(cost: readonly (readonly (number | null)[])[], from: number, to: number): number {
  if (from === to) return 0;
  const value = cost[from]?.[to] ?? null;
  if (value === null) return NO_WAY;
  if (!Number.isInteger(value) || value < 0)
    throw new RangeError(`not a cost from ${from} to ${to}: ${value}`);
  return value > COST_MAX ? NO_WAY : value;
}

function leastRest(set: number, from: number, count: number): number {
  let least = NO_WAY;
  for (let left = set; left !== 0; left &= left - 1)
    least = Math.min(least, costVia(lowest(left), set, from, count));
  return least;
}

const costVia = (next: number, set: number, from: number, count: number): number =>
  legs[from * count + next]! + rests[(set ^ (1 << next)) * count + next]!;

/** The lowest member of a set stored as bits. */
const lowest = (set: number): number => 31 - Math.clz32(set & -set);
