import { type Compiled, FAR } from './compileProblem.ts';
import { Insertion } from './insertion.ts';
import { RegretTable } from './regretTable.ts';
import type { Routes } from './routes.ts';

const BLINK_RATE = 0.01;
/** A regret construction computes about requests² x visits places. Beyond this many requests it takes too long. */
const REGRET_REQUESTS_MAX = 600;
/** The parts of the time after which a construction turns to quicker ways. */
const REGRET_SHARE = 0.25;
const ANYWHERE_SHARE = 0.7;

/** In which order removed requests are put back: random, and by each key. The weights are of SISR. */
const KEY_WEIGHTS = [4, 4, 2, 1, 2, 2, 2];

/** Puts requests into routes. */
export class Recreate {
  readonly routes: Routes;
  readonly random: () => number;
  readonly #insertion: Insertion;
  readonly #keys: Float64Array[];
  readonly #pending: Int32Array;
  readonly #rank: Float64Array;

  constructor(routes: Routes, random: () => number) {
    this.routes = routes;
    this.random = random;
    this.#insertion = new Insertion(routes, random);
    this.#keys = sortKeys(routes.problem);
    this.#pending = new Int32Array(routes.problem.requests);
    this.#rank = new Float64Array(routes.problem.requests);
  }

  /** Puts removed requests and those of the bank where each costs least, one after the other. */
  greedy(removed: Int32Array, removedCount: number): void {
    const { routes } = this;
    const pending = this.#pending;
    let count = 0;
    for (let at = 0; at < removedCount; at += 1) pending[count++] = removed[at]!;
    for (let at = 0; at < routes.bankSize; at += 1) pending[count++] = routes.bank[at]!;
    this.#sort(count);
    this.#insertion.setBlinks(BLINK_RATE);
    routes.bankSize = 0;
    for (let at = 0; at < count; at += 1) {
      const request = pending[at]!;
      if (this.#insertion.find(request)) this.#insertion.insert(request);
      else routes.bank[routes.bankSize++] = request;
    }
  }

  /** By insertion sort, since there are few. */
  #sort(count: number): void {
    let point = this.random() * 17;
    let way = 0;
    while (point >= KEY_WEIGHTS[way]!) point -= KEY_WEIGHTS[way++]!;
    const key = this.#keys[way - 1];
    const pending = this.#pending;
    const rank = this.#rank;
    for (let at = 0; at < count; at += 1) {
      const request = pending[at]!;
      const own = key ? key[request]! : this.random();
      let place = at;
      while (place > 0 && rank[place - 1]! > own) {
        rank[place] = rank[place - 1]!;
        pending[place] = pending[place - 1]!;
        place -= 1;
      }
      rank[place] = own;
      pending[place] = request;
    }
  }

  /**
   * Puts the requests of the bank into routes, always the one that would lose most by waiting: the difference between
   * its best routes. When that takes too long, the rest goes where it costs least, the most urgent first, and when time
   * is shorter still, to the end of a route. `spent` is the part of the time that is over.
   */
  construct(spent: () => number): void {
    const { routes } = this;
    this.#insertion.setBlinks(0);
    const left = routes.bankSize > REGRET_REQUESTS_MAX ? [] : this.#byRegret(() => spent() >= REGRET_SHARE);
    const pending = [...routes.bank.subarray(0, routes.bankSize)]
      .map((request) => ({ request, urgency: this.#urgency(request) }))
      .sort((a, b) => a.urgency - b.urgency);
    routes.bankSize = 0;
    for (const request of left) routes.bank[routes.bankSize++] = request;
    for (const { request } of pending) {
      const isFound =
        (spent() >= ANYWHERE_SHARE && this.#insertion.findAtEnd(request)) || this.#insertion.find(request);
      if (isFound) this.#insertion.insert(request);
      else routes.bank[routes.bankSize++] = request;
    }
    routes.commit();
  }

  /** Leaves in the bank what there was no time for. Returns what found no place. */
  #byRegret(isOver: () => boolean): number[] {
    const { routes } = this;
    const table = new RegretTable(routes, this.#insertion);
    const left: number[] = [];
    if (table.fill(isOver))
      while (table.open.size > 0 && !isOver()) {
        const { request, driver } = table.take();
        if (driver !== -1 && this.#insertion.findIn(driver, request)) {
          this.#insertion.insert(request);
          table.refresh(driver);
        } else left.push(request);
      }
    routes.bankSize = 0;
    for (const request of table.open) routes.bank[routes.bankSize++] = request;
    return left;
  }

  /** By the time at which each request must be served. */
  #urgency(request: number): number {
    const { first, latest, due, earliest } = this.routes.problem;
    const visit = first[request + 1]! - 1;
    return Math.min(latest[visit]!, due[visit]!, FAR) + earliest[first[request]!]!;
  }
}

/** Ascending: large first, far from the drivers first, near first, tight windows first, early first, late first. */
function sortKeys(problem: Compiled): Float64Array[] {
  const {
    requests,
    first,
    amounts,
    dimensions,
    earliest,
    latest,
    due,
    drivers,
    start,
    costTo,
    places,
    place,
  } = problem;
  const keys = Array.from({ length: 6 }, () => new Float64Array(requests));
  for (let request = 0; request < requests; request += 1) {
    const pickup = first[request]!;
    const last = first[request + 1]! - 1;
    let size = 0;
    for (let k = 0; k < dimensions; k += 1) size += Math.abs(amounts[pickup * dimensions + k]!);
    let away = Number.POSITIVE_INFINITY;
    for (let driver = 0; driver < drivers; driver += 1)
      away = Math.min(away, costTo[place[last]! * places + start[driver]!]!);
    const end = Math.min(latest[last]!, due[last]!);
    const values = [-size, -away, away, end - earliest[pickup]!, earliest[pickup]!, -end];
    for (const [at, value] of values.entries()) keys[at]![request] = value;
  }
  return keys;
}
