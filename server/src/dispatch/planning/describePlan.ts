import { arriveAfter, beginAfter, workingSeconds } from './calendar.ts';
import type { Compiled } from './compileProblem.ts';
import { explainUnplanned } from './explainUnplanned.ts';
import type { Plan, PlanCost, PlannedRoute, PlannedStop } from './planProblem.ts';

/** The plan that a search has packed, with its times and its cost computed from nothing but the order of the visits. */
export function describePlan(
  problem: Compiled,
  packed: Int32Array,
  search: { iterations: number; wasCut: boolean },
): Plan {
  const { requests } = problem.problem;
  const unplanned = new Set(requests.map(({ id }) => id));
  const cost: PlanCost = {
    total: 0,
    lateSeconds: 0,
    travelSeconds: 0,
    serviceSeconds: 0,
    waitingSeconds: 0,
    metres: 0,
    drivers: 0,
    moved: 0,
    unplanned: 0,
  };
  const routes: PlannedRoute[] = [];
  let next = 0;
  for (let driver = 0; driver < problem.drivers; driver += 1) {
    const length = packed[next]!;
    const visits = packed.subarray(next + 1, next + 1 + length);
    next += 1 + length;
    if (length === 0) continue;
    for (const visit of visits)
      if (problem.requestOf[visit]! >= 0) unplanned.delete(requests[problem.requestOf[visit]!]!.id);
    routes.push(describeRoute(problem, driver, visits, cost));
  }
  for (const request of requests)
    if (unplanned.has(request.id)) {
      cost.unplanned += 1;
      cost.total += problem.weights.unplanned * (1 + (request.priority ?? 0));
    }
  return {
    routes,
    unplanned: explainUnplanned(problem.problem, unplanned, search.wasCut),
    cost,
    iterations: search.iterations,
  };
}

function describeRoute(problem: Compiled, driver: number, visits: Int32Array, cost: PlanCost): PlannedRoute {
  const { weights, places, place, service, lateCost, start, end, seconds, problem: input } = problem;
  const times = timesOf(problem, driver, visits);
  const stops = [...visits].map((visit, at): PlannedStop => {
    const lateSeconds = Math.max(0, times.begins[at]! - problem.due[visit]!);
    cost.lateSeconds += lateSeconds;
    cost.total += lateSeconds * lateCost[visit]!;
    return {
      ...nameOf(problem, driver, visit),
      arriveAt: times.arrivals[at]!,
      beginAt: times.begins[at]!,
      leaveAt: times.begins[at]! + service[visit]!,
      lateSeconds,
    };
  });

  const way = [start[driver]!, ...[...visits].map((visit) => place[visit]!), end[driver]!];
  let travelSeconds = 0;
  let metres = 0;
  for (let at = 1; at < way.length; at += 1) {
    travelSeconds += seconds[way[at - 1]! * places + way[at]!]!;
    metres += way[at] === way[at - 1] ? 0 : (input.matrix.metres[way[at - 1]!]?.[way[at]!] ?? 0);
  }
  const serviceSeconds = visits.reduce((sum, visit) => sum + service[visit]!, 0);
  const before = problem.worked[driver]!;
  const after = before + travelSeconds + serviceSeconds;
  const moved = [...new Set([...visits].map((visit) => problem.requestOf[visit]!))].filter(
    (request) => request >= 0 && problem.moveCost[driver * problem.requests + request]! > 0,
  ).length;
  const isUsed = visits.length > problem.fixed[driver]!.length;
  cost.travelSeconds += travelSeconds;
  cost.serviceSeconds += serviceSeconds;
  cost.waitingSeconds += times.waiting;
  cost.metres += metres;
  cost.moved += moved;
  if (isUsed) cost.drivers += 1;
  cost.total +=
    weights.drivingSecond * travelSeconds +
    weights.metre * metres +
    weights.waitingSecond * times.waiting +
    (weights.fairness * (after ** 2 - before ** 2)) / 3600 +
    weights.move * moved +
    (isUsed ? weights.driver : 0);
  const last = visits.at(-1)!;
  const toEnd = seconds[place[last]! * places + end[driver]!]!;
  return {
    driver: input.drivers[driver]!.id,
    leaveAt: times.leaveAt,
    endAt: arriveAfter(problem.breaks[driver]!, stops.at(-1)!.leaveAt, toEnd),
    stops,
    travelSeconds,
    metres,
  };
}

function nameOf({ requestOf, first, hasPickup, fixed, problem }: Compiled, driver: number, visit: number) {
  const request = requestOf[visit]!;
  if (request < 0) return { request: null, stop: fixed[driver]!.indexOf(visit) };
  return {
    request: problem.requests[request]!.id,
    stop: visit - first[request]! + (hasPickup[request] ? 0 : 1),
  };
}

/**
 * When the visits of a route happen. A run, which begins with an empty vehicle, begins as late as it can without ending
 * later or making a stop late.
 */
function timesOf(problem: Compiled, driver: number, visits: Int32Array) {
  const { place, places, seconds, service, earliest, due, from, start, aboardChange, hasPickup, requestOf } =
    problem;
  const breaks = problem.breaks[driver]!;
  const arrivals: number[] = [];
  const begins: number[] = [];
  let waiting = 0;
  let leaveAt = from[driver]!;
  const follow = (
    first: number,
    last: number,
    leave: number,
    at: number,
  ): { wait: number; slack: number } => {
    let time = leave;
    let here = at;
    let wait = 0;
    let slack = Number.POSITIVE_INFINITY;
    for (let position = first; position < last; position += 1) {
      const visit = visits[position]!;
      const leg = seconds[here * places + place[visit]!]!;
      const arrival = arriveAfter(breaks, time, leg);
      const begin = beginAfter(breaks, Math.max(arrival, earliest[visit]!), service[visit]!);
      const waited = workingSeconds(breaks, arrival, begin);
      if (position > first && begin - time - leg - waited > 0.001) slack = Math.min(slack, wait);
      wait += waited;
      slack = Math.min(slack, wait + Math.max(0, due[visit]! - begin));
      arrivals[position] = arrival;
      begins[position] = begin;
      time = begin + service[visit]!;
      here = place[visit]!;
    }
    return { wait, slack };
  };
  let aboard = problem.fixed[driver]!.length;
  for (const visit of visits) if (requestOf[visit]! >= 0 && !hasPickup[requestOf[visit]!]) aboard += 1;
  let isOut = aboard > 0;
  let here = start[driver]!;
  let time = from[driver]!;
  for (let first = 0; first < visits.length; ) {
    let last = first;
    do aboard += aboardChange[visits[last++]!]!;
    while (aboard > 0 && last < visits.length);
    const { wait, slack } = follow(first, last, time, here);
    const delay = isOut ? 0 : Math.min(wait, slack);
    if (delay > 0) {
      const idle = arriveAfter(breaks, time, delay);
      follow(first, last, idle, here);
      if (first === 0) leaveAt = idle;
    }
    waiting += wait - delay;
    isOut = false;
    here = place[visits[last - 1]!]!;
    time = begins[last - 1]! + service[visits[last - 1]!]!;
    first = last;
  }
  return { arrivals, begins, waiting, leaveAt };
}
