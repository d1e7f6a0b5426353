import type { Settings } from '../../centrals/central.ts';
import type { GuardCounters } from '../engines/callGuard.ts';
import type { CacheCounters } from './cachedRouter.ts';
import { NoRoadBetween, type Router, RoutingUnavailable } from './router.ts';
import { STRAIGHT_LINE_DEFAULTS, straightLineRouter } from './straightLine.ts';

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
