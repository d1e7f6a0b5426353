import { describePlan } from './describePlan.ts';
import type { Plan, PlanLimits, PlanProblem, PublishedRoute } from './planProblem.ts';
import { runSearch } from './runSearch.ts';
import { Search } from './search.ts';

/**
 * Plans who serves which requests in which order. Throws a RangeError when the problem contradicts itself. Blocks the
 * thread until the limits; `planInThreads` does not.
 */
export function planRoutes(problem: PlanProblem, limits: PlanLimits = {}): Plan {
  const started = performance.now();
  const search = new Search(problem, limits.seed ?? 1);
  runSearch(search, limits, started);
  return describePlan(search.problem, search.best, search);
}

/** With the time to describe the plan, an answer within 200 ms. */
const REPLAN_MILLIS = 150;

/**
 * Plans what came new into a published plan, while a person waits. What is published stays where it is, unless moving it
 * saves more than the weight `move`. Blocks the thread until the limits.
 */
export function replanRoutes(
  problem: PlanProblem,
  published: readonly PublishedRoute[],
  limits: PlanLimits = { millis: REPLAN_MILLIS },
): Plan {
  return planRoutes({ ...problem, published }, limits);
}

/** A plan as the one that drivers know. Fixed stops are not part of it. */
export const publishedOf = ({ routes }: Plan): PublishedRoute[] =>
  routes.map(({ driver, stops }) => ({
    driver,
    stops: stops.flatMap(({ request, stop }) => (request === null ? [] : [{ request, stop }])),
  }));
