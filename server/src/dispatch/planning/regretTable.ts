import type { Insertion } from './insertion.ts';
import type { Routes } from './routes.ts';

/** How many of its best routes the regret of a request looks at. */
const REGRET_ROUTES = 3;

/**
 * What each open request costs in each route. A price that is not among the best of its request is only known to be at
 * least as much; it is computed exactly when it becomes the best.
 */
export class RegretTable {
  readonly #routes: Routes;
  readonly #insertion: Insertion;
  readonly #open: Set<number>;
  readonly #prices: Float64Array;
  readonly #isExact: Uint8Array;
  readonly #best = new Float64Array(REGRET_ROUTES);
  readonly #bestDrivers = new Int32Array(REGRET_ROUTES);

  constructor(routes: Routes, insertion: Insertion) {
    const { requests, drivers } = routes.problem;
    this.#routes = routes;
    this.#insertion = insertion;
    this.#open = new Set(routes.bank.subarray(0, routes.bankSize));
    this.#prices = new Float64Array(requests * drivers).fill(Number.POSITIVE_INFINITY);
    this.#isExact = new Uint8Array(requests * drivers);
  }

  get open(): ReadonlySet<number> {
    return this.#open;
  }

  /** False when time was over before all prices were known. */
  fill(isOver: () => boolean): boolean {
    for (const request of this.#open) {
      if (isOver()) return false;
      for (let driver = 0; driver < this.#routes.problem.drivers; driver += 1) this.#update(driver, request);
    }
    return true;
  }

  /** The open request that would lose most by waiting, which is closed then, and the driver with whom it costs least. */
  take(): { request: number; driver: number } {
    let most = Number.NEGATIVE_INFINITY;
    let chosen = { request: -1, driver: -1 };
    for (const request of this.#open) {
      this.#findExactBest(request);
      let regret = 0;
      for (const price of this.#best) regret += price - this.#best[0]!;
      if (regret > most) {
        most = regret;
        chosen = { request, driver: this.#bestDrivers[0]! };
      }
    }
    this.#open.delete(chosen.request);
    return chosen;
  }

  /** After the route of a driver has changed. */
  refresh(driver: number): void {
    for (const request of this.#open) this.#update(driver, request);
  }

  #update(driver: number, request: number): void {
    const cell = request * this.#routes.problem.drivers + driver;
    this.#prices[cell] = Number.POSITIVE_INFINITY;
    this.#findBest(request);
    const bound = this.#best[REGRET_ROUTES - 1]!;
    const price = this.#priceIn(driver, request, bound);
    this.#isExact[cell] = price < bound ? 1 : 0;
    this.#prices[cell] = Math.min(price, bound);
  }

  #priceIn(driver: number, request: number, bound: number): number {
    return this.#routes.isUsable[driver]
      ? this.#insertion.priceIn(driver, request, bound)
      : Number.POSITIVE_INFINITY;
  }

  #findExactBest(request: number): void {
    const { drivers, bankCost } = this.#routes.problem;
    for (;;) {
      this.#findBest(request);
      const driver = this.#bestDrivers.find(
        (each) => each !== -1 && !this.#isExact[request * drivers + each],
      );
      if (driver === undefined) return;
      const cell = request * drivers + driver;
      this.#prices[cell] = this.#priceIn(driver, request, bankCost[request]!);
      this.#isExact[cell] = 1;
    }
  }

  /** Into `best`: the least prices of a request, none more than that of staying out, and their drivers, or -1. */
  #findBest(request: number): void {
    const { drivers, bankCost } = this.#routes.problem;
    const best = this.#best.fill(bankCost[request]!);
    const bestDrivers = this.#bestDrivers.fill(-1);
    for (let driver = 0; driver < drivers; driver += 1) {
      const price = this.#prices[request * drivers + driver]!;
      if (price >= best[REGRET_ROUTES - 1]!) continue;
      let rank = REGRET_ROUTES - 1;
      for (; rank > 0 && price < best[rank - 1]!; rank -= 1) {
        best[rank] = best[rank - 1]!;
        bestDrivers[rank] = bestDrivers[rank - 1]!;
      }
      best[rank] = price;
      bestDrivers[rank] = driver;
    }
  }
}
