import { type BatchProblem, planBatches } from '../server/src/dispatch/rounds/planMerge.ts';
import { straightLineRouter } from '../server/src/geo/routing/straightLine.ts';
import { bestStopOrder, STOPS_MAX } from '../server/src/money/pricing/stopOrder.ts';
import { randomFrom } from '../server/src/platform/kernel/random.ts';

const DAYS = 20;
const ROUNDS = 2_000;
const WINDOW_SECONDS = 15 * 60;
const ROUTE_SECONDS_MAX = 90 * 60;

/**
 * Automatic merge on generated days of one company with 30 to 100 orders between 10:00 and 20:00: the total time on the
 * road of Malote's batches, compared with no merge and with a greedy one that fills the first batch that has room.
 */
export async function run(): Promise<void> {
  let apart = 0;
  let greedy = 0;
  let ours = 0;
  const millis: number[] = [];
  console.log('day  orders   apart (min)   greedy (min)   ours (min)   batches   plan (ms)');
  for (let day = 1; day <= DAYS; day += 1) {
    const problem = await dayOfOrders(day);
    const started = performance.now();
    const batches = planBatches(problem, { rounds: ROUNDS, random: randomFrom(day) });
    millis.push(performance.now() - started);
    const each = problem.orders.map((_, order) => [order]);
    const totals = [each, greedyBatches(problem), batches].map((some) => totalSeconds(problem, some));
    apart += totals[0]!;
    greedy += totals[1]!;
    ours += totals[2]!;
    const cells = [
      String(day).padStart(3),
      String(problem.orders.length).padStart(7),
      ...totals.map((seconds) => (seconds / 60).toFixed(0).padStart(13)),
      String(batches.length).padStart(9),
      millis.at(-1)!.toFixed(0).padStart(11),
    ];
    console.log(cells.join(' '));
  }
  const share = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)} %`;
  console.log(
    `\nours is ${share(ours, apart)} of the time without merge, and ${share(ours, greedy)} of greedy's`,
  );
  console.log(`greedy is ${share(greedy, apart)} of the time without merge`);
  console.log(
    `planning a day: mean ${(millis.reduce((a, b) => a + b) / DAYS).toFixed(0)} ms, most ${Math.max(...millis).toFixed(0)} ms`,
  );
}

/** Customers live around a few centres, and orders come in two waves. */
async function dayOfOrders(day: number): Promise<BatchProblem> {
  const random = randomFrom(day * 7919);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const centres = Array.from({ length: 4 }, () => ({
    lat: -30.04 + normal() * 0.02,
    lng: -51.21 + normal() * 0.02,
  }));
  const orders = Array.from({ length: 30 + Math.floor(random() * 71) }, () => {
    const centre = centres[Math.floor(random() * centres.length)]!;
    const hour = (random() < 0.5 ? 12 : 19) + normal() * 1.2;
    return {
      stop: { lat: centre.lat + normal() * 0.008, lng: centre.lng + normal() * 0.008 },
      dispatchAt: Math.round(Math.min(20, Math.max(10, hour)) * 3600),
    };
  });
  const points = [{ lat: -30.0305, lng: -51.2303 }, ...orders.map(({ stop }) => stop)];
  const { seconds } = await straightLineRouter().matrix(points, 'motorcycle');
  return {
    seconds: seconds as number[][],
    orders: orders.map(({ dispatchAt }, index) => ({ stops: [index + 1], dispatchAt })),
    returning: false,
    stopsMax: STOPS_MAX,
    windowSeconds: WINDOW_SECONDS,
    routeSecondsMax: ROUTE_SECONDS_MAX,
  };
}

/** In order of dispatch, puts each order into the first batch that has room, fits the window and becomes shorter. */
function greedyBatches(problem: BatchProblem): number[][] {
  const batches: number[][] = [];
  const byTime = [...problem.orders.keys()].sort(
    (a, b) => problem.orders[a]!.dispatchAt - problem.orders[b]!.dispatchAt,
  );
  for (const order of byTime) {
    const fits = batches.find((batch) => {
      const joined = [...batch, order];
      const times = joined.map((each) => problem.orders[each]!.dispatchAt);
      const saves = totalSeconds(problem, [joined]) < totalSeconds(problem, [batch, [order]]);
      return (
        joined.length <= problem.stopsMax &&
        Math.max(...times) - Math.min(...times) <= problem.windowSeconds &&
        saves
      );
    });
    if (fits) fits.push(order);
    else batches.push([order]);
  }
  return batches;
}

const totalSeconds = (problem: BatchProblem, batches: readonly (readonly number[])[]): number =>
  batches.reduce((sum, batch) => {
    const stops = batch.flatMap((order) => [...problem.orders[order]!.stops]);
    return (
      sum + (stops.length > STOPS_MAX ? Infinity : bestStopOrder(problem.seconds, { start: 0, stops })!.cost)
    );
  }, 0);
