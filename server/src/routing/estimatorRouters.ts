import type { Settings } from '../centrals/settings.ts';
import type { Router } from './router.ts';
import type { Routers } from './routers.ts';
import { STRAIGHT_LINE_DEFAULTS, straightLineRouter } from './straightLine.ts';

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

/** Where no roads were imported and no engine is configured, the estimator serves for everything. */
export const estimatorRouters: Routers = {
  forEstimates: estimatorFor,
  forPlanning: estimatorFor,
  figures: () => ({ engines: [], fallbacks: 0 }),
};
