import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ShapeFault } from '../areas/readShape.ts';
import { Refusal, type RefusalDetails, type RefusalKind } from '../kernel/refusal.ts';
import { isDatabaseUnavailable, violatedConstraint } from '../postgres/databaseErrors.ts';
import { isFromPage } from './authenticate.ts';
import { notSentAsJson } from './body.ts';
import {
  type ErrorEntry,
  type ErrorKind,
  failureBody,
  KIND_HEADER,
  type Language,
  preferredLanguage,
} from './envelope.ts';
import { failures } from './failures.ts';
import { describeProblem, InvalidInput, invalid } from './invalidInput.ts';
import type { RateLimits } from './rateLimits.ts';
import { shapeFaults } from './validation.ts';

const ANSWERS: Record<string, { status: string; message: string }> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: "'cabeçalhos': grandes demais / headers too large",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: "'requisição': não chegou a tempo / did not arrive in time",
  },
};
const MALFORMED = {
  status: '400 Bad Request',
  message: "'requisição': HTTP malformado / malformed HTTP request",
};

/** Malformed HTTP is answered in the envelope too, and its connection is closed. */
export const answerBrokenRequest =
  (limits: RateLimits) =>
  (error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: ServerResponse | null }): void => {
    // An answer that has begun can be neither withdrawn nor replaced.
    if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent)
      return void socket.destroy();
    const { status, message } = ANSWERS[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(failureBody([{ code: 2, message }]));
    const { limit, remaining } = limits.admitStranger(socket.remoteAddress ?? '');
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'X-RateLimit-Limit': limit,
      'X-RateLimit-Remaining': remaining,
      'X-Request-Id': randomUUID(),
      'X-Error-Kind': 'invalid-input' satisfies ErrorKind,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  };

const RETRY_SECONDS = 5;
const CHALLENGE = 'Basic realm="Malote", charset="UTF-8"';
/** Violated only when the login was deleted, or its phone signed out, while its request was running. */
const CALLER_CONSTRAINT = /_user_fkey$|^push_subscriptions_device_fkey$/;

/**
 * Turns an error into the envelope of contract 7.1. The kind of the failure is sent as a header; the errors
 * themselves name it too on the interfaces at `basesWithKind`.
 */
export const answerError =
  (basesWithKind: readonly string[]) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const send = (kind: ErrorKind, entries: readonly ErrorEntry[]): FastifyReply => {
      const hasKind = basesWithKind.some((base) => request.url.startsWith(`${base}/`));
      const errors = hasKind ? entries.map((entry) => ({ ...entry, kind })) : entries;
      return reply.header(KIND_HEADER, kind).send(JSON.stringify(failureBody(errors)));
    };
    const language = preferredLanguage(request.headers['accept-language']);
    const meaning = meaningOf(error, request);
    reply.header('content-type', 'application/json; charset=utf-8');
    if (meaning instanceof InvalidInput) {
      const entries = meaning.problems.map((problem) => ({
        code: 2,
        message: describeProblem(problem, language),
      }));
      reply.code(400);
      return send('invalid-input', entries);
    }
    const { kind, details } = meaning;
    const route = request.routeOptions.url;
    if (kind === 'bug') request.log.error({ requestId: request.id, err: error, route }, 'bug');
    if (kind === 'unavailable') request.log.warn({ requestId: request.id, err: error, route }, 'unavailable');
    const { status, code, message } = describeFailure(kind, details, language);
    if (status === 401 && !isFromPage(request)) reply.header('www-authenticate', CHALLENGE);
    if (status === 429 || status === 503) reply.header('retry-after', details.seconds ?? RETRY_SECONDS);
    reply.code(status);
    return send(kind, [{ code, message }]);
  };

function meaningOf(error: unknown, request: FastifyRequest): InvalidInput | Refusal {
  if (error instanceof InvalidInput || error instanceof Refusal) return error;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  // The caller closed the connection while sending its body: not an error of this service.
  if (code === 'ECONNRESET' && request.raw.readableAborted) return unreadable();
  if (isDatabaseUnavailable(error)) return new Refusal('unavailable');
  if (CALLER_CONSTRAINT.test(violatedConstraint(error) ?? '')) return new Refusal('bad-credentials');
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new Refusal('body-too-large', { size: sizeInWords(request.routeOptions.bodyLimit) });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notSentAsJson();
  if (typeof code === 'string' && code.startsWith('FST_') && Number(statusCode) < 500) return unreadable();
  return new Refusal('bug', { requestId: request.id });
}

const sizeInWords = (bytes = 1024 ** 2): string =>
  bytes < 1024 ** 2 ? `${bytes / 1024} KiB` : `${bytes / 1024 ** 2} MiB`;

const unreadable = (): InvalidInput => invalid('requisição', 'não pôde ser lida', 'could not be read');

/** The answer for a refusal, with its details filled in. */
export function describeFailure(
  kind: RefusalKind,
  details: RefusalDetails,
  language: Language,
): { status: number; code: number; message: string } {
  const { status, code, [language]: words } = failures[kind];
  return {
    status,
    code,
    message: words.replace(/\{(\w+)\}/g, (_, name: string) => say(name, details[name] ?? '', language)),
  };
}

const QUOTED_LENGTH_MAX = 200;

/** A reason is translated; every other detail is quoted, up to a limited length. */
const say = (name: string, detail: string | number, language: Language): string =>
  (name === 'reason' && shapeFaults[detail as ShapeFault]?.[language]) ||
  String(detail).slice(0, QUOTED_LENGTH_MAX).toWellFormed();
