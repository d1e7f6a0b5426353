import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../centrals/central.ts';
import type { Clock } from '../kernel/clock.ts';
import { lruCache } from '../kernel/lru.ts';
import { Refusal, type RefusalKind } from '../kernel/refusal.ts';
import { networksOf } from './readRequest.ts';

export function countStranger(limits: RateLimits, request: FastifyRequest, reply: FastifyReply): void {
  count(limits.admitStranger(request.callerIp), reply);
}

/**
 * For a request whose sender could not be identified. Only wrong credentials are counted. A database outage or a
 * login that was turned away unverified is not counted against the sender.
 */
export function countUnidentified(
  limits: RateLimits,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
): void {
  const isWrong = error instanceof Refusal && WRONG_CREDENTIALS.includes(error.kind);
  if (isWrong) countStranger(limits, request, reply);
  else showStanding(limits.strangerStanding(request.callerIp), reply);
}

const WRONG_CREDENTIALS: readonly RefusalKind[] = ['central-not-identified', 'bad-credentials'];

/** Sends the rate-limit headers, and refuses once the limit is reached. */
export function count(admission: Admission, reply: FastifyReply): void {
  showStanding(admission, reply);
  if (!admission.admitted) throw new Refusal('rate-limited', { seconds: admission.retryAfterSeconds });
}

function showStanding({ limit, remaining }: Admission, reply: FastifyReply): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
}

const WINDOW_MS = 60_000;
/** Above this limit, an error of a hundredth of a second in the window is not noticeable. */
const EXACT_LIMIT_MAX = 10_000;
const COARSE_MS = 10;

export interface Admission {
  admitted: boolean;
  limit: number;
  remaining: number;
  retryAfterSeconds: number;
}

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

  admit(now: number, limit: number): Admission {
    this.#forgetOld(now);
    const admitted = this.#total < limit;
    if (admitted) this.#count(limit > EXACT_LIMIT_MAX ? Math.ceil(now / COARSE_MS) * COARSE_MS : now);
    return this.#admission(now, limit, admitted);
  }

  /** The state for the next request, without counting it. */
  standing(now: number, limit: number): Admission {
    this.#forgetOld(now);
    return this.#admission(now, limit, this.#total < limit);
  }

  #forgetOld(now: number): void {
    // A clock that was set back would otherwise block callers until it caught up.
    if ((this.#moments.at(-1) ?? 0) > now + COARSE_MS) this.#forgetUntil(Number.POSITIVE_INFINITY);
    this.#forgetUntil(now - WINDOW_MS);
  }

  #admission(now: number, limit: number, admitted: boolean): Admission {
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

  /**
   * The moment that must leave the window before the next request is admitted: under an unchanged limit, the
   * oldest.
   */
  #roomAt(limit: number): number {
    let place = this.#oldest;
    for (let left = this.#total - this.#counts[place]!; left >= limit; left -= this.#counts[place]!)
      place += 1;
    return this.#moments[place]!;
  }
}

export type LimitGroup =
  | 'scheduled'
  | 'deliveries'
  | 'estimates'
  | 'topUps'
  | 'withdrawals'
  | 'balances'
  | 'operations'
  | 'positions';

export const limitOf: Record<LimitGroup, keyof Settings & `limit${string}`> = {
  scheduled: 'limitScheduled',
  deliveries: 'limitDeliveries',
  estimates: 'limitEstimates',
  topUps: 'limitTopUpsPerCompany',
  withdrawals: 'limitTopUpsPerCompany',
  balances: 'limitBalancesPerCompany',
  operations: 'limitOperations',
  positions: 'limitPositions',
};

/** In 60 seconds, whatever the settings say. */
export const fixedLimits = {
  /** Per login and stop. Images replace each other, so the number of images alone does not limit writes. */
  imagesOfStop: 20,
} as const;

export type FixedLimit = keyof typeof fixedLimits;

export const limitFor = (group: LimitGroup | FixedLimit, settings: Settings): number =>
  isFixed(group) ? fixedLimits[group] : settings[limitOf[group]];

const isFixed = (group: LimitGroup | FixedLimit): group is FixedLimit => group in fixedLimits;

const ANONYMOUS_LIMIT = 120;
/** For all networks of one /48 together. */
const WIDE_NETWORK_LIMIT = 1_200;
const WINDOWS_MAX = 20_000;

export interface RateLimits {
  /** Counts one request of an identified caller. */
  admit(key: string, limit: number): Admission;
  /** Counts requests that belong to no central: unknown paths, wrong methods, unknown keys, malformed HTTP. */
  admitStranger(ip: string): Admission;
  /** The state of an unidentified sender, without counting. */
  strangerStanding(ip: string): Admission;
}

/**
 * Refused requests do not count. Each process counts for itself: behind N processes a central has at most N times
 * its limit (docs/decisions/0008 explains why that is enough).
 */
export function rateLimits(clock: Clock): RateLimits {
  const callers = windows(clock);
  // Kept apart, because unidentified senders can be made at will and must not evict identified callers.
  const strangers = windows(clock);
  const wideNetworks = windows(clock);
  return {
    admit: callers.admit,
    admitStranger(ip) {
      const [network, wider] = networksOf(ip);
      const wide = wider === undefined ? undefined : wideNetworks.standing(wider, WIDE_NETWORK_LIMIT);
      if (wide && !wide.admitted) return { ...wide, limit: ANONYMOUS_LIMIT };
      const admission = strangers.admit(network, ANONYMOUS_LIMIT);
      if (wider !== undefined && admission.admitted) wideNetworks.admit(wider, WIDE_NETWORK_LIMIT);
      return admission;
    },
    strangerStanding: (ip) => strangers.standing(networksOf(ip)[0], ANONYMOUS_LIMIT),
  };
}

function windows(clock: Clock) {
  const kept = lruCache<string, SlidingWindow>(WINDOWS_MAX);
  const now = () => clock.milliseconds();
  return {
    admit(key: string, limit: number): Admission {
      let window = kept.get(key);
      if (!window) {
        window = new SlidingWindow();
        kept.set(key, window);
      }
      return window.admit(now(), limit);
    },
    standing: (key: string, limit: number): Admission =>
      (kept.get(key) ?? new SlidingWindow()).standing(now(), limit),
  };
}
