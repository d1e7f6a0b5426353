import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../centrals/central.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { lruCache } from '../../platform/kernel/lru.ts';
import { Refusal, type RefusalKind } from '../../platform/kernel/refusal.ts';
import { KeyWindows } from './keyWindows.ts';
import { networksOf } from './networks.ts';
import { type Admission, SlidingWindow, WINDOW_SECONDS } from './slidingWindow.ts';

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

const WRONG_CREDENTIALS: readonly RefusalKind[] = [
  'central-not-identified',
  'api-key-unknown',
  'bad-credentials',
  'token-not-valid',
];

/** Counts a request that asks for several things at once as that many requests. */
export function countItems(request: FastifyRequest, reply: FastifyReply, clock: Clock, items: number): void {
  const admission = items > 1 ? request.admission?.countAs?.(clock.milliseconds(), items) : undefined;
  if (!admission) return;
  request.admission = admission;
  count(admission, reply);
}

/** Sends the rate-limit headers, and refuses once the limit is reached. */
export function count(admission: Admission, reply: FastifyReply): void {
  showStanding(admission, reply);
  if (!admission.admitted) throw new Refusal('rate-limited', { seconds: admission.retryAfterSeconds });
}

function showStanding(admission: Admission, reply: FastifyReply): void {
  for (const [name, value] of standingHeaders(admission)) reply.header(name, value);
}

/**
 * The limit in the headers that are in use, and in those of the IETF's draft (draft-ietf-httpapi-ratelimit-headers),
 * which also says in how many seconds there is room for more.
 */
export function standingHeaders({ limit, remaining, retryAfterSeconds, share }: Admission) {
  const policy = `"default";q=${limit};w=${WINDOW_SECONDS}`;
  const standing = `"default";r=${remaining};t=${retryAfterSeconds}`;
  return [
    ['x-ratelimit-limit', limit],
    ['x-ratelimit-remaining', remaining],
    ['ratelimit-policy', share ? `${policy}, "login";q=${share.limit};w=${WINDOW_SECONDS}` : policy],
    ['ratelimit', share ? `${standing}, "login";r=${share.remaining};t=${retryAfterSeconds}` : standing],
  ] as const;
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
  /** Counts one request of a login that shares an api-key with others. */
  admitSharing(key: string, userId: number, limit: number): Admission;
  /** Counts requests that belong to no central: unknown paths, wrong methods, unknown keys, malformed HTTP. */
  admitStranger(ip: string): Admission;
  /** The state of an unidentified sender, without counting. */
  strangerStanding(ip: string): Admission;
}

/**
 * Requests over the limit do not count. Each process counts for itself: behind N processes a central has at most N times
 * its limit (docs/decisions/0008 explains why that is enough).
 */
export function rateLimits(clock: Clock): RateLimits {
  const callers = windows(clock);
  // Kept apart, because unidentified senders can be made at will and must not evict identified callers.
  const strangers = windows(clock);
  const wideNetworks = windows(clock);
  const keys = lruCache<string, KeyWindows>(WINDOWS_MAX);
  return {
    admit: callers.admit,
    admitSharing(key, userId, limit) {
      let windows = keys.get(key);
      if (!windows) {
        windows = new KeyWindows();
        keys.set(key, windows);
      }
      return windows.admit(clock.milliseconds(), userId, limit);
    },
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
