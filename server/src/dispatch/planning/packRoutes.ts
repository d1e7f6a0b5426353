import type { Routes } from './routes.ts';

/** Lengths and visits of all routes, one after the other. */
export function packRoutes(routes: Routes, into: Int32Array): void {
  const { drivers, stride } = routes.problem;
  let next = 0;
  for (let driver = 0; driver < drivers; driver += 1) {
    const base = driver * stride;
    const length = routes.length[driver]!;
    into[next++] = length;
    for (let at = base + 1; at <= base + length; at += 1) into[next++] = routes.visit[at]!;
  }
}

/** Takes over what `packRoutes` wrote. */
export function unpackRoutes(routes: Routes, packed: Int32Array): void {
  const { drivers, stride, requestOf, requests } = routes.problem;
  routes.driverOf.fill(-1);
  let next = 0;
  for (let driver = 0; driver < drivers; driver += 1) {
    const length = packed[next++]!;
    const base = driver * stride;
    routes.length[driver] = length;
    for (let at = base + 1; at <= base + length; at += 1) {
      const visit = packed[next++]!;
      routes.visit[at] = visit;
      if (requestOf[visit]! >= 0) routes.driverOf[requestOf[visit]!] = driver;
    }
    routes.evaluate(driver);
  }
  routes.bankSize = 0;
  for (let request = 0; request < requests; request += 1)
    if (routes.driverOf[request] === -1) routes.bank[routes.bankSize++] = request;
  routes.commit();
}
