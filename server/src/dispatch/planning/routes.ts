import { arriveAfter, beginAfter, beginBefore, leaveBefore, workingSeconds } from './calendar.ts';
import { type Compiled, FAR } from './compileProblem.ts';

/**
 * The routes of a search, and what is known of every position in them, so that a change is checked without going
 * through the whole route. Position 0 is the start, the last position is the end. One route more than there are drivers
 * serves for trying.
 */
export class Routes {
  readonly problem: Compiled;
  /** Visits of each route, without start and end. */
  readonly length: Int32Array;
  readonly visit: Int32Array;
  readonly placeAt: Int32Array;
  readonly begin: Float64Array;
  readonly leave: Float64Array;
  /** The latest begin with which all later visits are in time. */
  readonly latestBegin: Float64Array;
  /** Cost of the way from the position before. */
  readonly arc: Float64Array;
  readonly load: Float64Array;
  /** The greatest load from the position on. */
  readonly loadFrom: Float64Array;

  /** What lateness costs until the position. */
  readonly late: Float64Array;
  /** What waiting costs in runs that ended before the position. A run begins with an empty vehicle. */
  readonly waited: Float64Array;
  /** The same, with the run of the position. */
  readonly waitedAfter: Float64Array;
  /** Seconds of waiting in the run of the position. */
  readonly runWait: Float64Array;
  /** By how much the run could begin later without more lateness. */
  readonly runSlack: Float64Array;
  /** Drops to come of what is aboard. */
  readonly aboard: Int32Array;

  readonly cost: Float64Array;
  /** Seconds of driving and service. */
  readonly work: Float64Array;
  /** The part of the cost that is lateness and waiting. */
  readonly timeCost: Float64Array;

  /** The driver of each request, or -1. */
  readonly driverOf: Int32Array;
  readonly positionOf: Int32Array;
  readonly bank: Int32Array;
  bankSize = 0;
  /** Drivers that the search may use. */
  readonly isUsable: Uint8Array;

  readonly #saved: Int32Array;
  readonly #savedLength: Int32Array;
  readonly #savedBank: Int32Array;
  #savedBankSize = 0;
  readonly #touched: Int32Array;
  #touchedCount = 0;
  readonly #isTouched: Uint8Array;

  constructor(problem: Compiled) {
    this.problem = problem;
    const { drivers, stride, requests, dimensions, place } = problem;
    const cells = (drivers + 1) * stride;
    this.length = new Int32Array(drivers + 1);
    this.visit = new Int32Array(cells);
    this.placeAt = new Int32Array(cells);
    this.begin = new Float64Array(cells);
    this.leave = new Float64Array(cells);
    this.latestBegin = new Float64Array(cells);
    this.arc = new Float64Array(cells);
    this.load = new Float64Array(cells * dimensions);
    this.loadFrom = new Float64Array(cells * dimensions);
    this.late = new Float64Array(cells);
    this.waited = new Float64Array(cells);
    this.waitedAfter = new Float64Array(cells);
    this.runWait = new Float64Array(cells);
    this.runSlack = new Float64Array(cells);
    this.aboard = new Int32Array(cells);
    this.cost = new Float64Array(drivers + 1);
    this.work = new Float64Array(drivers + 1);
    this.timeCost = new Float64Array(drivers + 1);
    this.driverOf = new Int32Array(requests);
    this.positionOf = new Int32Array(place.length);
    this.bank = new Int32Array(requests);
    this.isUsable = new Uint8Array(drivers).fill(1);
    this.#saved = new Int32Array(cells);
    this.#savedLength = new Int32Array(drivers);
    this.#savedBank = new Int32Array(requests);
    this.#touched = new Int32Array(drivers);
    this.#isTouched = new Uint8Array(drivers);
    this.clear();
  }

  /** Leaves the fixed stops only. */
  clear(): void {
    const { drivers, stride, fixed, requests } = this.problem;
    for (let driver = 0; driver < drivers; driver += 1) {
      this.visit.set(fixed[driver]!, driver * stride + 1);
      this.length[driver] = fixed[driver]!.length;
      this.evaluate(driver);
    }
    this.driverOf.fill(-1);
    for (let request = 0; request < requests; request += 1) this.bank[request] = request;
    this.bankSize = requests;
    this.commit();
  }

  total(): number {
    const { drivers, bankCost } = this.problem;
    let total = 0;
    for (let driver = 0; driver < drivers; driver += 1) total += this.cost[driver]!;
    for (let at = 0; at < this.bankSize; at += 1) total += bankCost[this.bank[at]!]!;
    return total;
  }

  /** Remembers the route as it is, for `rollback`. */
  touch(driver: number): void {
    if (this.#isTouched[driver]) return;
    this.#isTouched[driver] = 1;
    this.#touched[this.#touchedCount++] = driver;
    const base = driver * this.problem.stride;
    const length = this.length[driver]!;
    this.#savedLength[driver] = length;
    for (let at = base + 1; at <= base + length; at += 1) this.#saved[at] = this.visit[at]!;
  }

  /** Keeps all changes since the last commit. */
  commit(): void {
    for (let at = 0; at < this.#touchedCount; at += 1) this.#isTouched[this.#touched[at]!] = 0;
    this.#touchedCount = 0;
    for (let at = 0; at < this.bankSize; at += 1) this.#savedBank[at] = this.bank[at]!;
    this.#savedBankSize = this.bankSize;
  }

  rollback(): void {
    const { stride, requestOf } = this.problem;
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const driver = this.#touched[at]!;
      const base = driver * stride;
      const length = this.#savedLength[driver]!;
      this.length[driver] = length;
      for (let cell = base + 1; cell <= base + length; cell += 1) {
        const visit = this.#saved[cell]!;
        this.visit[cell] = visit;
        const request = requestOf[visit]!;
        if (request >= 0) this.driverOf[request] = driver;
      }
      this.evaluate(driver);
    }
    this.bankSize = this.#savedBankSize;
    for (let at = 0; at < this.bankSize; at += 1) {
      this.bank[at] = this.#savedBank[at]!;
      this.driverOf[this.bank[at]!] = -1;
    }
    this.commit();
  }

  /** Takes marked requests out of a route. */
  removeMarked(driver: number, isMarked: Uint8Array): void {
    const { stride, requestOf } = this.problem;
    const base = driver * stride;
    let length = 0;
    this.touch(driver);
    for (let at = base + 1; at <= base + this.length[driver]!; at += 1) {
      const visit = this.visit[at]!;
      const request = requestOf[visit]!;
      if (request >= 0 && isMarked[request]) this.driverOf[request] = -1;
      else this.visit[base + ++length] = visit;
    }
    this.length[driver] = length;
    this.evaluate(driver);
  }

  /** Puts a visit after a position. The caller evaluates the route afterwards. */
  insert(route: number, position: number, visit: number): void {
    const base = route * this.problem.stride;
    const end = base + this.length[route]!;
    for (let at = end; at > base + position; at -= 1) this.visit[at + 1] = this.visit[at]!;
    this.visit[base + position + 1] = visit;
    this.length[route]! += 1;
  }

  /** Computes everything about the visits of a route, for the driver whose route it is or who tries it. */
  evaluate(driver: number, route = driver): void {
    this.#evaluateForward(driver, route);
    this.#evaluateBackward(driver, route);
  }

  /** Whether a route, as evaluated, breaks no rule for a driver. Fixed stops may. */
  isFeasible(driver: number, route: number): boolean {
    const { stride, fixed, dimensions, capacity, amounts } = this.problem;
    const { begin, latestBegin, load, visit, length } = this;
    const base = route * stride;
    for (let at = base + fixed[driver]!.length + 1; at <= base + length[route]!; at += 1) {
      if (begin[at]! > latestBegin[at]!) return false;
      for (let k = 0; k < dimensions; k += 1)
        if (
          amounts[visit[at]! * dimensions + k]! > 0 &&
          load[at * dimensions + k]! > capacity[driver * dimensions + k]!
        )
          return false;
    }
    return true;
  }

  #evaluateForward(driver: number, route: number): void {
    const { problem, visit, placeAt, begin, leave, arc, load } = this;
    const { place, service, earliest, seconds, cost, places, dimensions, amounts, weights, isTimed } =
      problem;
    const base = route * problem.stride;
    const length = this.length[route]!;
    const breaks = problem.breaks[driver]!;
    const hasBreaks = breaks.length > 0;
    let time = problem.from[driver]!;
    let from = problem.start[driver]!;
    let work = 0;
    let price = 0;
    placeAt[base] = from;
    begin[base] = leave[base] = time;
    this.#setOut(driver, route);
    const fixedLength = problem.fixed[driver]!.length;
    const isOwn = route === driver;
    for (let at = base + 1; at <= base + length; at += 1) {
      const each = visit[at]!;
      const to = place[each]!;
      const leg = seconds[from * places + to]!;
      const arrive = hasBreaks ? arriveAfter(breaks, time, leg) : time + leg;
      let start = Math.max(arrive, earliest[each]!);
      if (hasBreaks) start = beginAfter(breaks, start, service[each]!);
      if (isTimed) {
        const wait =
          start === arrive ? 0 : hasBreaks ? workingSeconds(breaks, arrive, start) : start - arrive;
        this.#followTime(at, each, start, wait, hasBreaks && start - time - leg - wait > 0.001);
      }
      if (isOwn) this.positionOf[each] = at - base;
      placeAt[at] = to;
      begin[at] = start;
      time = start + service[each]!;
      leave[at] = time;
      work += leg + service[each]!;
      const step = cost[from * places + to]!;
      arc[at] = step;
      price += step;
      for (let k = 0; k < dimensions; k += 1)
        load[at * dimensions + k] = load[(at - 1) * dimensions + k]! + amounts[each * dimensions + k]!;
      from = to;
    }
    const end = base + length + 1;
    const last = problem.end[driver]!;
    placeAt[end] = last;
    arc[end] = length > 0 ? cost[from * places + last]! : 0;
    if (length > 0) work += seconds[from * places + last]!;
    price += arc[end]!;
    const late = isTimed ? this.late[end - 1]! : 0;
    const waited = isTimed ? this.waited[end - 1]! + this.runCost(end - 1) : 0;
    if (isTimed) this.#closeRuns(base, end, waited);
    this.timeCost[route] = late + waited;
    this.work[route] = work;
    price += late + waited + this.fairness(driver, 0, work);
    if (length > fixedLength) price += weights.driver + this.#moveCost(driver, route);
    this.cost[route] = price;
  }

  /** What is aboard when the driver leaves. */
  #setOut(driver: number, route: number): void {
    const { problem, load } = this;
    const { dimensions, amounts, requestOf, hasPickup } = problem;
    const base = route * problem.stride;
    for (let k = 0; k < dimensions; k += 1)
      load[base * dimensions + k] = problem.load[driver * dimensions + k]!;
    let aboard = problem.fixed[driver]!.length;
    if (problem.someAboard)
      for (let at = base + 1; at <= base + this.length[route]!; at += 1) {
        const visit = this.visit[at]!;
        const request = requestOf[visit]!;
        if (request < 0 || hasPickup[request]) continue;
        aboard += 1;
        for (let k = 0; k < dimensions; k += 1)
          load[base * dimensions + k]! -= amounts[visit * dimensions + k]!;
      }
    this.aboard[base] = aboard;
    this.late[base] = 0;
    this.waited[base] = 0;
    this.runWait[base] = 0;
    this.runSlack[base] = aboard > 0 ? 0 : FAR;
  }

  #followTime(at: number, visit: number, start: number, wait: number, overBreak: boolean): void {
    const { due, lateCost, aboardChange } = this.problem;
    let waited = this.waited[at - 1]!;
    let runWait = this.runWait[at - 1]!;
    let slack = this.runSlack[at - 1]!;
    if (this.aboard[at - 1] === 0) {
      waited += this.runCost(at - 1);
      runWait = 0;
      slack = FAR;
    } else if (overBreak) {
      // What happens before a break must not move into it.
      slack = Math.min(slack, runWait);
    }
    runWait += wait;
    const rest = due[visit]! - start;
    this.waited[at] = waited;
    this.runWait[at] = runWait;
    this.runSlack[at] = Math.min(slack, runWait + Math.max(0, rest));
    this.late[at] = this.late[at - 1]! + (rest < 0 ? -rest * lateCost[visit]! : 0);
    this.aboard[at] = this.aboard[at - 1]! + aboardChange[visit]!;
  }

  #closeRuns(base: number, end: number, total: number): void {
    let after = total;
    this.waitedAfter[end] = total;
    for (let at = end - 1; at >= base; at -= 1) {
      if (at < end - 1 && this.aboard[at] === 0) after = this.waited[at + 1]!;
      this.waitedAfter[at] = after;
    }
  }

  /** What more lateness costs at a position if the driver arrives there then; the end is after `last`. */
  lateMoreAt(at: number, last: number, arrive: number): number {
    if (at > last) return 0;
    const visit = this.visit[at]!;
    const { due, lateCost } = this.problem;
    return Math.max(0, arrive - due[visit]!) * lateCost[visit]! - (this.late[at]! - this.late[at - 1]!);
  }

  /** What waiting in the run costs that ends at a position, if it begins as late as it can. */
  runCost(at: number): number {
    const wait = this.runWait[at]!;
    return this.problem.weights.waitingSecond * (wait - Math.min(wait, this.runSlack[at]!));
  }

  /** What fairness adds to the cost when a driver's work grows from one number of seconds to another. */
  fairness(driver: number, before: number, after: number): number {
    const { weights, worked } = this.problem;
    if (weights.fairness === 0) return 0;
    const low = worked[driver]! + before;
    const high = worked[driver]! + after;
    return (weights.fairness * (high - low) * (high + low)) / 3600;
  }

  #moveCost(driver: number, route: number): number {
    const { moveCost, requests, requestOf, first, stride, isPublished } = this.problem;
    if (!isPublished) return 0;
    const base = route * stride;
    let sum = 0;
    for (let at = base + 1; at <= base + this.length[route]!; at += 1) {
      const request = requestOf[this.visit[at]!]!;
      if (request >= 0 && first[request] === this.visit[at]) sum += moveCost[driver * requests + request]!;
    }
    return sum;
  }

  #evaluateBackward(driver: number, route: number): void {
    const { problem, placeAt, latestBegin, load, loadFrom } = this;
    const { service, latest, seconds, places, dimensions } = problem;
    const breaks = problem.breaks[driver]!;
    const hasBreaks = breaks.length > 0;
    const base = route * problem.stride;
    const end = base + this.length[route]! + 1;
    let limit = problem.to[driver]!;
    latestBegin[end] = limit;
    for (let at = end - 1; at >= base; at -= 1) {
      for (let k = 0; k < dimensions; k += 1) {
        const own = load[at * dimensions + k]!;
        loadFrom[at * dimensions + k] =
          at === end - 1 ? own : Math.max(own, loadFrom[(at + 1) * dimensions + k]!);
      }
      if (at === base) break;
      const visit = this.visit[at]!;
      const leg = seconds[placeAt[at]! * places + placeAt[at + 1]!]!;
      const leave = hasBreaks ? leaveBefore(breaks, limit, leg) : limit - leg;
      limit = Math.min(latest[visit]!, leave - service[visit]!);
      if (hasBreaks) limit = beginBefore(breaks, limit, service[visit]!);
      latestBegin[at] = limit;
    }
  }
}
