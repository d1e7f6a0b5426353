const WINDOW_MS = 60_000;

export interface Admission {
  admitted: boolean;
  limit: number;
  remaining: number;
  retryAfterSeconds: number;
}

/** Exactly `limit` requests in any 60 seconds: the moments of those admitted last, oldest first, in a ring. */
export class SlidingWindow {
  // Grows up to the limit, so that a high limit costs memory only where it is used.
  #moments: number[] = [];
  #size = 0;
  #oldest = 0;
  #count = 0;

  admit(now: number, limit: number): Admission {
    if (limit !== this.#size) this.#resize(limit);
    // A clock that was set back would otherwise hold its callers until it caught up.
    if (this.#count > 0 && this.#moment(this.#count - 1) > now) this.#count = 0;
    while (this.#count > 0 && this.#moment(0) <= now - WINDOW_MS) {
      this.#oldest = (this.#oldest + 1) % this.#size;
      this.#count -= 1;
    }
    const admitted = this.#count < limit;
    if (admitted) {
      this.#moments[(this.#oldest + this.#count) % limit] = now;
      this.#count += 1;
    }
    return {
      admitted,
      limit,
      remaining: limit - this.#count,
      retryAfterSeconds: Math.max(1, Math.ceil((this.#moment(0) + WINDOW_MS - now) / 1000)),
    };
  }

  #moment(place: number): number {
    return this.#moments[(this.#oldest + place) % this.#size]!;
  }

  /** What was counted stays counted under the new limit: the newest that fit into it. */
  #resize(limit: number): void {
    const kept = Math.min(this.#count, limit);
    this.#moments = Array.from({ length: kept }, (_, index) => this.#moment(this.#count - kept + index));
    this.#size = limit;
    this.#oldest = 0;
    this.#count = kept;
  }
}
