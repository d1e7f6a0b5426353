import type { PublishedRoute } from './planProblem.ts';
import type { Routes } from './routes.ts';

/** Puts the requests of published routes into the routes, in their order, as far as they still may be served so. */
export function startFromPublished(routes: Routes, published: readonly PublishedRoute[]): void {
  const { problem } = routes;
  const driverAt = new Map(problem.problem.drivers.map(({ id }, at) => [id, at]));
  const requestAt = new Map(problem.problem.requests.map(({ id }, at) => [id, at]));
  for (const { driver: id, stops } of published) {
    const driver = driverAt.get(id);
    if (driver === undefined) continue;
    const visits = new Set<number>();
    for (const { request, stop } of stops) {
      const visit = visitOf(routes, requestAt.get(request), stop);
      if (visit !== -1) visits.add(visit);
    }
    addInOrder(routes, driver, [...visits]);
  }
  let left = 0;
  for (let request = 0; request < problem.requests; request += 1)
    if (routes.driverOf[request] === -1) routes.bank[left++] = request;
  routes.bankSize = left;
  routes.commit();
}

function visitOf({ problem }: Routes, request: number | undefined, stop: number): number {
  if (request === undefined) return -1;
  const visit = problem.first[request]! + stop - (problem.hasPickup[request] ? 0 : 1);
  return visit >= problem.first[request]! && visit < problem.first[request + 1]! ? visit : -1;
}

/** Takes one request more at a time, and leaves out those with which the route would break a rule. */
function addInOrder(routes: Routes, driver: number, visits: readonly number[]): void {
  const { drivers, stride, fixed, first, requestOf, requests, mayServe, hasPickup } = routes.problem;
  const taken = new Set<number>();
  const spare = drivers * stride;
  for (const request of new Set(visits.map((visit) => requestOf[visit]!))) {
    const own = visits.filter((visit) => requestOf[visit] === request);
    const isWhole = own.length === first[request + 1]! - first[request]!;
    if (!isWhole || routes.driverOf[request] !== -1 || !mayServe[driver * requests + request]) continue;
    if (hasPickup[request] && own[0] !== first[request]) continue;
    const order = visits.filter((visit) => taken.has(requestOf[visit]!) || requestOf[visit] === request);
    const whole = [...fixed[driver]!, ...order];
    if (whole.length > stride - 2) break;
    routes.visit.set(whole, spare + 1);
    routes.length[drivers] = whole.length;
    routes.evaluate(driver, drivers);
    if (!routes.isFeasible(driver, drivers)) continue;
    taken.add(request);
    routes.driverOf[request] = driver;
    routes.visit.set(whole, driver * stride + 1);
    routes.length[driver] = whole.length;
  }
  routes.evaluate(driver);
}
