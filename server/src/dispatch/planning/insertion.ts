import { arriveAfter, beginAfter } from './calendar.ts';
import { type Compiled, FAR } from './compileProblem.ts';
import { exactDelta } from './exactDelta.ts';
import type { Routes } from './routes.ts';
import { SeveralDrops } from './severalDrops.ts';

/**
 * Finds where a request costs least. A place in a route is checked in constant time: by the latest begin of the next
 * visit and by the load. Only a place whose way is cheap enough has its lateness and waiting computed.
 *
 * A blink skips a place, so that the cheapest one is not always taken (Christiaens and Vanden Berghe, 2020).
 */
export class Insertion {
  readonly problem: Compiled;
  readonly routes: Routes;
  readonly random: () => number;

  /** Where the request goes, after `find`. */
  driver = -1;
  price = 0;

  #blinkRate = 0;
  #untilBlink = Number.POSITIVE_INFINITY;
  // The best place of the last route tried: positions in the route as it is, after which the visits go.
  #first = 0;
  #second = 0;
  #bestFirst = 0;
  #bestSecond = 0;
  readonly #several: SeveralDrops;
  /** A whole route, for requests with several drops. */
  #bestRoute: Int32Array;
  #bestLength = 0;
  readonly #dropCost: Float64Array;
  readonly #dropCostFrom: Float64Array;
  readonly #classSeen: Int32Array;
  #finds = 0;
  /** Only the ends of routes are tried. */
  #isAtEnd = false;
  readonly #lastDriver: Int32Array;

  constructor(routes: Routes, random: () => number) {
    const { problem } = routes;
    this.problem = problem;
    this.routes = routes;
    this.random = random;
    this.#several = new SeveralDrops(routes, random);
    this.#bestRoute = new Int32Array(problem.stride);
    this.#dropCost = new Float64Array(problem.stride + 1);
    this.#dropCostFrom = new Float64Array(problem.stride + 1);
    this.#classSeen = new Int32Array(problem.drivers);
    this.#lastDriver = new Int32Array(problem.requests).fill(-1);
  }

  setBlinks(rate: number): void {
    this.#blinkRate = rate;
    this.#drawBlink();
  }

  #drawBlink(): void {
    this.#untilBlink =
      this.#blinkRate === 0
        ? Number.POSITIVE_INFINITY
        : 1 + Math.floor(Math.log(1 - this.random()) / Math.log(1 - this.#blinkRate));
  }

  #blinks(): boolean {
    this.#untilBlink -= 1;
    if (this.#untilBlink > 0) return false;
    this.#drawBlink();
    return true;
  }

  /** The cheapest place in all routes. False when there is none, or staying unplanned is cheaper. */
  find(request: number): boolean {
    const { drivers, classOf, bankCost } = this.problem;
    const { length, isUsable } = this.routes;
    this.driver = -1;
    this.price = bankCost[request]!;
    this.#finds += 1;
    // The driver who had it last is likely to be the best, and a low price rules out most places of the others.
    const last = this.#lastDriver[request]!;
    if (last !== -1 && isUsable[last] && length[last]! > 0) {
      const price = this.priceIn(last, request, this.price);
      if (price < this.price) this.#take(last, price);
    }
    for (let driver = 0; driver < drivers; driver += 1) {
      if (!isUsable[driver] || (driver === last && length[driver]! > 0)) continue;
      if (length[driver] === 0) {
        if (this.#classSeen[classOf[driver]!] === this.#finds) continue;
        this.#classSeen[classOf[driver]!] = this.#finds;
      }
      const price = this.priceIn(driver, request, this.price);
      if (price < this.price) this.#take(driver, price);
    }
    return this.driver !== -1;
  }

  /** The cheapest place at the end of a route. */
  findAtEnd(request: number): boolean {
    this.#isAtEnd = true;
    const isFound = this.find(request);
    this.#isAtEnd = false;
    return isFound;
  }

  /** The cheapest place in one route. */
  findIn(driver: number, request: number): boolean {
    this.driver = -1;
    const price = this.priceIn(driver, request, this.problem.bankCost[request]!);
    if (price < this.problem.bankCost[request]!) this.#take(driver, price);
    return this.driver !== -1;
  }

  #take(driver: number, price: number): void {
    this.driver = driver;
    this.price = price;
    this.#bestFirst = this.#first;
    this.#bestSecond = this.#second;
    const { best, length } = this.#several;
    this.#several.best = this.#bestRoute;
    this.#bestRoute = best;
    this.#bestLength = length;
  }

  /** Puts the request where it was found to cost least. */
  insert(request: number): void {
    const { first, hasPickup, stride } = this.problem;
    const { routes, driver } = this;
    const visits = first[request + 1]! - first[request]!;
    routes.touch(driver);
    if (hasPickup[request] && visits <= 2) {
      if (visits === 2) routes.insert(driver, this.#bestSecond, first[request]! + 1);
      routes.insert(driver, this.#bestFirst, first[request]!);
    } else {
      for (let at = 0; at < this.#bestLength; at += 1)
        routes.visit[driver * stride + 1 + at] = this.#bestRoute[at]!;
      routes.length[driver] = this.#bestLength;
    }
    routes.driverOf[request] = driver;
    this.#lastDriver[request] = driver;
    routes.evaluate(driver);
  }

  /** What the request adds to the cost of a route, or Infinity when that is not less than a bound. */
  priceIn(driver: number, request: number, bound: number): number {
    const { mayServe, requests, first, fixed, hasPickup, stride } = this.problem;
    if (!mayServe[driver * requests + request]) return Number.POSITIVE_INFINITY;
    const visits = first[request + 1]! - first[request]!;
    if (this.routes.length[driver]! + visits > stride - 2) return Number.POSITIVE_INFINITY;
    const lowest = this.#isAtEnd ? this.routes.length[driver]! : fixed[driver]!.length;
    if (!hasPickup[request] || visits > 2) return this.#several.priceIn(driver, request, bound, lowest);
    return visits === 2
      ? this.#priceOfPair(driver, request, bound, lowest)
      : this.#priceOfOne(driver, request, bound, lowest);
  }

  /** What a route costs more for having this request, wherever it goes. */
  #priceOfDriver(driver: number, request: number): number {
    const { moveCost, requests, fixed, weights } = this.problem;
    const isFirst = this.routes.length[driver] === fixed[driver]!.length;
    return moveCost[driver * requests + request]! + (isFirst ? weights.driver : 0);
  }

  #priceOfOne(driver: number, request: number, priceMax: number, lowest: number): number {
    let bound = priceMax;
    const { problem, routes } = this;
    const { places, place, seconds, secondsTo, cost, costTo, dimensions, amounts, isTimed } = problem;
    const { placeAt, leave, latestBegin, arc, loadFrom } = routes;
    const visit = problem.first[request]!;
    const row = place[visit]! * places;
    const earliest = problem.earliest[visit]!;
    const latest = problem.latest[visit]!;
    const service = problem.service[visit]!;
    const breaks = problem.breaks[driver]!;
    const hasBreaks = breaks.length > 0;
    const base = driver * problem.stride;
    const last = base + routes.length[driver]!;
    const fixedPrice = this.#priceOfDriver(driver, request);
    // What the way may cost more. Waiting may fall by an insertion, but not below zero.
    const waits = isTimed ? routes.timeCost[driver]! : 0;
    let way = bound - fixedPrice + waits;
    let found = Number.POSITIVE_INFINITY;
    for (let at = base + lowest; at <= last; at += 1) {
      if (leave[at]! > latest) break;
      const before = placeAt[at]!;
      const after = placeAt[at + 1]!;
      const delta = costTo[row + before]! + cost[row + after]! - arc[at + 1]!;
      if (!(delta < way)) continue;
      const leg = secondsTo[row + before]!;
      const arrive = hasBreaks ? arriveAfter(breaks, leave[at]!, leg) : leave[at]! + leg;
      let begin = arrive > earliest ? arrive : earliest;
      if (hasBreaks) begin = beginAfter(breaks, begin, service);
      if (begin > latest) continue;
      const next = seconds[row + after]!;
      const then = hasBreaks ? arriveAfter(breaks, begin + service, next) : begin + service + next;
      if (then > latestBegin[at + 1]!) continue;
      let fits = true;
      for (let k = 0; k < dimensions; k += 1)
        if (
          loadFrom[at * dimensions + k]! + amounts[visit * dimensions + k]! >
          problem.capacity[driver * dimensions + k]!
        )
          fits = false;
      if (!fits || this.#blinks()) continue;
      const price = isTimed
        ? fixedPrice + exactDelta(routes, driver, at - base, visit, at - base, -1, delta, way)
        : fixedPrice + delta;
      if (!(price < bound)) continue;
      bound = found = price;
      way = bound - fixedPrice + waits;
      this.#first = at - base;
    }
    return found;
  }

  #priceOfPair(driver: number, request: number, priceMax: number, lowest: number): number {
    let bound = priceMax;
    const { problem, routes } = this;
    const { places, place, seconds, secondsTo, cost, costTo, dimensions, amounts, capacity, isTimed } =
      problem;
    const { placeAt, leave, latestBegin, arc, load, visit: visits } = routes;
    const pickup = problem.first[request]!;
    const drop = pickup + 1;
    const pickupRow = place[pickup]! * places;
    const dropPlace = place[drop]!;
    const dropRow = dropPlace * places;
    const base = driver * problem.stride;
    const breaks = problem.breaks[driver]!;
    const hasBreaks = breaks.length > 0;
    const firstCell = base + lowest;
    const last = base + routes.length[driver]!;
    const fixedPrice = this.#priceOfDriver(driver, request);
    const { waited, waitedAfter, late } = routes;
    const waitedAll = isTimed ? waitedAfter[last + 1]! : 0;
    const { due, lateCost } = problem;
    const pickupLateCost = lateCost[pickup]!;
    const dropLateCost = lateCost[drop]!;
    const pickupDue = due[pickup]!;
    const dropDue = due[drop]!;
    const straight = cost[pickupRow + dropPlace]!;
    const straightSeconds = seconds[pickupRow + dropPlace]!;
    const pickupService = problem.service[pickup]!;
    const dropService = problem.service[drop]!;
    const pickupEarliest = problem.earliest[pickup]!;
    const pickupLatest = problem.latest[pickup]!;
    const dropEarliest = problem.earliest[drop]!;
    const dropLatest = problem.latest[drop]!;
    const dropCost = this.#dropCost;
    const dropCostFrom = this.#dropCostFrom;
    // What the way may cost more. Waiting may fall by an insertion, lateness hardly ever.
    let way = bound - fixedPrice;
    let found = Number.POSITIVE_INFINITY;

    dropCostFrom[last + 1 - base] = FAR;
    for (let at = last; at >= firstCell; at -= 1) {
      const price = costTo[dropRow + placeAt[at]!]! + cost[dropRow + placeAt[at + 1]!]! - arc[at + 1]!;
      dropCost[at - base] = price;
      const later = dropCostFrom[at + 1 - base]!;
      dropCostFrom[at - base] = price < later ? price : later;
    }

    for (let at = firstCell; at <= last; at += 1) {
      if (leave[at]! > pickupLatest) break;
      const before = placeAt[at]!;
      const after = placeAt[at + 1]!;
      const toPickup = costTo[pickupRow + before]! - arc[at + 1]!;
      const apart = toPickup + cost[pickupRow + after]!;
      const together = toPickup + straight + cost[dropRow + after]!;
      const rest = isTimed ? waitedAll - waited[at]! : 0;
      const wayHere = isTimed ? way + waitedAfter[at + 1]! - waited[at]! : way;
      let mayPart = apart + dropCostFrom[at + 1 - base]! < way + rest;
      if (!(together < wayHere) && !mayPart) continue;
      let fits = true;
      for (let k = 0; k < dimensions; k += 1)
        if (
          load[at * dimensions + k]! + amounts[pickup * dimensions + k]! >
          capacity[driver * dimensions + k]!
        )
          fits = false;
      if (!fits) continue;
      const leg = secondsTo[pickupRow + before]!;
      const arrive = hasBreaks ? arriveAfter(breaks, leave[at]!, leg) : leave[at]! + leg;
      let begin = arrive > pickupEarliest ? arrive : pickupEarliest;
      if (hasBreaks) begin = beginAfter(breaks, begin, pickupService);
      if (begin > pickupLatest) continue;
      let time = begin + pickupService;
      let lateMore = 0;
      if (isTimed) {
        // The drop is at least as late as it would be straight after the pickup.
        const least = Math.max(0, time + straightSeconds - dropDue) * dropLateCost;
        if (least >= way + waitedAll) break;
        if (begin > pickupDue) lateMore = (begin - pickupDue) * pickupLateCost;
        if (apart + dropCostFrom[at + 1 - base]! + least + lateMore >= way + rest) mayPart = false;
      }

      if (together < wayHere) {
        let dropBegin = hasBreaks ? arriveAfter(breaks, time, straightSeconds) : time + straightSeconds;
        if (dropBegin < dropEarliest) dropBegin = dropEarliest;
        if (hasBreaks) dropBegin = beginAfter(breaks, dropBegin, dropService);
        if (dropBegin <= dropLatest) {
          const next = seconds[dropRow + after]!;
          const left = dropBegin + dropService;
          const then = hasBreaks ? arriveAfter(breaks, left, next) : left + next;
          const lateHere = isTimed
            ? lateMore +
              Math.max(0, dropBegin - dropDue) * dropLateCost +
              routes.lateMoreAt(at + 1, last, then)
            : 0;
          if (then <= latestBegin[at + 1]! && together + lateHere < wayHere && !this.#blinks()) {
            const price = isTimed
              ? fixedPrice + exactDelta(routes, driver, at - base, pickup, at - base, drop, together, way)
              : fixedPrice + together;
            if (price < bound) {
              bound = found = price;
              way = bound - fixedPrice;
              this.#first = this.#second = at - base;
            }
          }
        }
      }
      if (!mayPart) continue;

      let from = pickupRow;
      for (let later = at + 1; later <= last; later += 1) {
        if (!(apart + dropCostFrom[later - base]! + lateMore < way + rest)) break;
        const visit = visits[later]!;
        const here = placeAt[later]!;
        const to = seconds[from + here]!;
        const service = problem.service[visit]!;
        let start = hasBreaks ? arriveAfter(breaks, time, to) : time + to;
        const ready = problem.earliest[visit]!;
        if (start < ready) start = ready;
        if (hasBreaks) start = beginAfter(breaks, start, service);
        if (start > latestBegin[later]!) break;
        time = start + service;
        if (time > dropLatest) break;
        if (isTimed) {
          if (start > due[visit]!) lateMore += (start - due[visit]!) * lateCost[visit]!;
          lateMore -= late[later]! - late[later - 1]!;
          if (apart + lateMore + Math.max(0, time - dropDue) * dropLateCost >= way + rest) break;
        }
        let full = false;
        for (let k = 0; k < dimensions; k += 1)
          if (
            load[later * dimensions + k]! + amounts[pickup * dimensions + k]! >
            capacity[driver * dimensions + k]!
          )
            full = true;
        if (full) break;
        from = here * places;
        const delta = apart + dropCost[later - base]!;
        const wayLater = isTimed ? way + waitedAfter[later + 1]! - waited[at]! : way;
        if (!(delta < wayLater)) continue;
        const toDrop = secondsTo[dropRow + here]!;
        let dropBegin = hasBreaks ? arriveAfter(breaks, time, toDrop) : time + toDrop;
        if (dropBegin < dropEarliest) dropBegin = dropEarliest;
        if (hasBreaks) dropBegin = beginAfter(breaks, dropBegin, dropService);
        if (dropBegin > dropLatest) continue;
        const next = seconds[dropRow + placeAt[later + 1]!]!;
        const left = dropBegin + dropService;
        const then = hasBreaks ? arriveAfter(breaks, left, next) : left + next;
        if (then > latestBegin[later + 1]!) continue;
        if (isTimed) {
          const lateHere =
            lateMore +
            Math.max(0, dropBegin - dropDue) * dropLateCost +
            routes.lateMoreAt(later + 1, last, then);
          if (!(delta + lateHere < wayLater)) continue;
        }
        if (this.#blinks()) continue;
        const price = isTimed
          ? fixedPrice + exactDelta(routes, driver, at - base, pickup, later - base, drop, delta, way)
          : fixedPrice + delta;
        if (!(price < bound)) continue;
        bound = found = price;
        way = bound - fixedPrice;
        this.#first = at - base;
        this.#second = later - base;
      }
    }
    return found;
  }
}
