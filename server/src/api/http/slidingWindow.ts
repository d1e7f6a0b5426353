/** Every limit is one of requests in 60 seconds. */
export const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1000;
/** Above this limit, an error of a hundredth of a second in the window is not noticeable. */
const EXACT_LIMIT_MAX = 10_000;
const COARSE_MS = 10;

export interface Admission {
  admitted: boolean;
  limit: number;
  remaining: number;
  /** The time until one more request than now would be admitted. */
  retryAfterSeconds: number;
  /** What is left for this login of the share that it has while others use the same api-key. */
  share?: { limit: number; remaining: number };
  /** Called when the request is refused for the caller's rights: it then counts against the login alone. */
  refuse?(): void;
  /** Counts an admitted request as this many instead of one. If there is no room for them, none is counted. */
  countAs?(now: number, count: number): Admission;
}

/**
 * Whether this many requests fit. More than the limit fit only where nothing else is counted, so that a request that
 * counts as many is possible under any limit.
 */
export const hasRoom = (used: number, limit: number, count: number): boolean => used < roomFor(limit, count);

/** There is room for this many once fewer than this are counted. */
export const roomFor = (limit: number, count: number): number => limit - Math.min(count, limit) + 1;

/**
 * Admits exactly `limit` requests in any 60 seconds. Requests of the same millisecond are counted together, and
 * under high limits those of the same hundredth of a second, so that memory does not grow with the limit.
 */
export class SlidingWindow {
  // The moments of admission and their counts, oldest first. Expired entries stay in front until they are half of
  // the list.
  #moments: number[] = [];
  #counts: number[] = [];
  #oldest = 0;
  #total = 0;
  /** The moment of the last admission. What it counts in later windows has later moments. */
  #latest = 0;

  admit(now: number, limit: number, count = 1): Admission {
    if (!hasRoom(this.total(now), limit, count)) return this.#admission(now, limit, count, false);
    const moment = this.add(now, limit, count);
    return {
      ...this.#admission(now, limit, 1, true),
      countAs: (later, more) => {
        this.takeBack(moment, limit, count);
        return this.admit(later, limit, more);
      },
    };
  }

  /** The number of requests that are counted. */
  total(now: number): number {
    this.#forgetOld(now);
    return this.#total;
  }

  /**
   * Counts requests. Returns the moment with which `takeBack` can undo it. Those beyond the limit are counted in the
   * windows that follow, so that there are never more than `limit` in a window on average.
   */
  add(now: number, limit: number, count = 1): number {
    const moment = limit > EXACT_LIMIT_MAX ? Math.ceil(now / COARSE_MS) * COARSE_MS : now;
    this.#latest = moment;
    for (let left = count, at = moment; left > 0; left -= limit, at += WINDOW_MS)
      this.#note(at, Math.min(left, limit));
    return moment;
  }

  #note(moment: number, count: number): void {
    this.#total += count;
    // What is counted in a later window stays behind it.
    let place = this.#moments.length;
    while (place > this.#oldest && this.#moments[place - 1]! > moment) place -= 1;
    if (place > this.#oldest && this.#moments[place - 1] === moment) this.#counts[place - 1]! += count;
    else {
      this.#moments.splice(place, 0, moment);
      this.#counts.splice(place, 0, count);
    }
  }

  /** Undoes `add`, except in windows that are over. */
  takeBack(moment: number, limit: number, count = 1): void {
    for (let left = count, at = moment; left > 0; left -= limit, at += WINDOW_MS)
      this.#takeAt(at, Math.min(left, limit));
  }

  #takeAt(moment: number, count: number): void {
    let from = this.#oldest;
    for (let until = this.#moments.length; from < until; ) {
      const middle = (from + until) >> 1;
      if (this.#moments[middle]! < moment) from = middle + 1;
      else until = middle;
    }
    if (this.#moments[from] !== moment) return;
    const taken = Math.min(count, this.#counts[from]!);
    this.#counts[from]! -= taken;
    this.#total -= taken;
  }

  /** How long it takes until fewer than `limit` requests are counted, if no further ones arrive. */
  secondsUntilBelow(now: number, limit: number): number {
    if (limit <= 0) return WINDOW_SECONDS;
    return this.total(now) === 0 ? 1 : this.#secondsUntilRoom(now, limit);
  }

  /** The state for the next request, without counting it. */
  standing(now: number, limit: number): Admission {
    this.#forgetOld(now);
    return this.#admission(now, limit, 1, this.#total < limit);
  }

  #forgetOld(now: number): void {
    // A clock that was set back would otherwise block callers until it caught up.
    if (this.#latest > now + COARSE_MS) this.#forgetUntil(Number.POSITIVE_INFINITY);
    this.#forgetUntil(now - WINDOW_MS);
  }

  #admission(now: number, limit: number, count: number, admitted: boolean): Admission {
    return {
      admitted,
      limit,
      remaining: Math.max(0, limit - this.#total),
      retryAfterSeconds: this.#total === 0 ? 1 : this.#secondsUntilRoom(now, roomFor(limit, count)),
    };
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

  /**
   * The moment that must leave the window before the next request is admitted: under an unchanged limit, the
   * oldest.
   */
  #roomAt(limit: number): number {
    let place = this.#oldest;
    while (this.#counts[place] === 0) place += 1;
    for (let left = this.#total - this.#counts[place]!; left >= limit; left -= this.#counts[place]!)
      place += 1;
    return this.#moments[place]!;
  }
}
