import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import { type Admission, ANONYMOUS_LIMIT, type RateLimits } from './rateLimits.ts';

/** For what no central answers for: unknown routes, wrong methods, unknown keys. */
export function countAnonymous(limits: RateLimits, request: FastifyRequest, reply: FastifyReply): void {
  count(limits.admit(`address ${request.ip}`, ANONYMOUS_LIMIT), reply);
}

/** Tells the caller where it stands, and refuses once the limit is reached. */
export function count(admission: Admission, reply: FastifyReply): void {
  reply.header('x-ratelimit-limit', admission.limit);
  reply.header('x-ratelimit-remaining', admission.remaining);
  if (admission.admitted) return;
  reply.header('retry-after', admission.retryAfterSeconds);
  throw new Refusal('rate-limited', { seconds: admission.retryAfterSeconds });
}
