import { type Admission, hasRoom, roomFor, SlidingWindow, WINDOW_SECONDS } from './slidingWindow.ts';

/**
 * The share of a key's limit that one login may use while several use the key. The rest is always left for the others.
 */
const LOGIN_SHARE = 0.8;
const LOGINS_KEPT = 64;

interface LoginWindows {
  counted: SlidingWindow;
  /** Requests that were refused for the rights of the login. They count against it, and not against the key. */
  refused: SlidingWindow;
}

/**
 * The requests of an api-key to one group of endpoints. A login that uses the key alone may use all of its limit. As
 * soon as another login uses the key too, each has a share at most; and what the first one took beyond its share
 * before is not held against the others, so that none can use the key up for them.
 */
export class KeyWindows {
  readonly #all = new SlidingWindow();
  readonly #logins = new Map<number, LoginWindows>();
  #forgetAbove = LOGINS_KEPT;
  /** The only login that may have taken more than its share. */
  #largest: LoginWindows | undefined;

  admit(now: number, userId: number, limit: number, count = 1): Admission {
    const own = this.#login(now, userId);
    const total = this.#all.total(now);
    const counted = own.counted.total(now);
    const used = counted + own.refused.total(now);
    const isAlone = total === counted;
    const share = isAlone ? limit : Math.max(1, Math.floor(limit * LOGIN_SHARE));
    const keyLimit = limit + (isAlone ? 0 : this.#beyondShare(now, own, share));
    const isShareFull = !hasRoom(used, share, count);
    const isKeyFull = !hasRoom(total, keyLimit, count);
    if (isShareFull || isKeyFull) {
      const retryAfterSeconds = Math.max(
        isShareFull ? untilUnused(own, now, roomFor(share, count)) : 0,
        isKeyFull ? this.#all.secondsUntilBelow(now, roomFor(limit, count)) : 0,
      );
      const remaining = Math.max(0, Math.min(share - used, keyLimit - total));
      return { admitted: false, limit: isShareFull ? share : limit, remaining, retryAfterSeconds };
    }

    const moment = this.#all.add(now, limit, count);
    own.counted.add(now, limit, count);
    if (counted + count > limit * LOGIN_SHARE) this.#largest = own;
    const takeBack = (): void => {
      this.#all.takeBack(moment, limit, count);
      own.counted.takeBack(moment, limit, count);
    };
    return {
      admitted: true,
      limit,
      remaining: Math.max(0, Math.min(keyLimit - total, limit - used) - count),
      retryAfterSeconds: total === 0 ? WINDOW_SECONDS : this.#all.secondsUntilBelow(now, limit),
      ...(!isAlone && { share: { limit: share, remaining: Math.max(0, share - used - count) } }),
      refuse: () => {
        takeBack();
        own.refused.add(now, limit, count);
      },
      countAs: (later, more) => {
        takeBack();
        return this.admit(later, userId, limit, more);
      },
    };
  }

  loginCount(): number {
    return this.#logins.size;
  }

  #beyondShare(now: number, own: LoginWindows, share: number): number {
    if (!this.#largest || this.#largest === own) return 0;
    return Math.max(0, this.#largest.counted.total(now) - share);
  }

  #login(now: number, userId: number): LoginWindows {
    const known = this.#logins.get(userId);
    if (known) return known;
    if (this.#logins.size >= this.#forgetAbove) this.#forgetUnused(now);
    const login = { counted: new SlidingWindow(), refused: new SlidingWindow() };
    this.#logins.set(userId, login);
    return login;
  }

  /** Looks at all logins only after their number has doubled. */
  #forgetUnused(now: number): void {
    for (const [userId, { counted, refused }] of this.#logins)
      if (counted.total(now) + refused.total(now) === 0) this.#logins.delete(userId);
    this.#forgetAbove = Math.max(LOGINS_KEPT, 2 * this.#logins.size);
  }
}

/** There is room once enough requests of either kind have left the window. */
const untilUnused = ({ counted, refused }: LoginWindows, now: number, share: number): number =>
  Math.min(
    counted.secondsUntilBelow(now, share - refused.total(now)),
    refused.secondsUntilBelow(now, share - counted.total(now)),
  );
