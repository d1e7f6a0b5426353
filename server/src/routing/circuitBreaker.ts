import type { Clock } from '../kernel/clock.ts';

/**
 * Closed while all is well; open after some failures in a row, when nobody is let through for a while; then half
 * open, when one caller tries and all others are still turned away: its luck closes or opens the circuit again.
 */
export type CircuitState = 'closed' | 'open' | 'half-open';

export interface CircuitOptions {
  failuresMax: number;
  pauseMs: number;
}

export class CircuitBreaker {
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

  /** Whoever is let in must report `succeeded` or `failed`. */
  letsIn(): boolean {
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
