import { type Router, RoutingUnavailable } from '../../server/src/geo/routing/router.ts';
import { estimatorFor, estimatorRouters, type Routers } from '../../server/src/geo/routing/routers.ts';

export interface TestRouters extends Routers {
  /** Runs the work before each planning request is answered, until the next `restore`. */
  whileAsked(work: () => unknown): void;
  /** Planning requests fail until `restore`. */
  fail(): void;
  /** The next planning request waits until it is released; others are answered. */
  hold(): HeldQuestion;
  restore(): void;
}

export interface HeldQuestion {
  /** Resolves when the request has arrived. */
  asked: Promise<void>;
  release(): void;
}

/** The estimator, with planning requests that a test can delay, hold and fail. */
export function testRouters(): TestRouters {
  let before: () => unknown = () => undefined;
  let failing = false;
  const planning = (router: Router): Router => ({
    ...router,
    async matrix(points, profile) {
      await before();
      if (failing) throw new RoutingUnavailable('fails as the test demands');
      return router.matrix(points, profile);
    },
  });
  return {
    ...estimatorRouters,
    forEstimates: estimatorFor,
    forPlanning: (settings) => planning(estimatorFor(settings)),
    whileAsked(work) {
      before = work;
    },
    fail() {
      failing = true;
    },
    hold() {
      const asked = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      before = () => {
        before = () => undefined;
        asked.resolve();
        return gate.promise;
      };
      return { asked: asked.promise, release: gate.resolve };
    },
    restore() {
      before = () => undefined;
      failing = false;
    },
  };
}
