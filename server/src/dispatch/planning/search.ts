import { randomFrom } from '../../platform/kernel/random.ts';
import { type Compiled, compileProblem } from './compileProblem.ts';
import { packRoutes, unpackRoutes } from './packRoutes.ts';
import type { PlanLimits, PlanProblem } from './planProblem.ts';
import { Recreate } from './recreate.ts';
import { Routes } from './routes.ts';
import { Ruin } from './ruin.ts';
import { startFromPublished } from './startFromPublished.ts';

/** Temperatures at the begin and at the end of a search, as shares of the mean cost of a visit. */
const HOT = 3;
const COLD = 0.05;
/** The same while drivers are saved: what follows begins with a better plan than after a hot search. */
const SAVING_HEAT = 0.1;
/** For a search that begins with a published plan. */
const HOT_AGAIN = 0.1;

/** Points for the way that removed the requests. */
const POINTS = { best: 10, better: 3, accepted: 1, nothing: 0 };

/** Ruin and recreate with simulated annealing. Holds a feasible plan at any time. */
export class Search {
  readonly problem: Compiled;
  readonly routes: Routes;
  readonly best: Int32Array;
  bestCost = Number.POSITIVE_INFINITY;
  iterations = 0;
  readonly random: () => number;
  readonly #ruin: Ruin;
  readonly #recreate: Recreate;
  #cost = Number.POSITIVE_INFINITY;
  #scale = 1;
  #hot = HOT;
  /** The time was over before other plans were tried. */
  wasCut = false;
  /** How often each request stayed out while drivers were saved. */
  readonly #absences: Float64Array;

  constructor(problem: PlanProblem, seed: number) {
    this.problem = compileProblem(problem);
    this.routes = new Routes(this.problem);
    this.random = randomFrom(seed);
    this.#ruin = new Ruin(this.routes, this.random);
    this.#recreate = new Recreate(this.routes, this.random);
    this.best = new Int32Array(this.problem.drivers + this.problem.place.length);
    this.#absences = new Float64Array(this.problem.requests);
  }

  /** Makes the first plan, from the published one if there is any. `spent` is the part of the time that is over. */
  construct(spent: () => number): void {
    const { published = [] } = this.problem.problem;
    startFromPublished(this.routes, published);
    const { bank, bankSize } = this.routes;
    if (bankSize < this.problem.requests / 2) {
      this.#hot = HOT_AGAIN;
      if (bankSize > 0) this.#ruin.focus = bank.slice(0, bankSize);
    }
    this.#recreate.construct(spent);
    this.wasCut = spent() >= 1;
    this.#measureScale();
    this.#cost = this.routes.total();
    this.#keepBest();
  }

  #keepBest(): void {
    this.bestCost = this.#cost;
    packRoutes(this.routes, this.best);
  }

  /** Goes on from a better plan that another search found. */
  adopt(packed: Int32Array, { fewestDrivers = false }: PlanLimits): void {
    unpackRoutes(this.routes, packed);
    if (fewestDrivers) this.#limitDrivers();
    this.#cost = this.routes.total();
    this.#keepBest();
  }

  bestDrivers(): number {
    const { drivers, fixed } = this.problem;
    let used = 0;
    for (let driver = 0, at = 0; driver < drivers; driver += 1) {
      const length = this.best[at]!;
      if (length > fixed[driver]!.length) used += 1;
      at += 1 + length;
    }
    return used;
  }

  /** The mean cost of a visit, for which temperatures are chosen. */
  #measureScale(): void {
    const { routes, problem } = this;
    let sum = 0;
    let visits = 0;
    for (let driver = 0; driver < problem.drivers; driver += 1) {
      const base = driver * problem.stride;
      for (let at = problem.fixed[driver]!.length + 1; at <= routes.length[driver]!; at += 1) {
        sum += routes.arc[base + at]!;
        visits += 1;
      }
    }
    if (visits > 0 && sum > 0) this.#scale = sum / visits;
  }

  /** One removal and insertion. `progress` goes from 0 to 1 during the search. */
  improve(progress: number): void {
    this.iterations += 1;
    const { routes } = this;
    const temperature = this.#scale * this.#hot * (COLD / this.#hot) ** progress;
    this.#ruin.run();
    this.#recreate.greedy(this.#ruin.removed, this.#ruin.count);
    const cost = routes.total();
    if (cost < this.#cost - temperature * Math.log(this.random())) {
      const isBest = cost < this.bestCost - 1e-9;
      this.#ruin.reward(isBest ? POINTS.best : cost < this.#cost ? POINTS.better : POINTS.accepted);
      routes.commit();
      this.#cost = cost;
      if (isBest) this.#keepBest();
    } else {
      this.#ruin.reward(POINTS.nothing);
      routes.rollback();
    }
  }

  /**
   * Closes one route after the other, and finds place for its requests elsewhere: a plan is accepted when the requests
   * that stay out have stayed out less often than those of the current one (Christiaens and Vanden Berghe, 2020).
   * Afterwards `best` is the plan with the fewest drivers, and the others may not be used.
   */
  saveDrivers(isOver: () => boolean): void {
    const { routes } = this;
    if (routes.bankSize > 0) return;
    this.#limitDrivers();
    while (!isOver() && this.#usedDrivers() > this.#driversAtLeast() && this.#closeRoute()) {
      let out = this.#absencesOut();
      this.#cost = routes.total();
      while (routes.bankSize > 0 && !isOver()) {
        this.iterations += 1;
        this.#ruin.run();
        this.#recreate.greedy(this.#ruin.removed, this.#ruin.count);
        const stillOut = this.#absencesOut();
        for (let at = 0; at < routes.bankSize; at += 1) this.#absences[routes.bank[at]!]! += 1;
        const cost = this.#costOfWays();
        const isAccepted =
          stillOut < out ||
          routes.bankSize === 0 ||
          (stillOut === out && cost < this.#cost - SAVING_HEAT * this.#scale * Math.log(this.random()));
        if (isAccepted) {
          routes.commit();
          this.#cost = cost;
        } else routes.rollback();
        out = this.#absencesOut();
      }
      if (routes.bankSize > 0) break;
      this.#cost = routes.total();
      this.#keepBest();
    }
    unpackRoutes(routes, this.best);
    this.#cost = this.bestCost = routes.total();
    this.#limitDrivers();
    this.#measureScale();
  }

  #costOfWays(): number {
    let sum = 0;
    for (let driver = 0; driver < this.problem.drivers; driver += 1) sum += this.routes.cost[driver]!;
    return sum;
  }

  #absencesOut(): number {
    let sum = 0;
    for (let at = 0; at < this.routes.bankSize; at += 1) sum += 1 + this.#absences[this.routes.bank[at]!]!;
    return sum;
  }

  #usedDrivers(): number {
    return this.routes.isUsable.reduce((sum, each) => sum + each, 0);
  }

  #limitDrivers(): void {
    const { drivers, fixed } = this.problem;
    for (let driver = 0; driver < drivers; driver += 1)
      this.routes.isUsable[driver] = this.routes.length[driver]! > fixed[driver]!.length ? 1 : 0;
  }

  /** By capacity, for requests whose goods stay aboard until the end. */
  #driversAtLeast(): number {
    const { dimensions, amounts, first, requests, capacity, drivers } = this.problem;
    let least = 1;
    for (let k = 0; k < dimensions; k += 1) {
      let sum = 0;
      let most = 0;
      for (let request = 0; request < requests; request += 1)
        for (let visit = first[request]!; visit < first[request + 1]!; visit += 1)
          sum += amounts[visit * dimensions + k]!;
      for (let driver = 0; driver < drivers; driver += 1)
        most = Math.max(most, capacity[driver * dimensions + k]!);
      if (most > 0) least = Math.max(least, Math.ceil(sum / most - 1e-9));
    }
    return least;
  }

  /** Takes out the route whose requests have stayed out least. */
  #closeRoute(): boolean {
    const { routes, problem } = this;
    let chosen = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let driver = 0; driver < problem.drivers; driver += 1) {
      if (!routes.isUsable[driver] || problem.fixed[driver]!.length > 0) continue;
      let sum = 0;
      for (let at = 1; at <= routes.length[driver]!; at += 1)
        sum += 1 + this.#absences[problem.requestOf[routes.visit[driver * problem.stride + at]!]!]!;
      if (sum < least) {
        least = sum;
        chosen = driver;
      }
    }
    if (chosen === -1) return false;
    routes.isUsable[chosen] = 0;
    this.#ruin.removeAll(chosen);
    this.#recreate.greedy(this.#ruin.removed, this.#ruin.count);
    routes.commit();
    return true;
  }
}
