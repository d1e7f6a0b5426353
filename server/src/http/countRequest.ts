import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../kernel/refusal.ts';
import type { RateLimits } from './rateLimits.ts';
import type { Admission } from './slidingWindow.ts';

export function countStranger(limits: RateLimits, request: FastifyRequest, reply: FastifyReply): void {
  count(limits.admitStranger(request.callerIp), reply);
}

/** Tells the caller where it stands, and refuses once the limit is reached. */
export function count(admission: Admission, reply: FastifyReply): void {
  reply.header('x-ratelimit-limit', admission.limit);
  reply.header('x-ratelimit-remaining', admission.remaining);
  if (!admission.admitted) throw new Refusal('rate-limited', { seconds: admission.retryAfterSeconds });
}
