import type { Settings } from '../centrals/settings.ts';
import { bestStopOrder, STOPS_MAX } from '../estimates/stopOrder.ts';
import type { Position } from '../kernel/position.ts';
import { randomFrom } from '../kernel/random.ts';
import { type Matrix, PointOffRoad, type Profile, type Router } from '../routing/router.ts';
import type { Mergeable } from './mergeStore.ts';
import { type BatchProblem, planBatches } from './planBatches.ts';

/** A batch worth travelling together. */
export interface MergeBatch {
  /** By dispatch: the first carries the others, so nobody leaves later than planned. */
  members: Mergeable[];
  secondsBefore: number;
  metresBefore: number;
}

const ROUNDS = 2_000;
/** Nobody else has a turn meanwhile, and a dispatch may be due. */
const PLANNING_MS_MAX = 250;

/** Which of some kindred orders should travel together. One with a stop off the roads travels alone. */
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
    if (!joint || alone.some((one) => one === null)) return [];
    const secondsBefore = alone.reduce((sum, one) => sum + one!.seconds, 0);
    const metresBefore = alone.reduce((sum, one) => sum + one!.metres, 0);
    const saving = 1 - joint.seconds / Math.max(1, secondsBefore);
    if (saving * 100 < settings.mergeSavingPercentMin) return [];
    const members = batch.map((order) => orders[order]!).sort(byDispatch);
    return [{ members, secondsBefore, metresBefore }];
  });
}

/** The ways between the pickup and all stops, and the orders that these are of. */
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
