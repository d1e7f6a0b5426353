import { NoRoadBetween, type Router, RoutingUnavailable } from './router.ts';

/**
 * Answers from the estimator while the real one is out of order, and says so to `onFallback`. Only for uses that
 * may be a guess: an estimate. A point off the roads or without a way is the real one's answer and stays one.
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
