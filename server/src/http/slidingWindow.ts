const WINDOW_MS = 60_000;
/** Above this many a minute nobody notices whether the window is a hundredth of a second longer. */
const EXACT_LIMIT_MAX = 10_000;
const COARSE_MS = 10;

export interface Admission {
  admitted: boolean;
  limit: number;
  remaining: number;
  retryAfterSeconds: number;
}

/**
 * At most `limit` requests in any 60 seconds, and not one fewer than that. Those of the same millisecond are counted together,
 * and under high limits those of the same hundredth of a second, so that what is kept does not grow with the limit.
 */
export class SlidingWindow {
  // When something was admitted, and how often, oldest first; what is forgotten stays in front until it is half.
  #moments: number[] = [];
  #counts: number[] = [];
  #oldest = 0;
  #total = 0;

  admit(now: number, limit: number): Admission {
    this.#forgetOld(now);
    const admitted = this.#total < limit;
    if (admitted) this.#count(limit > EXACT_LIMIT_MAX ? Math.ceil(now / COARSE_MS) * COARSE_MS : now);
    return this.#told(now, limit, admitted);
  }

  /** What the next one would be told, without counting it. */
  standing(now: number, limit: number): Admission {
    this.#forgetOld(now);
    return this.#told(now, limit, this.#total < limit);
  }

  #forgetOld(now: number): void {
    // A clock that was set back would otherwise hold its callers until it caught up.
    if ((this.#moments.at(-1) ?? 0) > now + COARSE_MS) this.#forgetUntil(Number.POSITIVE_INFINITY);
    this.#forgetUntil(now - WINDOW_MS);
  }

  #told(now: number, limit: number, admitted: boolean): Admission {
    return {
      admitted,
      limit,
      remaining: Math.max(0, limit - this.#total),
      retryAfterSeconds: this.#total === 0 ? 1 : this.#secondsUntilRoom(now, limit),
    };
  }

  #count(moment: number): void {
    this.#total += 1;
    const last = this.#moments.length - 1;
    if (last >= 0 && this.#moments[last]! >= moment) this.#counts[last]! += 1;
    else {
      this.#moments.push(moment);
      this.#counts.push(1);
    }
  }

  #forgetUntil(horizon: number): void {
    const moments = this.#moments;
    while (this.#oldest < moments.length && moments[this.#oldest]! <= horizon) {
      this.#total -= this.#counts[this.#oldest]!;
      this.#oldest += 1;
    }
    if (this.#oldest * 2 <= moments.length) return;
    this.#moments = moments.slice(this.#oldest);
    this.#counts = this.#counts.slice(this.#oldest);
    this.#oldest = 0;
  }

  #secondsUntilRoom(now: number, limit: number): number {
    return Math.max(1, Math.ceil((this.#roomAt(limit) + WINDOW_MS - now) / 1000));
  }

  /** The moment that must leave the window for the next one to be admitted: under an unchanged limit, the oldest. */
  #roomAt(limit: number): number {
    let place = this.#oldest;
    for (let left = this.#total - this.#counts[place]!; left >= limit; left -= this.#counts[place]!)
      place += 1;
    return this.#moments[place]!;
  }
}
