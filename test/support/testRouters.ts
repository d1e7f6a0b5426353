import {
  estimatorFor,
  estimatorRouters,
  type Router,
  type Routers,
  RoutingUnavailable,
} from '../../server/src/routing/router.ts';

export interface TestRouters extends Routers {
  /** Runs before each planning question is answered, until the next `restore`. */
  whileAsked(work: () => unknown): void;
  /** From now on planning questions are not answered. */
  fail(): void;
  /** The next planning question waits until it is let go; others are answered. */
  hold(): HeldQuestion;
  restore(): void;
}

export interface HeldQuestion {
  /** Resolves when it was asked. */
  asked: Promise<void>;
  releaseGrouped(): void;
}

/** The estimator, with planning that a test can slow down, disturb and break. */
export function testRouters(): TestRouters {
  let before: () => unknown = () => undefined;
  let failing = false;
  const planning = (router: Router): Router => ({
    ...router,
    async matrix(points, profile) {
      await before();
      if (failing) throw new RoutingUnavailable('told to fail');
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
      return { asked: asked.promise, releaseGrouped: gate.resolve };
    },
    restore() {
      before = () => undefined;
      failing = false;
    },
  };
}
