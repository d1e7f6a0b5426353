import type { Compiled } from './compileProblem.ts';
import { Insertion } from './insertion.ts';
import type { Routes } from './routes.ts';

const BLINK_RATE = 0.01;
const REGRET_ROUTES = 3;
/** A regret construction computes about requests² x visits places. Beyond this many requests it takes too long. */
const REGRET_REQUESTS_MAX = 600;

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
   * its best routes. Leaves the rest in the bank when time is over.
   */
  regret(isOver: () => boolean): void {
    const { routes } = this;
    this.#insertion.setBlinks(0);
    if (routes.bankSize > REGRET_REQUESTS_MAX) this.#inOrder(isOver);
    else this.#byRegret(isOver);
    routes.commit();
  }

  #byRegret(isOver: () => boolean): void {
    const { routes } = this;
    const { requests, drivers } = routes.problem;
    const prices = new Float64Array(requests * drivers);
    const open = new Set<number>(routes.bank.subarray(0, routes.bankSize));
    for (const request of open)
      for (let driver = 0; driver < drivers; driver += 1)
        prices[request * drivers + driver] = this.#priceIn(driver, request);
    const left: number[] = [];
    while (open.size > 0 && !isOver()) {
      const request = this.#mostRegretted(open, prices);
      open.delete(request);
      if (!this.#insertAt(request, cheapest(prices, request, drivers))) {
        left.push(request);
        continue;
      }
      const { driver } = this.#insertion;
      for (const other of open) prices[other * drivers + driver] = this.#priceIn(driver, other);
    }
    routes.bankSize = 0;
    for (const request of [...left, ...open]) routes.bank[routes.bankSize++] = request;
  }

  #priceIn(driver: number, request: number): number {
    if (!this.routes.isUsable[driver]) return Number.POSITIVE_INFINITY;
    return this.#insertion.priceIn(driver, request, this.routes.problem.bankCost[request]!);
  }

  #insertAt(request: number, driver: number): boolean {
    if (driver === -1 || !this.#insertion.findIn(driver, request)) return false;
    this.#insertion.insert(request);
    return true;
  }

  #mostRegretted(open: ReadonlySet<number>, prices: Float64Array): number {
    const { drivers, bankCost } = this.routes.problem;
    const best = new Float64Array(REGRET_ROUTES);
    let most = Number.NEGATIVE_INFINITY;
    let chosen = -1;
    for (const request of open) {
      best.fill(bankCost[request]!);
      for (let cell = request * drivers; cell < (request + 1) * drivers; cell += 1) {
        let price = prices[cell]!;
        for (let rank = 0; rank < REGRET_ROUTES && price < best[REGRET_ROUTES - 1]!; rank += 1)
          if (price < best[rank]!) [best[rank], price] = [price, best[rank]!];
      }
      let regret = 0;
      for (const price of best) regret += price - best[0]!;
      if (regret > most) {
        most = regret;
        chosen = request;
      }
    }
    return chosen;
  }

  /** By the time at which each request must be served. */
  #inOrder(isOver: () => boolean): void {
    const { routes } = this;
    const { first, latest, due, earliest } = routes.problem;
    const urgency = (request: number): number => {
      const visit = first[request + 1]! - 1;
      return Math.min(latest[visit]!, due[visit]!) + earliest[first[request]!]!;
    };
    const pending = [...routes.bank.subarray(0, routes.bankSize)].sort((a, b) => urgency(a) - urgency(b));
    routes.bankSize = 0;
    for (const request of pending)
      if (!isOver() && this.#insertion.find(request)) this.#insertion.insert(request);
      else routes.bank[routes.bankSize++] = request;
  }
}

function cheapest(prices: Float64Array, request: number, drivers: number): number {
  let driver = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let each = 0; each < drivers; each += 1)
    if (prices[request * drivers + each]! < least) {
      least = prices[request * drivers + each]!;
      driver = each;
    }
  return driver;
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
