import type { Settings } from '../centrals/settings.ts';
import type { CacheCounters } from './cachedRouter.ts';
import type { GuardCounters } from './guardedRouter.ts';
import type { Router } from './router.ts';

/** Which router answers for a central, and for what. */
export interface Routers {
  /** Always answers: falls back to the straight-line estimator when the roads are out of reach. */
  forEstimates(settings: Settings): Router;
  /** Real roads or nothing: a stop order is not built on a guess. */
  forPlanning(settings: Settings): Router;
  /** For metrics. */
  figures(): RoutingFigures;
}

export interface RoutingFigures {
  engines: { name: string; guard: GuardCounters; cache: CacheCounters }[];
  /** How often the estimator stood in. */
  fallbacks: number;
}
