import type { Plan, PlannedRoute } from '../planning/planProblem.ts';
import { epoch, type Problem, type Situation } from './makeProblem.ts';
import type { LeftOut, PlanFigures, PlannedOrder, StoredPlan, StoredRoute, StoredStop } from './plan.ts';

/** The plan as it is kept: blocks are taken apart into their stops, with times, loads and lateness. */
export function storePlan(
  situation: Situation,
  problem: Problem,
  plans: { before: Plan; after: Plan },
  refused: readonly LeftOut[],
): StoredPlan {
  const { after } = plans;
  const leftOut = after.unplanned.map(({ request, reason }) => ({ deliveryId: request, reason }));
  return {
    routes: after.routes
      .map((route) => storeRoute(situation, problem, route))
      .sort((a, b) => a.driverId - b.driverId),
    leftOut: [...refused, ...leftOut].sort((a, b) => a.deliveryId - b.deliveryId),
    before: figuresOf(situation, problem, plans.before),
    after: figuresOf(situation, problem, after),
    cost: after.cost.total,
    iterations: after.iterations,
  };
}

function storeRoute(situation: Situation, problem: Problem, route: PlannedRoute): StoredRoute {
  const { runs, drivers } = situation;
  const stops = storeStops(situation, problem, route);
  const own = runs.filter(({ driverId }) => driverId === route.driver);
  const planned = Map.groupBy(
    route.stops.filter(({ request }) => request !== null),
    ({ request }) => request!,
  );
  const endOf = (id: number): number => planned.get(id)!.at(-1)!.leaveAt;
  return {
    driverId: route.driver,
    leaveAt: route.leaveAt,
    endAt: route.endAt,
    travelSeconds: Math.round(route.travelSeconds + sumOf(planned, problem, 'travelSeconds')),
    metres: Math.round(route.metres + sumOf(planned, problem, 'metres')),
    lateSeconds: stops.reduce((sum, { lateSeconds }) => sum + lateSeconds, 0),
    orders: [...planned.keys()].sort((a, b) => endOf(a) - endOf(b)).map((id) => storeOrder(situation, id)),
    stops,
    carriedIds: own.map(({ id }) => id),
    wasOnDuty: drivers.find(({ id }) => id === route.driver)!.available,
  };
}

function storeOrder({ orders }: Situation, id: number): PlannedOrder {
  const { driverId, mark } = orders.find((order) => order.id === id)!;
  return { deliveryId: id, fromDriverId: driverId, mark, hardSlack: null };
}

const sumOf = (
  planned: ReadonlyMap<number, unknown>,
  { blocks }: Problem,
  what: 'travelSeconds' | 'metres',
): number => [...planned.keys()].reduce((sum, id) => sum + blocks.get(id)![what], 0);

function storeStops(
  { promises, runs }: Situation,
  { blocks, fixed }: Problem,
  route: PlannedRoute,
): StoredStop[] {
  const stops: StoredStop[] = [];
  let aboard = runs.filter(
    ({ driverId, status }) => driverId === route.driver && status === 'in_progress',
  ).length;
  const fixedOf = fixed.get(route.driver)!;
  for (const planned of route.stops) {
    const { arriveAt, beginAt, leaveAt, request } = planned;
    if (request === null) {
      const { kind, deliveryId, stopId } = fixedOf[planned.stop]!;
      const promisedAt = promises.get(deliveryId) ?? null;
      const dueAt = kind === 'stop' && promisedAt ? epoch(promisedAt) : null;
      const isLast = fixedOf.findLast((each) => each.deliveryId === deliveryId) === fixedOf[planned.stop];
      if (kind === 'pickup') aboard += 1;
      if (isLast) aboard -= 1;
      stops.push({
        kind,
        deliveryId,
        stopId,
        isFixed: true,
        arriveAt,
        beginAt,
        leaveAt,
        dueAt,
        ...late(beginAt, dueAt),
        aboard,
      });
      continue;
    }
    const base = { deliveryId: request, isFixed: false };
    if (planned.stop === 0) {
      aboard += 1;
      stops.push({
        ...base,
        kind: 'pickup',
        stopId: null,
        arriveAt,
        beginAt,
        leaveAt,
        dueAt: null,
        lateSeconds: 0,
        aboard,
      });
      continue;
    }
    const { stops: parts } = blocks.get(request)!;
    for (const [index, { kind, stopId, after, dueAt }] of parts.entries()) {
      const begin = beginAt + after;
      const isLast = index === parts.length - 1;
      if (isLast) aboard -= 1;
      stops.push({
        ...base,
        ...{ kind, stopId, dueAt, aboard },
        arriveAt: index === 0 ? arriveAt : begin,
        beginAt: begin,
        leaveAt: isLast ? leaveAt : Math.min(leaveAt, begin + HANDED_OVER_SECONDS),
        ...late(begin, dueAt),
      });
    }
  }
  return stops;
}

const HANDED_OVER_SECONDS = 180;

const late = (beginAt: number, dueAt: number | null): { lateSeconds: number } => ({
  lateSeconds: Math.max(0, Math.round(beginAt - (dueAt ?? beginAt))),
});

/** Of the whole work of the drivers, what they carry already included. */
function figuresOf(situation: Situation, problem: Problem, plan: Plan): PlanFigures {
  const routes = plan.routes.map((route) => storeRoute(situation, problem, route));
  const stops = routes.flatMap((route) => route.stops);
  const total = (of: 'lateSeconds' | 'travelSeconds' | 'metres'): number =>
    routes.reduce((sum, route) => sum + route[of], 0);
  return {
    lateSeconds: total('lateSeconds'),
    late: new Set(stops.filter(({ lateSeconds }) => lateSeconds > 0).map(({ deliveryId }) => deliveryId))
      .size,
    travelSeconds: total('travelSeconds'),
    metres: total('metres'),
    drivers: routes.filter(({ stops: own }) => own.length > 0).length,
    leftOut: plan.unplanned.length,
  };
}
