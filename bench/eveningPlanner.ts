import type {
  FixedStop,
  Plan,
  PlanDriver,
  PlanProblem,
  PlanRequest,
  PublishedRoute,
} from '../server/src/dispatch/planning/planProblem.ts';
import { planRoutes, publishedOf } from '../server/src/dispatch/planning/planRoutes.ts';
import {
  DROP_SECONDS,
  type Evening,
  type EveningOrder,
  type EveningStop,
  PICKUP_SECONDS,
} from './eveningWorld.ts';

/** Orders that come later take time too, so stops are planned this much before their promise. */
const CAUTION_SECONDS = 300;
/** More fairness than by default also keeps more drivers near the shops, so fewer orders are late. */
const WEIGHTS = { fairness: 1 };
/** Boxes of a motorcycle hold so many orders. */
const CAPACITY = 4;

interface DriverState {
  id: number;
  /** Stops that were begun, or to which the driver has left. Nothing takes them back. */
  done: EveningStop[];
}

export interface PlannerOptions {
  /** A new plan so often. */
  everySeconds: number;
  /** Of the search, so that the evening does not depend on the machine. */
  iterations: number;
  seed: number;
  onPlan?: (millis: number, plan: Plan) => void;
}

/**
 * The evening with the planner: from time to time all orders that are known are planned anew from the last plan. A
 * driver keeps what is aboard and the stop it has left for.
 */
export function runPlanner(evening: Evening, options: PlannerOptions): EveningStop[] {
  const { everySeconds } = options;
  const states = evening.drivers.map((_, id): DriverState => ({ id, done: [] }));
  let published: readonly PublishedRoute[] = [];
  const count = evening.orders.reduce((sum, { drops }) => sum + drops.length + 1, 0);
  const doneCount = (): number => states.reduce((sum, { done }) => sum + done.length, 0);
  for (let now = evening.begin; doneCount() < count; now += everySeconds) {
    const problem = problemAt(evening, states, published, now);
    if (problem.requests.length === 0) continue;
    const { seed, iterations } = options;
    const started = performance.now();
    const plan = planRoutes(problem, { seed, iterations });
    options.onPlan?.(performance.now() - started, plan);
    for (const route of plan.routes) carryOut(evening, states[route.driver]!, route, now + everySeconds);
    published = publishedOf(plan);
  }
  return states.flatMap(({ done }) => done);
}

/** What is left to do at a time. */
function problemAt(
  evening: Evening,
  states: readonly DriverState[],
  published: readonly PublishedRoute[],
  now: number,
): PlanProblem {
  const done = new Map<number, { driver: number; stops: Set<number> }>();
  for (const state of states)
    for (const { order, stop } of state.done) {
      const known = done.get(order) ?? { driver: state.id, stops: new Set() };
      known.stops.add(stop);
      done.set(order, known);
    }
  const requests = evening.orders.flatMap((order): PlanRequest[] => {
    if (order.knownAt > now) return [];
    const { driver, stops = new Set<number>() } = done.get(order.id) ?? {};
    const drops = order.drops.flatMap((place, at) =>
      stops.has(at + 1)
        ? []
        : [
            {
              place,
              serviceSeconds: DROP_SECONDS,
              amounts: [1],
              window: { latest: order.promisedAt - CAUTION_SECONDS },
            },
          ],
    );
    if (drops.length === 0) return [];
    const pickup = { place: order.pickup, serviceSeconds: PICKUP_SECONDS, readyAt: order.readyAt };
    return driver === undefined
      ? [{ id: order.id, pickup, drops }]
      : [{ id: order.id, pickup: null, drops, onlyDriver: driver }];
  });
  const drivers = states.map((state) => driverAt(evening, state, now));
  // Requests are renumbered by their stops, so only what has not begun can be published.
  const open = new Set(requests.flatMap(({ id, pickup }) => (pickup ? [id] : [])));
  const left = published.map(({ driver, stops }) => ({
    driver,
    stops: stops.filter(({ request }) => open.has(request)),
  }));
  return { matrix: evening.matrix, requests, drivers, published: left, weights: WEIGHTS };
}

/** A driver under way is where it left, and has the stop it left for before all others. */
function driverAt({ orders, drivers }: Evening, { id, done }: DriverState, now: number): PlanDriver {
  const last = done.at(-1);
  const isUnderWay = last !== undefined && last.leaveAt > now;
  const workedSeconds = done.reduce((sum, { departAt, leaveAt }) => sum + leaveAt - departAt, 0);
  const driver = { id, capacity: [CAPACITY], workedSeconds };
  if (!isUnderWay)
    return { ...driver, start: last?.place ?? drivers[id]!, shift: { from: now, to: now + 86_400 } };
  const order = orders.find((each) => each.id === last.order)!;
  const fixed: FixedStop = {
    place: last.place,
    serviceSeconds: last.leaveAt - last.beginAt,
    amounts: [last.stop === 0 ? 0 : -1],
    window: last.stop === 0 ? { earliest: order.readyAt } : { latest: order.promisedAt },
  };
  return {
    ...driver,
    ...{ start: last.from, shift: { from: last.departAt, to: now + 86_400 } },
    ...{ fixed: [fixed], load: [last.stop === 0 ? 0 : 1] },
  };
}

/** The driver leaves for every stop whose time has come before the next plan. */
function carryOut(
  { matrix, drivers, orders }: Evening,
  state: DriverState,
  { stops }: Plan['routes'][number],
  until: number,
): void {
  const before = [...state.done];
  for (const { request, stop, arriveAt, beginAt, leaveAt } of stops) {
    if (request === null) continue;
    const order: EveningOrder = orders.find(({ id }) => id === request)!;
    const served = new Set(before.flatMap((each) => (each.order === request ? [each.stop] : [])));
    const from = state.done.at(-1)?.place ?? drivers[state.id]!;
    const number = stopNumber(order, served, stop);
    const place = number === 0 ? order.pickup : order.drops[number - 1]!;
    const departAt = arriveAt - matrix.seconds[from]![place]!;
    if (departAt >= until) return;
    state.done.push({
      ...{ driver: state.id, order: request, stop: number, from, place },
      ...{ departAt, beginAt, leaveAt },
    });
  }
}

/** Drops of a request are counted without those that were served before it was planned. */
function stopNumber({ drops }: EveningOrder, served: ReadonlySet<number>, stop: number): number {
  if (stop === 0) return 0;
  return drops.map((_, at) => at + 1).filter((number) => !served.has(number))[stop - 1]!;
}
