import type { Settings } from '../centrals/central.ts';
import { EngineUnavailable, type GuardCounters } from '../engines/callGuard.ts';
import type { Position } from '../kernel/position.ts';
import type { CacheCounters } from './cachedRouter.ts';
import { STRAIGHT_LINE_DEFAULTS, straightLineRouter } from './straightLine.ts';

/** How a category's vehicle uses the roads. */
export const PROFILES = ['motorcycle', 'car', 'bicycle'] as const;
export type Profile = (typeof PROFILES)[number];

/** Row = from, column = to. A cell is null where the road network has no way. */
export interface Matrix {
  metres: (number | null)[][];
  seconds: (number | null)[][];
}

export interface RoadRoute {
  metres: number;
  seconds: number;
  legs: { metres: number; seconds: number }[];
  /** [lng, lat] pairs, as GeoJSON has them. */
  geometry: [number, number][];
}

/**
 * The interface of all routers. Integer metres and seconds. Rejects with RoutingUnavailable when the engine does
 * not answer in time or answers invalid data, and with PointOffRoad when a point lies too far from any road.
 */
export interface Router {
  readonly name: string;
  matrix(points: readonly Position[], profile: Profile): Promise<Matrix>;
  route(points: readonly Position[], profile: Profile): Promise<RoadRoute>;
}

export class RoutingUnavailable extends EngineUnavailable {
  override name = 'RoutingUnavailable';
}

/**
 * The engine works and finds no route between the points, or none within its limits: a retry changes nothing. In a
 * matrix this is a null cell instead.
 */
export class NoRoadBetween extends RoutingUnavailable {
  override name = 'NoRoadBetween';
}

export class PointOffRoad extends Error {
  override name = 'PointOffRoad';
  readonly index: number;
  constructor(index: number) {
    super(`point ${index} is too far from any road`);
    this.index = index;
  }
}

/** The engine gives no route for these points: it is out of order, or a point or all of them are out of its reach. */
export const isUnroutable = (error: unknown): boolean =>
  error instanceof RoutingUnavailable || error instanceof PointOffRoad;

/** An engine answers such a point, also the pole, with an error about the whole request. */
export function assertOnEarth(points: readonly Position[]): void {
  const index = points.findIndex(({ lat, lng }) => !(Math.abs(lat) < 90 && Math.abs(lng) <= 180));
  if (index !== -1) throw new PointOffRoad(index);
}

/** The router of a central, for each use. */
export interface Routers {
  /** Always answers: falls back to the straight-line estimator when the engine is unavailable. */
  forEstimates(settings: Settings): Router;
  /** Real roads or an error: a stop order is not built on an estimate. */
  forPlanning(settings: Settings): Router;
  /** For metrics. */
  figures(): RoutingFigures;
}

export interface RoutingFigures {
  engines: { name: string; guard: GuardCounters; cache: CacheCounters }[];
  /** How often the estimator was used as a fallback. */
  fallbacks: number;
}

/** The straight-line estimator with a central's own factors; its speed scales the other vehicles' too. */
export function estimatorFor(settings: Settings): Router {
  const speedUp = settings.estimatorKmPerHour / 25;
  const { motorcycle, car, bicycle } = STRAIGHT_LINE_DEFAULTS.metresPerSecond;
  return straightLineRouter({
    interceptMetres: settings.estimatorInterceptMetres,
    detourFactor: settings.estimatorDetourPercent / 100,
    metresPerSecond: { motorcycle: motorcycle * speedUp, car: car * speedUp, bicycle: bicycle * speedUp },
  });
}

/** Without imported roads or a configured engine, the estimator serves every use. */
export const estimatorRouters: Routers = {
  forEstimates: estimatorFor,
  forPlanning: estimatorFor,
  figures: () => ({ engines: [], fallbacks: 0 }),
};

/**
 * Answers from the estimator while the engine is unavailable, and reports it to `onFallback`. Only for estimates.
 * A point off the roads or without a way is the engine's answer and is passed on.
 */
export function withFallback(
  primary: Router,
  estimator: Router,
  onFallback: (reason: RoutingUnavailable) => void,
): Router {
  async function either<Answer>(ask: (router: Router) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(primary);
    } catch (error) {
      if (!(error instanceof RoutingUnavailable) || error instanceof NoRoadBetween) throw error;
      onFallback(error);
      return ask(estimator);
    }
  }
  return {
    name: primary.name,
    matrix: (points, profile) => either((router) => router.matrix(points, profile)),
    route: (points, profile) => either((router) => router.route(points, profile)),
  };
}
