import type { Position } from '../../platform/kernel/position.ts';
import { type CircuitState, callGuard, type GuardCounters, type GuardOptions } from '../engines/callGuard.ts';
import {
  type Matrix,
  NoRoadBetween,
  PointOffRoad,
  type Profile,
  type Router,
  RoutingUnavailable,
} from './router.ts';
import { straightLineRouter } from './straightLine.ts';

export interface GuardedRouter extends Router {
  counters(): GuardCounters & { state: CircuitState };
}

/** Protects callers from a slow or dead engine. A point off the roads or without a way is an answer, not a failure. */
export function guardedRouter(inner: Router, options: GuardOptions = {}): GuardedRouter {
  const { guard, counters } = callGuard({ unavailable, isFailure }, options);
  return {
    name: inner.name,
    matrix: (points, profile) => guard(() => inner.matrix(points, profile)),
    route: (points, profile) => guard(() => inner.route(points, profile)),
    counters,
  };
}

const unavailable = (message: string): RoutingUnavailable =>
  new RoutingUnavailable(`the routing engine ${message}`);

const isFailure = (error: unknown): boolean =>
  error instanceof RoutingUnavailable && !(error instanceof NoRoadBetween);

/** The maximum of points off the roads. Each costs a request; more of them mean that the roads are of another place. */
const OFF_ROAD_MAX = 8;

/**
 * A matrix that is not refused because of single points. Ways to and from points off the roads are estimated by
 * straight lines, and so are all ways when the points are too far apart for the engine. For uses in which one bad
 * point must not fail the others; not for estimates.
 */
export async function lenientMatrix(
  router: Router,
  points: readonly Position[],
  profile: Profile,
): Promise<Matrix> {
  const guess = () => straightLineRouter().matrix(points, profile);
  const onRoad = [...points.keys()];
  while (onRoad.length > 1 && points.length - onRoad.length <= OFF_ROAD_MAX)
    try {
      const asked = onRoad.map((index) => points[index]!);
      const known = await router.matrix(asked, profile);
      return onRoad.length === points.length ? known : filledIn(await guess(), known, onRoad);
    } catch (error) {
      if (error instanceof NoRoadBetween) break;
      if (!(error instanceof PointOffRoad)) throw error;
      onRoad.splice(error.index, 1);
    }
  return guess();
}

function filledIn(guessed: Matrix, known: Matrix, indexes: readonly number[]): Matrix {
  for (const [row, from] of indexes.entries())
    for (const [column, to] of indexes.entries()) {
      guessed.metres[from]![to] = known.metres[row]![column]!;
      guessed.seconds[from]![to] = known.seconds[row]![column]!;
    }
  return guessed;
}
