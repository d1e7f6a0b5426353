import { describePlan } from '../planning/describePlan.ts';
import type { Plan, PlanProblem, PlanRequest, PublishedRoute } from '../planning/planProblem.ts';
import { Search } from '../planning/search.ts';

/**
 * What would become of the requests without a plan: those that a driver has stay there, and each of the others goes, the
 * one that waits longest first, to the driver who would be at its pickup first.
 */
export function planAsNow(problem: PlanProblem, waiting: readonly number[]): Plan {
  const { matrix, drivers, published = [] } = problem;
  const requests = new Map(problem.requests.map((request) => [request.id, request]));
  const way = (from: number, to: number): number =>
    from === to ? 0 : (matrix.seconds[from]![to] ?? Number.POSITIVE_INFINITY);
  const states = drivers.map((driver) => {
    const state = { driver, at: driver.start, freeAt: driver.shift.from, stops: [] as number[] };
    for (const { place, serviceSeconds } of driver.fixed ?? []) visit(state, place, serviceSeconds);
    return state;
  });
  type State = (typeof states)[number];
  function visit(state: { at: number; freeAt: number }, place: number, serviceSeconds: number): void {
    state.freeAt += way(state.at, place) + serviceSeconds;
    state.at = place;
  }
  const give = (state: State, { id, pickup, drops }: PlanRequest): void => {
    for (const stop of [pickup!, ...drops]) visit(state, stop.place, stop.serviceSeconds);
    state.stops.push(id);
  };
  for (const { driver, stops } of published) {
    const state = states.find((each) => each.driver.id === driver);
    if (state) for (const id of new Set(stops.map(({ request }) => request))) give(state, requests.get(id)!);
  }
  const given = new Set(states.flatMap(({ stops }) => stops));
  for (const id of waiting) {
    const request = requests.get(id)!;
    if (given.has(id)) continue;
    let [best, soonest]: [State | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const state of states) {
      const there = state.freeAt + way(state.at, request.pickup!.place);
      if (there >= soonest || !mayServe(state, request)) continue;
      [best, soonest] = [state, there];
    }
    if (best) give(best, request);
  }
  const routes = states.map(
    ({ driver, stops }): PublishedRoute => ({
      driver: driver.id,
      stops: stops.flatMap((request) => [
        { request, stop: 0 },
        { request, stop: 1 },
      ]),
    }),
  );
  const asGiven = { ...problem, published: routes };
  const search = new Search(asGiven, 1);
  search.construct(() => 0);
  return describePlan(search.problem, search.best, search);
}

const mayServe = ({ driver }: { driver: PlanProblem['drivers'][number] }, request: PlanRequest): boolean =>
  (request.onlyDriver ?? driver.id) === driver.id &&
  (request.skills ?? []).every((skill) => driver.skills?.includes(skill));
