import type { Compiled } from './compileProblem.ts';
import type { Routes } from './routes.ts';

/**
 * Places for a request with several drops, or whose goods are aboard: for every place of the pickup each drop goes where
 * it lengthens the way least. The route is built in the spare route and computed whole.
 */
export class SeveralDrops {
  readonly problem: Compiled;
  readonly routes: Routes;
  readonly random: () => number;
  /** The visits of the best route found last. */
  best: Int32Array;
  length = 0;
  readonly #drops: Int32Array;
  #dropCount = 0;

  constructor(routes: Routes, random: () => number) {
    this.problem = routes.problem;
    this.routes = routes;
    this.random = random;
    this.best = new Int32Array(routes.problem.stride);
    this.#drops = new Int32Array(routes.problem.place.length);
  }

  /** What the request adds to the cost of a route, or Infinity when that is not less than a bound. */
  priceIn(driver: number, request: number, bound: number): number {
    const { problem, routes } = this;
    const { first, hasPickup, fixed, drivers } = problem;
    this.#shuffleDrops(request);
    const pickup = hasPickup[request] ? first[request]! : -1;
    const lowest = fixed[driver]!.length;
    const base = driver * problem.stride;
    let found = Number.POSITIVE_INFINITY;
    let least = bound;
    const lastPlace = pickup === -1 ? lowest : routes.length[driver]!;
    for (let at = lowest; at <= lastPlace; at += 1) {
      if (pickup !== -1) {
        if (routes.leave[base + at]! > problem.latest[pickup]!) break;
        if (!(this.#leastPrice(driver, request, base + at) < least)) continue;
      }
      this.#copyRoute(driver);
      if (pickup !== -1) routes.insert(drivers, at, pickup);
      routes.evaluate(driver, drivers);
      if (!this.#insertDrops(driver, pickup === -1 ? lowest : at + 1)) continue;
      const price = routes.cost[drivers]! - routes.cost[driver]!;
      if (!(price < least) || !routes.isFeasible(driver, drivers)) continue;
      least = found = price;
      this.#keep();
    }
    return found;
  }

  /** What the pickup after a position costs at least: its way, and lateness of its drops and of the next stop. */
  #leastPrice(driver: number, request: number, at: number): number {
    const { first, place, places, cost, costTo, seconds, secondsTo, service, earliest, due, lateCost } =
      this.problem;
    const { routes } = this;
    const pickup = first[request]!;
    const row = place[pickup]! * places;
    const before = routes.placeAt[at]!;
    const after = routes.placeAt[at + 1]!;
    const begin = Math.max(routes.leave[at]! + secondsTo[row + before]!, earliest[pickup]!);
    const leave = begin + service[pickup]!;
    const then = leave + seconds[row + after]!;
    if (begin > this.problem.latest[pickup]! || then > routes.latestBegin[at + 1]!)
      return Number.POSITIVE_INFINITY;
    let price = costTo[row + before]! + cost[row + after]! - routes.arc[at + 1]!;
    if (!this.problem.isTimed) return price;
    for (let drop = pickup + 1; drop < first[request + 1]!; drop += 1)
      price += Math.max(0, leave + seconds[row + place[drop]!]! - due[drop]!) * lateCost[drop]!;
    const end = driver * this.problem.stride + routes.length[driver]! + 1;
    price += routes.lateMoreAt(at + 1, end - 1, then);
    return price - (routes.waitedAfter[end]! - routes.waited[at]!);
  }

  #shuffleDrops(request: number): void {
    const { first, hasPickup } = this.problem;
    this.#dropCount = 0;
    for (let drop = first[request]! + hasPickup[request]!; drop < first[request + 1]!; drop += 1) {
      const other = Math.floor(this.random() * (this.#dropCount + 1));
      this.#drops[this.#dropCount] = this.#drops[other]!;
      this.#drops[other] = drop;
      this.#dropCount += 1;
    }
  }

  #copyRoute(driver: number): void {
    const { drivers, stride } = this.problem;
    const { visit, length } = this.routes;
    for (let at = 1; at <= length[driver]!; at += 1)
      visit[drivers * stride + at] = visit[driver * stride + at]!;
    length[drivers] = length[driver]!;
  }

  #insertDrops(driver: number, lowest: number): boolean {
    const { drivers } = this.problem;
    for (let at = 0; at < this.#dropCount; at += 1) {
      const drop = this.#drops[at]!;
      const position = this.#cheapestPlace(drop, lowest);
      if (position === -1) return false;
      this.routes.insert(drivers, position, drop);
      this.routes.evaluate(driver, drivers);
    }
    return true;
  }

  #cheapestPlace(drop: number, lowest: number): number {
    const { place, places, cost, costTo, drivers, stride, latest, earliest, service, secondsTo, seconds } =
      this.problem;
    const { placeAt, arc, leave, latestBegin, length } = this.routes;
    const row = place[drop]! * places;
    const base = drivers * stride;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let at = lowest; at <= length[drivers]!; at += 1) {
      const before = placeAt[base + at]!;
      const after = placeAt[base + at + 1]!;
      const delta = costTo[row + before]! + cost[row + after]! - arc[base + at + 1]!;
      if (!(delta < least)) continue;
      const begin = Math.max(leave[base + at]! + secondsTo[row + before]!, earliest[drop]!);
      if (begin > latest[drop]!) break;
      if (begin + service[drop]! + seconds[row + after]! > latestBegin[base + at + 1]!) continue;
      least = delta;
      best = at;
    }
    return best;
  }

  #keep(): void {
    const { drivers, stride } = this.problem;
    this.length = this.routes.length[drivers]!;
    for (let at = 0; at < this.length; at += 1) this.best[at] = this.routes.visit[drivers * stride + 1 + at]!;
  }
}
