import { nearRequests } from './nearRequests.ts';
import type { Routes } from './routes.ts';

/** Requests removed at a time, on average. */
const REMOVED_MEAN = 10;
const STRING_MAX = 10;
const SPLIT_PROBABILITY = 0.5;
const SPLIT_MORE_PROBABILITY = 0.01;
const REMOVED_SHARE_MAX = 0.4;
/** The greater, the more often the nearest or worst request is removed. */
const GREED = 5;

const FOCUS_PROBABILITY = 0.5;

/** How often each way to remove is tried at first, and at least. */
const STARTING_WEIGHTS = [10, 1, 1, 1, 1];
const LEAST_WEIGHT = 0.2;
const MEMORY = 0.8;
/** Iterations after which the weights follow what was gained. */
const SEGMENT = 200;

/** Takes requests out of their routes, in ways that are chosen more often the more they have helped. */
export class Ruin {
  readonly routes: Routes;
  readonly random: () => number;
  readonly removed: Int32Array;
  count = 0;
  /** Requests around which more is removed than elsewhere. */
  focus: Int32Array | null = null;

  readonly #isRemoved: Uint8Array;
  readonly #near: Int32Array;
  readonly #nearCount: number;
  readonly #ranked: Float64Array;
  readonly #isHit: Uint8Array;
  readonly #hit: Int32Array;
  #hitCount = 0;
  readonly #weights = Float64Array.from(STARTING_WEIGHTS);
  readonly #gains = new Float64Array(STARTING_WEIGHTS.length);
  readonly #uses = new Float64Array(STARTING_WEIGHTS.length);
  #way = 0;
  #iterations = 0;

  constructor(routes: Routes, random: () => number) {
    const { requests, drivers } = routes.problem;
    this.routes = routes;
    this.random = random;
    this.removed = new Int32Array(requests);
    this.#isRemoved = new Uint8Array(requests);
    const { near, count } = nearRequests(routes.problem);
    this.#near = near;
    this.#nearCount = count;
    this.#ranked = new Float64Array(requests);
    this.#isHit = new Uint8Array(drivers);
    this.#hit = new Int32Array(drivers);
  }

  /** Removes some requests, which `removed` then lists. */
  run(): void {
    this.count = 0;
    this.#way = this.#chooseWay();
    const { requests } = this.routes.problem;
    if (requests === 0) return;
    const seed = this.#chooseSeed();
    const most = Math.min(3 * REMOVED_MEAN, Math.max(1, Math.ceil(requests * REMOVED_SHARE_MAX)));
    const target = 1 + Math.floor(this.random() * Math.min(most, 2 * REMOVED_MEAN));
    if (this.#way === 0) this.#removeStrings(seed);
    else if (this.#way === 1) this.#removeRelated(seed, target);
    else if (this.#way === 2) this.#removeWorst(target);
    else if (this.#way === 3) for (let each = 0; each < target; each += 1) this.#mark(this.#randomRequest());
    else this.#removeRoute(seed);
    this.#takeOut();
  }

  /** Takes a whole route out. */
  removeAll(driver: number): void {
    this.count = 0;
    this.#markRoute(driver);
    this.#takeOut();
  }

  /** Tells what the last removal led to: 0 nothing, 1 accepted, more for a better plan. */
  reward(points: number): void {
    this.#gains[this.#way]! += points;
    this.#uses[this.#way]! += 1;
    this.#iterations += 1;
    if (this.#iterations % SEGMENT !== 0) return;
    for (let way = 0; way < STARTING_WEIGHTS.length; way += 1) {
      const uses = this.#uses[way]!;
      if (uses > 0)
        this.#weights[way] = Math.max(
          LEAST_WEIGHT,
          MEMORY * this.#weights[way]! + (1 - MEMORY) * 10 * (this.#gains[way]! / uses),
        );
      this.#gains[way] = this.#uses[way] = 0;
    }
  }

  #chooseSeed(): number {
    const { focus, random } = this;
    return focus !== null && random() < FOCUS_PROBABILITY
      ? focus[Math.floor(random() * focus.length)]!
      : Math.floor(random() * this.routes.problem.requests);
  }

  #chooseWay(): number {
    let sum = 0;
    for (let way = 0; way < STARTING_WEIGHTS.length; way += 1) sum += this.#weights[way]!;
    let point = this.random() * sum;
    for (let way = 0; way < STARTING_WEIGHTS.length; way += 1) {
      point -= this.#weights[way]!;
      if (point < 0) return way;
    }
    return 0;
  }

  #randomRequest(): number {
    return Math.floor(this.random() * this.routes.problem.requests);
  }

  #mark(request: number): boolean {
    const driver = this.routes.driverOf[request]!;
    if (driver === -1 || this.#isRemoved[request]) return false;
    this.#isRemoved[request] = 1;
    this.removed[this.count++] = request;
    this.#markHit(driver);
    return true;
  }

  #markHit(driver: number): boolean {
    if (this.#isHit[driver]) return false;
    this.#isHit[driver] = 1;
    this.#hit[this.#hitCount++] = driver;
    return true;
  }

  #takeOut(): void {
    for (let at = 0; at < this.#hitCount; at += 1) {
      const driver = this.#hit[at]!;
      this.#isHit[driver] = 0;
      this.routes.removeMarked(driver, this.#isRemoved);
    }
    this.#hitCount = 0;
    for (let at = 0; at < this.count; at += 1) this.#isRemoved[this.removed[at]!] = 0;
  }

  /** Adjacent strings of visits in neighbouring routes (SISR, Christiaens and Vanden Berghe, 2020). */
  #removeStrings(seed: number): void {
    const { routes, random } = this;
    const { drivers, first } = routes.problem;
    let used = 0;
    let visits = 0;
    for (let driver = 0; driver < drivers; driver += 1) {
      if (routes.length[driver] === 0) continue;
      used += 1;
      visits += routes.length[driver]!;
    }
    if (used === 0) return;
    const stringMax = Math.min(STRING_MAX, visits / used);
    const stringsMax = (4 * REMOVED_MEAN) / (1 + stringMax) - 1;
    const strings = Math.floor(random() * stringsMax) + 1;
    for (let at = -1; at < this.#nearCount && this.#hitCount < strings; at += 1) {
      const request = at === -1 ? seed : this.#near[seed * this.#nearCount + at]!;
      const driver = routes.driverOf[request]!;
      if (driver === -1 || this.#isHit[driver]) continue;
      const stops = first[request + 1]! - first[request]!;
      const visit = first[request]! + (stops === 1 ? 0 : Math.floor(random() * stops));
      this.#removeString(driver, routes.positionOf[visit]!, stringMax);
    }
  }

  #removeString(driver: number, position: number, stringMax: number): void {
    const { routes, random } = this;
    const { stride, requestOf, fixed } = routes.problem;
    const base = driver * stride;
    const lowest = fixed[driver]!.length + 1;
    const count = routes.length[driver]! - lowest + 1;
    const removed = 1 + Math.floor(random() * Math.min(count, stringMax));
    let kept = 0;
    if (removed > 1 && removed < count && random() < SPLIT_PROBABILITY) {
      kept = 1;
      while (removed + kept < count && random() < SPLIT_MORE_PROBABILITY) kept += 1;
    }
    const span = removed + kept;
    const earliest = Math.max(lowest, position - span + 1);
    const latest = Math.min(position, lowest + count - span);
    const start = earliest + Math.floor(random() * (latest - earliest + 1));
    const keptFrom = kept === 0 ? span : 1 + Math.floor(random() * (removed - 1));
    for (let at = 0; at < span; at += 1) {
      if (at >= keptFrom && at < keptFrom + kept) continue;
      const request = requestOf[routes.visit[base + start + at]!]!;
      if (request >= 0) this.#mark(request);
    }
    this.#markHit(driver);
  }

  /** Requests that are near a removed one (Shaw, 1998). */
  #removeRelated(seed: number, target: number): void {
    this.#mark(seed);
    let tries = 2 * target;
    while (this.count < target && tries > 0) {
      tries -= 1;
      const centre = this.count === 0 ? seed : this.removed[Math.floor(this.random() * this.count)]!;
      const rank = Math.floor(this.random() ** GREED * this.#nearCount);
      if (this.#nearCount > 0) this.#mark(this.#near[centre * this.#nearCount + rank]!);
    }
  }

  /** Requests without which their routes would be much cheaper. */
  #removeWorst(target: number): void {
    const { routes } = this;
    const { requests } = routes.problem;
    let count = 0;
    for (let request = 0; request < requests; request += 1)
      if (routes.driverOf[request] !== -1) {
        // One number holds the gain and the request, so that sorting needs no comparison function.
        const gain = Math.min(1e9, Math.max(0, this.#gainOf(request)));
        this.#ranked[count++] = -Math.round(gain * 100) * requests - request;
      }
    const ranked = this.#ranked.subarray(0, count).sort();
    for (let each = 0; each < target && count > 0; each += 1)
      this.#mark(-ranked[Math.floor(this.random() ** GREED * count)]! % requests);
  }

  #gainOf(request: number): number {
    const { routes } = this;
    const { first, places, cost, stride, isTimed } = routes.problem;
    const base = routes.driverOf[request]! * stride;
    let gain = 0;
    for (let visit = first[request]!; visit < first[request + 1]!; visit += 1) {
      const at = base + routes.positionOf[visit]!;
      const shortcut = cost[routes.placeAt[at - 1]! * places + routes.placeAt[at + 1]!]!;
      gain += routes.arc[at]! + routes.arc[at + 1]! - shortcut;
      if (isTimed) gain += routes.late[at]! - routes.late[at - 1]!;
    }
    return gain;
  }

  /** A whole route if it is short, or its first part. */
  #removeRoute(seed: number): void {
    const driver = this.routes.driverOf[seed]!;
    if (driver !== -1) this.#markRoute(driver, 3 * REMOVED_MEAN);
  }

  #markRoute(driver: number, most = Number.POSITIVE_INFINITY): void {
    const { visit, length, problem } = this.routes;
    const base = driver * problem.stride;
    for (let at = base + 1; at <= base + length[driver]! && this.count < most; at += 1) {
      const request = problem.requestOf[visit[at]!]!;
      if (request >= 0) this.#mark(request);
    }
    this.#markHit(driver);
  }
}
