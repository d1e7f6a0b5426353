import type { Plan, PlannedRoute, UnplannedReason } from '../planning/planProblem.ts';
import { whyNoSkills } from './abilities.ts';
import type { Problem } from './makeProblem.ts';
import type { LeftOut, PlanFigures, PlannedOrder, StoredPlan, StoredRoute, StoredStop } from './plan.ts';
import type { Situation } from './situation.ts';
import type { PlannableOrder } from './situationStore.ts';
import type { NamedStop } from './workOfDelivery.ts';

/** The plan as it is kept: blocks are taken apart into their stops, with times, loads and lateness. */
export function storePlan(
  situation: Situation,
  problem: Problem,
  plans: { before: Plan; after: Plan },
  refused: readonly LeftOut[],
): StoredPlan {
  const { after } = plans;
  const leftOut = after.unplanned.map((unplanned) => explain(situation, problem, unplanned));
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

/** The reason of the planner, told apart by what the drivers lack. */
function explain(
  situation: Situation,
  { blocks }: Problem,
  { request, reason }: Plan['unplanned'][number],
): LeftOut {
  const order = situation.orders.find(({ id }) => id === request)!;
  const until = blocks.get(request)!.stops[0]!.dueAt;
  return {
    deliveryId: request,
    ...reasonOf(order, situation, reason),
    ...(until !== null && { until }),
  };
}

function reasonOf(
  order: PlannableOrder,
  situation: Situation,
  reason: UnplannedReason,
): Pick<LeftOut, 'reason' | 'equipment'> {
  if (reason === 'no-driver-with-skills') return whyNoSkills(order, situation);
  // Drivers outside of their shifts take no part.
  return { reason: reason === 'no-drivers' && situation.drivers.length > 0 ? 'no-shift-then' : reason };
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
    orders: [...planned.keys()]
      .sort((a, b) => endOf(a) - endOf(b))
      .map((id) => storeOrder(situation, problem, route, id)),
    stops,
    carriedIds: own.map(({ id }) => id),
    wasOnDuty: drivers.find(({ id }) => id === route.driver)!.available,
  };
}

function storeOrder(
  { orders }: Situation,
  { problem, blocks }: Problem,
  route: PlannedRoute,
  id: number,
): PlannedOrder {
  const { driverId, mark } = orders.find((order) => order.id === id)!;
  const { shift } = problem.drivers.find((driver) => driver.id === route.driver)!;
  const { beginAt, leaveAt } = route.stops.find(({ request, stop }) => request === id && stop === 1)!;
  const slacks = blocks
    .get(id)!
    .stops.flatMap(({ dueAt, isHard, after }) => (isHard && dueAt !== null ? [dueAt - beginAt - after] : []));
  return {
    deliveryId: id,
    fromDriverId: driverId,
    mark,
    hardSlack: Math.floor(Math.min(shift.to - leaveAt, ...slacks)),
  };
}

const sumOf = (
  planned: ReadonlyMap<number, unknown>,
  { blocks }: Problem,
  what: 'travelSeconds' | 'metres',
): number => [...planned.keys()].reduce((sum, id) => sum + blocks.get(id)![what], 0);

function storeStops({ runs }: Situation, { blocks, fixed }: Problem, route: PlannedRoute): StoredStop[] {
  const stops: StoredStop[] = [];
  const fixedOf = fixed.get(route.driver)!;
  let aboard = runs.filter(
    ({ driverId, status }) => driverId === route.driver && status === 'in_progress',
  ).length;
  const add = (
    { kind, deliveryId, stopId, dueAt }: NamedStop,
    isFixed: boolean,
    isLast: boolean,
    times: Pick<StoredStop, 'arriveAt' | 'beginAt' | 'leaveAt'>,
  ): void => {
    if (kind === 'pickup') aboard += 1;
    if (isLast) aboard -= 1;
    const lateSeconds = Math.max(0, Math.round(times.beginAt - (dueAt ?? times.beginAt)));
    stops.push({ kind, deliveryId, stopId, isFixed, ...times, dueAt, lateSeconds, aboard });
  };
  for (const { arriveAt, beginAt, leaveAt, request, stop } of route.stops) {
    const times = { arriveAt, beginAt, leaveAt };
    if (request === null) {
      const named = fixedOf[stop]!;
      add(named, true, fixedOf[stop + 1]?.deliveryId !== named.deliveryId, times);
    } else if (stop === 0) {
      const pickup = {
        kind: 'pickup',
        deliveryId: request,
        stopId: null,
        dueAt: null,
        isHard: false,
      } as const;
      add(pickup, false, false, times);
    } else {
      const { stops: parts } = blocks.get(request)!;
      for (const [index, part] of parts.entries()) {
        const begin = beginAt + part.after;
        add(part, false, index === parts.length - 1, {
          arriveAt: index === 0 ? arriveAt : begin,
          beginAt: begin,
          leaveAt: begin + part.serviceSeconds,
        });
      }
    }
  }
  return stops;
}

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
