import { describePlan } from './describePlan.ts';
import type { Plan, PlanLimits, PlanProblem } from './planProblem.ts';
import { runSearch } from './runSearch.ts';
import { Search } from './search.ts';

/**
 * Plans who serves which requests in which order. Throws a RangeError when the problem contradicts itself. Blocks the
 * thread until the limits; `planInThreads` does not.
 */
export function planRoutes(problem: PlanProblem, limits: PlanLimits = {}): Plan {
  const search = new Search(problem, limits.seed ?? 1);
  runSearch(search, limits);
  return describePlan(search.problem, search.best, search);
}
