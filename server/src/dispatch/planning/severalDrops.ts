import { arriveAfter, beginAfter } from './calendar.ts';
import type { Compiled } from './compileProblem.ts';
import type { Routes } from './routes.ts';

/**
 * Places for a request with several drops, or whose goods are aboard: for every place of the pickup each drop goes where
 * it lengthens the way least. The part of the route from there on is built apart, with its times only; a route whose way
 * and lateness are cheap enough is then computed whole in the spare route.
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
  /** What the way to the drops costs at least, if all of them come after the position. */
  readonly #dropsCost: Float64Array;

  // The part that is built: index 0 is the position before it, the last index is the end of the route.
  #visits = 0;
  readonly #visit: Int32Array;
  readonly #placeAt: Int32Array;
  readonly #leave: Float64Array;
  /** The latest begin as far as it is known. */
  readonly #limit: Float64Array;
  readonly #arc: Float64Array;

  constructor(routes: Routes, random: () => number) {
    const { stride, place } = routes.problem;
    this.problem = routes.problem;
    this.routes = routes;
    this.random = random;
    this.best = new Int32Array(stride);
    this.#drops = new Int32Array(place.length);
    this.#dropsCost = new Float64Array(stride);
    this.#visit = new Int32Array(stride + 1);
    this.#placeAt = new Int32Array(stride + 1);
    this.#leave = new Float64Array(stride + 1);
    this.#limit = new Float64Array(stride + 1);
    this.#arc = new Float64Array(stride + 1);
  }

  /** What the request adds to the cost of a route from a position on, or Infinity when that is not less than a bound. */
  priceIn(driver: number, request: number, bound: number, lowest: number): number {
    const { problem, routes } = this;
    const { first, hasPickup, drivers, isTimed } = problem;
    this.#shuffleDrops(request);
    const pickup = hasPickup[request] ? first[request]! : -1;
    const base = driver * problem.stride;
    const end = base + routes.length[driver]! + 1;
    let found = Number.POSITIVE_INFINITY;
    let least = bound;
    const lastPlace = pickup === -1 ? lowest : routes.length[driver]!;
    if (pickup !== -1) this.#measureDrops(driver, lowest);
    for (let at = lowest; at <= lastPlace; at += 1) {
      // Waiting may fall by an insertion, but not below zero.
      const waits = isTimed ? routes.waitedAfter[end]! - routes.waited[base + at]! : 0;
      if (pickup !== -1) {
        if (routes.leave[base + at]! > problem.latest[pickup]!) break;
        if (!(this.#leastPrice(driver, request, at) < least + waits)) continue;
      }
      if (!(this.#build(driver, at, pickup) < least + waits)) continue;
      this.#copyRoute(driver, at);
      routes.evaluate(driver, drivers);
      const price = routes.cost[drivers]! - routes.cost[driver]!;
      if (!(price < least) || !routes.isFeasible(driver, drivers)) continue;
      least = found = price;
      this.#keep();
    }
    return found;
  }

  /** The dearest drop alone: with the others the way is not shorter. */
  #measureDrops(driver: number, lowest: number): void {
    const { place, places, cost, costTo, stride } = this.problem;
    const { placeAt, arc, length } = this.routes;
    const base = driver * stride;
    this.#dropsCost.fill(0, lowest, length[driver]! + 1);
    for (let each = 0; each < this.#dropCount; each += 1) {
      const row = place[this.#drops[each]!]! * places;
      let least = Number.POSITIVE_INFINITY;
      for (let at = length[driver]!; at >= lowest; at -= 1) {
        const cell = base + at;
        const price = costTo[row + placeAt[cell]!]! + cost[row + placeAt[cell + 1]!]! - arc[cell + 1]!;
        if (price < least) least = price;
        if (least > this.#dropsCost[at]!) this.#dropsCost[at] = least;
      }
    }
  }

  /** What the pickup after a position costs at least: the way, and lateness of its drops and of the next stop. */
  #leastPrice(driver: number, request: number, position: number): number {
    const { first, place, places, cost, costTo, seconds, secondsTo, service, earliest, due, lateCost } =
      this.problem;
    const { routes } = this;
    const at = driver * this.problem.stride + position;
    const pickup = first[request]!;
    const row = place[pickup]! * places;
    const before = routes.placeAt[at]!;
    const after = routes.placeAt[at + 1]!;
    const begin = Math.max(routes.leave[at]! + secondsTo[row + before]!, earliest[pickup]!);
    const leave = begin + service[pickup]!;
    const then = leave + seconds[row + after]!;
    if (begin > this.problem.latest[pickup]! || then > routes.latestBegin[at + 1]!)
      return Number.POSITIVE_INFINITY;
    let price = Math.max(
      costTo[row + before]! + cost[row + after]! - routes.arc[at + 1]!,
      this.#dropsCost[position]!,
    );
    if (!this.problem.isTimed) return price;
    for (let drop = pickup + 1; drop < first[request + 1]!; drop += 1)
      price += Math.max(0, leave + seconds[row + place[drop]!]! - due[drop]!) * lateCost[drop]!;
    const end = driver * this.problem.stride + routes.length[driver]! + 1;
    return price + routes.lateMoreAt(at + 1, end - 1, then);
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

  /** Builds the route after a position, with the pickup (or -1) first. Returns what way and lateness cost more. */
  #build(driver: number, position: number, pickup: number): number {
    const { routes, problem } = this;
    const base = driver * problem.stride;
    const visits = routes.length[driver]! - position;
    this.#visits = visits;
    for (let at = 0; at <= visits + 1; at += 1) {
      const cell = base + position + at;
      this.#visit[at] = routes.visit[cell]!;
      this.#placeAt[at] = routes.placeAt[cell]!;
      this.#leave[at] = routes.leave[cell]!;
      this.#limit[at] = routes.latestBegin[cell]!;
      this.#arc[at] = routes.arc[cell]!;
    }
    const lateBefore = problem.isTimed
      ? routes.late[base + routes.length[driver]!]! - routes.late[base + position]!
      : 0;
    let way = 0;
    let late = lateBefore;
    if (pickup !== -1) {
      way += this.#insert(0, pickup);
      late = this.#follow(driver, 1);
      if (late === Number.POSITIVE_INFINITY) return late;
    }
    for (let each = 0; each < this.#dropCount; each += 1) {
      const drop = this.#drops[each]!;
      const place = this.#cheapestPlace(drop, pickup === -1 ? 0 : 1);
      if (place === -1) return Number.POSITIVE_INFINITY;
      way += this.#insert(place, drop);
      late = this.#follow(driver, place + 1);
      if (late === Number.POSITIVE_INFINITY) return late;
    }
    return way + late - lateBefore;
  }

  /** Puts a visit after an index. Returns what it adds to the way. */
  #insert(index: number, visit: number): number {
    const { place, places, cost, latest } = this.problem;
    for (let at = this.#visits + 1; at > index; at -= 1) {
      this.#visit[at + 1] = this.#visit[at]!;
      this.#placeAt[at + 1] = this.#placeAt[at]!;
      this.#limit[at + 1] = this.#limit[at]!;
      this.#arc[at + 1] = this.#arc[at]!;
    }
    this.#visits += 1;
    const here = place[visit]!;
    const cut = this.#arc[index + 2]!;
    this.#visit[index + 1] = visit;
    this.#placeAt[index + 1] = here;
    this.#limit[index + 1] = latest[visit]!;
    this.#arc[index + 1] = cost[this.#placeAt[index]! * places + here]!;
    this.#arc[index + 2] = cost[here * places + this.#placeAt[index + 2]!]!;
    return this.#arc[index + 1]! + this.#arc[index + 2]! - cut;
  }

  /** Computes times from an index on. Returns what all lateness costs, or Infinity when a stop is too late. */
  #follow(driver: number, from: number): number {
    const { seconds, places, earliest, service, due, lateCost, isTimed } = this.problem;
    const breaks = this.problem.breaks[driver]!;
    const hasBreaks = breaks.length > 0;
    for (let at = from; at <= this.#visits; at += 1) {
      const visit = this.#visit[at]!;
      const leg = seconds[this.#placeAt[at - 1]! * places + this.#placeAt[at]!]!;
      const time = this.#leave[at - 1]!;
      const arrive = hasBreaks ? arriveAfter(breaks, time, leg) : time + leg;
      let begin = arrive > earliest[visit]! ? arrive : earliest[visit]!;
      if (hasBreaks) begin = beginAfter(breaks, begin, service[visit]!);
      if (begin > this.#limit[at]!) return Number.POSITIVE_INFINITY;
      this.#leave[at] = begin + service[visit]!;
    }
    let late = 0;
    if (isTimed)
      for (let at = 1; at <= this.#visits; at += 1) {
        const visit = this.#visit[at]!;
        const over = this.#leave[at]! - service[visit]! - due[visit]!;
        if (over > 0) late += over * lateCost[visit]!;
      }
    return late;
  }

  #cheapestPlace(drop: number, lowest: number): number {
    const { place, places, cost, costTo, latest, earliest, service, secondsTo, seconds } = this.problem;
    const row = place[drop]! * places;
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let at = lowest; at <= this.#visits; at += 1) {
      const before = this.#placeAt[at]!;
      const after = this.#placeAt[at + 1]!;
      const delta = costTo[row + before]! + cost[row + after]! - this.#arc[at + 1]!;
      if (!(delta < least)) continue;
      const begin = Math.max(this.#leave[at]! + secondsTo[row + before]!, earliest[drop]!);
      if (begin > latest[drop]!) break;
      if (begin + service[drop]! + seconds[row + after]! > this.#limit[at + 1]!) continue;
      least = delta;
      best = at;
    }
    return best;
  }

  /** Into the spare route: the driver's until the position, then what was built. */
  #copyRoute(driver: number, position: number): void {
    const { drivers, stride } = this.problem;
    const { visit, length } = this.routes;
    const spare = drivers * stride;
    for (let at = 1; at <= position; at += 1) visit[spare + at] = visit[driver * stride + at]!;
    for (let at = 1; at <= this.#visits; at += 1) visit[spare + position + at] = this.#visit[at]!;
    length[drivers] = position + this.#visits;
  }

  #keep(): void {
    const { drivers, stride } = this.problem;
    this.length = this.routes.length[drivers]!;
    for (let at = 0; at < this.length; at += 1) this.best[at] = this.routes.visit[drivers * stride + 1 + at]!;
  }
}
