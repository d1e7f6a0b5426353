import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type RefusalKind } from '../kernel/refusal.ts';
import type { RateLimits } from './rateLimits.ts';
import type { Admission } from './slidingWindow.ts';

export function countStranger(limits: RateLimits, request: FastifyRequest, reply: FastifyReply): void {
  count(limits.admitStranger(request.callerIp), reply);
}

/**
 * For a request whose sender could not be identified. Only wrong credentials are counted: neither a database that is
 * away nor a login that was turned away unverified makes anybody a stranger.
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

/** Tells the caller where it stands, and refuses once the limit is reached. */
export function count(admission: Admission, reply: FastifyReply): void {
  showStanding(admission, reply);
  if (!admission.admitted) throw new Refusal('rate-limited', { seconds: admission.retryAfterSeconds });
}

function showStanding({ limit, remaining }: Admission, reply: FastifyReply): void {
  reply.header('x-ratelimit-limit', limit);
  reply.header('x-ratelimit-remaining', remaining);
}
