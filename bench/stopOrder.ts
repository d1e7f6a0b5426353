import { bestStopOrder, STOPS_MAX } from '../server/src/money/pricing/stopOrder.ts';

const ROUNDS = 3000;
const BRUTE_FORCE_ROUNDS = 5;

/** The exact order of ten stops: its time to compute, and the results of the two simple heuristics. */
export async function run(): Promise<void> {
  const random = randomFrom(20261115);
  const trips = Array.from({ length: ROUNDS }, () => cityCosts(random));
  const stops = Array.from({ length: STOPS_MAX }, (_, index) => index + 1);

  for (const cost of trips) bestStopOrder(cost, { start: 0, stops });
  const exact = trips.map((cost) => timed(() => bestStopOrder(cost, { start: 0, stops })!.cost));
  const times = exact.map(({ millis }) => millis).sort((a, b) => a - b);
  const p50 = percentile(times, 0.5);
  console.log(`stop order, ${STOPS_MAX} stops, open path, ${ROUNDS} random cities`);
  console.log(`  exact             p50 ${p50.toFixed(3)} ms   p99 ${percentile(times, 0.99).toFixed(3)} ms`);

  const longer = trips.map((cost, index) => nearestNeighbour(cost) / exact[index]!.result - 1);
  const worse = longer.filter((ratio) => ratio > 0).length;
  const average = longer.reduce((sum, ratio) => sum + ratio, 0) / ROUNDS;
  console.log(
    `  nearest neighbour ${percent(average)} longer on average, longer at all in ${percent(worse / ROUNDS)} of cases`,
  );

  const brute = trips.slice(0, BRUTE_FORCE_ROUNDS).map((cost) => timed(() => bruteForce(cost)));
  const agreeing = brute.filter(({ result }, index) => result === exact[index]!.result).length;
  const bruteMillis = brute.reduce((sum, { millis }) => sum + millis, 0) / BRUTE_FORCE_ROUNDS;
  console.log(
    `  brute force       ${bruteMillis.toFixed(1)} ms, ${Math.round(bruteMillis / p50)} times as long, same cost in ${agreeing} of ${BRUTE_FORCE_ROUNDS}`,
  );
}

/**
 * Seconds between points of a 10 by 10 km city at 25 km/h. Each distance is up to a fifth longer, for one-way streets.
 */
function cityCosts(random: () => number): number[][] {
  const points = Array.from({ length: STOPS_MAX + 1 }, () => [random() * 10_000, random() * 10_000] as const);
  return points.map(([x, y]) =>
    points.map(([toX, toY]) => Math.round((Math.hypot(toX - x, toY - y) / 6.94) * (1 + random() / 5))),
  );
}

function nearestNeighbour(cost: number[][]): number {
  const left = new Set(cost.keys());
  left.delete(0);
  let at = 0;
  let total = 0;
  while (left.size > 0) {
    const next = [...left].reduce((best, stop) => (cost[at]![stop]! < cost[at]![best]! ? stop : best));
    total += cost[at]![next]!;
    left.delete(next);
    at = next;
  }
  return total;
}

function bruteForce(cost: number[][], at = 0, left = (1 << cost.length) - 2): number {
  if (left === 0) return 0;
  let least = Number.POSITIVE_INFINITY;
  for (let next = 1; next < cost.length; next++)
    if (left & (1 << next))
      least = Math.min(least, cost[at]![next]! + bruteForce(cost, next, left ^ (1 << next)));
  return least;
}

function timed<Result>(work: () => Result): { result: Result; millis: number } {
  const begun = performance.now();
  const result = work();
  return { result, millis: performance.now() - begun };
}

const percentile = (sorted: number[], share: number): number => sorted[Math.floor(sorted.length * share)]!;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** mulberry32: the same cities on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
