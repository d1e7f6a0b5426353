import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Position } from '../kernel/position.ts';
import {
  type Matrix,
  NoRoadBetween,
  PointOffRoad,
  type Profile,
  type Router,
  RoutingUnavailable,
} from './router.ts';
import { straightLineRouter } from './straightLine.ts';

/**
 * Closed in normal operation. Open after several failures in a row: all calls are rejected for a while. Then half
 * open: one call is tried while the others are still rejected, and its result closes or opens the circuit.
 */
export type CircuitState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  failuresMax: number;
  pauseMs: number;
}

class CircuitBreaker {
  readonly #clock: Clock;
  readonly #options: CircuitOptions;
  #failures = 0;
  #openUntil = 0;
  #isTrying = false;

  constructor(clock: Clock, options: CircuitOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  get state(): CircuitState {
    if (this.#failures < this.#options.failuresMax) return 'closed';
    return this.#clock.now().epochMilliseconds < this.#openUntil ? 'open' : 'half-open';
  }

  /** Every admitted caller must report `succeeded` or `failed`. */
  tryAdmit(): boolean {
    const state = this.state;
    if (state === 'closed') return true;
    if (state === 'open' || this.#isTrying) return false;
    this.#isTrying = true;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isTrying = false;
  }

  failed(): void {
    this.#failures++;
    this.#isTrying = false;
    this.#openUntil = this.#clock.now().epochMilliseconds + this.#options.pauseMs;
  }
}

export interface GuardCounters {
  calls: number;
  /** Calls that ended in RoutingUnavailable after the engine was called. */
  failures: number;
  /** The failures that were time-outs. */
  timeouts: number;
  retries: number;
  /** Calls rejected without calling the engine, while the circuit was open. */
  turnedAway: number;
}

export interface GuardOptions {
  /** The longest wait of a caller, including the second attempt. */
  timeoutMs?: number;
  failuresMax?: number;
  pauseMs?: number;
  clock?: Clock;
}

export interface GuardedRouter extends Router {
  counters(): GuardCounters & { state: CircuitState };
}

/**
 * Protects callers from a slow or dead engine: a time-out, a second attempt when the first failed at once (usually
 * an idle connection that the engine closed), and a circuit breaker. A point off the roads or without a way is an
 * answer, not a failure.
 */
export function guardedRouter(
  inner: Router,
  { timeoutMs = 4000, failuresMax = 5, pauseMs = 10_000, clock = systemClock }: GuardOptions = {},
): GuardedRouter {
  const circuit = new CircuitBreaker(clock, { failuresMax, pauseMs });
  const counters: GuardCounters = { calls: 0, failures: 0, timeouts: 0, retries: 0, turnedAway: 0 };

  async function guard<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    counters.calls++;
    if (!circuit.tryAdmit()) {
      counters.turnedAway++;
      throw new RoutingUnavailable('the routing engine failed repeatedly and is given a pause');
    }
    const deadline = new Deadline(timeoutMs);
    try {
      const answer = await deadline.race(ask).catch((error: unknown) => {
        if (deadline.isOver || !isFailure(error)) throw error;
        counters.retries++;
        return deadline.race(ask);
      });
      circuit.succeeded();
      return answer;
    } catch (error) {
      if (isFailure(error)) {
        circuit.failed();
        counters.failures++;
        if (deadline.isOver) counters.timeouts++;
      } else circuit.succeeded();
      throw error;
    } finally {
      deadline.clear();
    }
  }

  return {
    name: inner.name,
    matrix: (points, profile) => guard(() => inner.matrix(points, profile)),
    route: (points, profile) => guard(() => inner.route(points, profile)),
    counters: () => ({ ...counters, state: circuit.state }),
  };
}

const isFailure = (error: unknown): boolean =>
  error instanceof RoutingUnavailable && !(error instanceof NoRoadBetween);

class Deadline {
  isOver = false;
  readonly #timer: NodeJS.Timeout;
  readonly #passed: Promise<never>;

  constructor(millis: number) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#passed = promise;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      reject(new RoutingUnavailable(`the routing engine did not answer within ${millis} ms`));
    }, millis);
  }

  race<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return Promise.race([ask(), this.#passed]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}

/** Each costs a request; more of them mean that the roads are those of another place. */
const OFF_ROAD_MAX = 8;

/**
 * A matrix that is not refused because of single points. Ways to and from points off the roads are estimated by
 * straight lines, and so are all ways when the points are too far apart for the engine. For uses in which one bad
 * point must not fail the others; not for estimates.
 */
export async function lenientMatrix(
  router: Router,
  points: readonly Position[],
  profile: Profile,
): Promise<Matrix> {
  const guessed = await straightLineRouter().matrix(points, profile);
  const onRoad = [...points.keys()];
  while (onRoad.length > 1 && points.length - onRoad.length <= OFF_ROAD_MAX)
    try {
      const asked = onRoad.map((index) => points[index]!);
      return filledIn(guessed, await router.matrix(asked, profile), onRoad);
    } catch (error) {
      if (error instanceof NoRoadBetween) return guessed;
      if (!(error instanceof PointOffRoad)) throw error;
      onRoad.splice(error.index, 1);
    }
  return guessed;
}

function filledIn(guessed: Matrix, known: Matrix, indexes: readonly number[]): Matrix {
  for (const [row, from] of indexes.entries())
    for (const [column, to] of indexes.entries()) {
      guessed.metres[from]![to] = known.metres[row]![column]!;
      guessed.seconds[from]![to] = known.seconds[row]![column]!;
    }
  return guessed;
}
