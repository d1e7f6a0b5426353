import { type Clock, systemClock } from '../../platform/kernel/clock.ts';

/** Routing and geocoding engines, in other processes or on other machines, reject with this when they do not answer. */
export class EngineUnavailable extends Error {
  override name = 'EngineUnavailable';
}

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
    // A longer pause than configured began before the clock was set back.
    const msLeft = this.#openUntil - this.#clock.milliseconds();
    return msLeft > 0 && msLeft <= this.#options.pauseMs ? 'open' : 'half-open';
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
    this.#openUntil = this.#clock.milliseconds() + this.#options.pauseMs;
  }
}

export interface GuardCounters {
  calls: number;
  /** Calls that ended in EngineUnavailable after the engine was called. */
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

/** The name of a kind of engine in messages, and how its failures differ from its answers. */
export interface EngineKind {
  /** Creates the error of an engine that does not answer. */
  unavailable(message: string): EngineUnavailable;
  /** Whether the engine failed; other errors are answers, e.g. that there is no way. */
  isFailure(error: unknown): boolean;
}

export interface CallGuard {
  guard<Answer>(ask: () => Promise<Answer>): Promise<Answer>;
  counters(): GuardCounters & { state: CircuitState };
}

/**
 * Protects callers from a slow or dead engine: a time-out, a second attempt when the first failed at once (usually
 * an idle connection that the engine closed), and a circuit breaker.
 */
export function callGuard(
  { unavailable, isFailure }: EngineKind,
  { timeoutMs = 4000, failuresMax = 5, pauseMs = 10_000, clock = systemClock }: GuardOptions = {},
): CallGuard {
  const circuit = new CircuitBreaker(clock, { failuresMax, pauseMs });
  const counters: GuardCounters = { calls: 0, failures: 0, timeouts: 0, retries: 0, turnedAway: 0 };

  async function guard<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    counters.calls++;
    if (!circuit.tryAdmit()) {
      counters.turnedAway++;
      throw unavailable('failed repeatedly and is given a pause');
    }
    const deadline = new Deadline(timeoutMs, () => unavailable(`did not answer within ${timeoutMs} ms`));
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

  return { guard, counters: () => ({ ...counters, state: circuit.state }) };
}

class Deadline {
  isOver = false;
  readonly #timer: NodeJS.Timeout;
  readonly #passed: Promise<never>;

  constructor(millis: number, passed: () => Error) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.#passed = promise;
    this.#timer = setTimeout(() => {
      this.isOver = true;
      reject(passed());
    }, millis);
  }

  race<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    return Promise.race([ask(), this.#passed]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
