import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal, type RefusalDetails, type RefusalKind } from '../kernel/refusal.ts';
import { isDatabaseUnavailable } from '../postgres/database.ts';
import { failureBody } from './envelope.ts';
import { describeFailure } from './failures.ts';
import { describeProblem, InvalidInput } from './invalidInput.ts';
import { preferredLanguage } from './language.ts';

const PROBLEMS_MAX = 100;

/** Turns whatever was thrown into the envelope of contract 7.1. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = preferredLanguage(request.headers['accept-language']);
  reply.header('content-type', 'application/json; charset=utf-8');
  if (error instanceof InvalidInput) {
    const entries = error.problems
      .slice(0, PROBLEMS_MAX)
      .map((problem) => ({ code: 2, message: describeProblem(problem, language) }));
    return reply.code(400).send(JSON.stringify(failureBody(entries)));
  }
  const { kind, details } = refusalFor(error, request);
  if (kind === 'bug') request.log.error({ err: error, route: request.routeOptions.url }, 'bug');
  if (kind === 'unavailable')
    request.log.warn({ err: error, route: request.routeOptions.url }, 'unavailable');
  const { status, code, message } = describeFailure(kind, details, language);
  return reply.code(status).send(JSON.stringify(failureBody([{ code, message }])));
}

function refusalFor(error: unknown, request: FastifyRequest): { kind: RefusalKind; details: RefusalDetails } {
  if (error instanceof Refusal) return error;
  if (isDatabaseUnavailable(error)) return { kind: 'unavailable', details: {} };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { kind: 'body-too-large', details: {} };
  return { kind: 'bug', details: { requestId: request.id } };
}
