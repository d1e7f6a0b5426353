import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ItemsRefused, isDone } from '../../platform/kernel/outcome.ts';
import { Refusal, type RefusalDetails, type RefusalKind } from '../../platform/kernel/refusal.ts';
import {
  isDatabaseUnavailable,
  OutcomeUnknown,
  violatedConstraint,
} from '../../platform/postgres/databaseErrors.ts';
import type { ShapeFault } from '../../registers/areas/readShape.ts';
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
import { failures } from './failures/failures.ts';
import { describeProblem, InvalidInput, invalid, type Problem } from './invalidInput.ts';
import { ITEMS_FIELD } from './itemsReader.ts';
import { type RateLimits, standingHeaders } from './rateLimits.ts';
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
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      ...Object.fromEntries(standingHeaders(limits.admitStranger(socket.remoteAddress ?? ''))),
      'X-Request-Id': randomUUID(),
      'X-Error-Kind': 'invalid-input' satisfies ErrorKind,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      Connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`);
  };

/** Where a refusal names no time. */
export const RETRY_SECONDS = 5;
/** The rest of the body is discarded as it arrives, until the time for a request is over. */
const READ_TO_ITS_END: readonly RefusalKind[] = ['body-too-large', 'bodies-busy'];
export const CHALLENGE = 'Basic realm="Malote", charset="UTF-8"';
/** A page gets none for a login, because the browser would ask for one itself. */
function challengeOf(
  kind: RefusalKind,
  details: RefusalDetails,
  request: FastifyRequest,
): string | undefined {
  if (kind === 'token-not-valid') return 'Bearer realm="Malote", error="invalid_token"';
  if (kind === 'scope-missing')
    return `Bearer realm="Malote", error="insufficient_scope", scope="${details.scope}"`;
  return failures[kind].status === 401 && !isFromPage(request) ? CHALLENGE : undefined;
}

/** These constraints are violated only when the login was deleted, or its phone was signed out, during its request. */
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
    request.failure = meaning;
    reply.header('content-type', 'application/json; charset=utf-8');
    if (meaning instanceof InvalidInput) {
      reply.code(400);
      return send('invalid-input', problemEntries(meaning.problems, language));
    }
    const { kind, details } = meaning;
    const route = request.routeOptions.url;
    if (kind === 'bug') request.log.error({ requestId: request.id, err: error, route }, 'bug');
    if (kind === 'unavailable' || kind === 'outcome-unknown')
      request.log.warn({ requestId: request.id, err: error, route }, kind);
    const { status, code, message } = describeFailure(kind, details, language);
    const ofItems = meaning instanceof ItemsRefused ? itemEntries(meaning, language) : [];
    if (status === 403 || status === 404) request.admission?.refuse?.();
    const challenge = challengeOf(kind, details, request);
    if (challenge) reply.header('www-authenticate', challenge);
    // Closing the connection before its body has arrived would reset it, and the client would not receive this answer.
    if (READ_TO_ITS_END.includes(kind)) reply.removeHeader('connection');
    // RFC 7694: which encodings a body may have.
    if (kind === 'body-encoded') reply.header('accept-encoding', 'identity');
    if (status === 429 || status === 503) reply.header('retry-after', details.seconds ?? RETRY_SECONDS);
    reply.code(status);
    return send(kind, [{ code, message }, ...ofItems]);
  };

function meaningOf(error: unknown, request: FastifyRequest): InvalidInput | Refusal {
  if (error instanceof InvalidInput || error instanceof Refusal) return error;
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  // The caller closed the connection while sending its body: not an error of this service.
  if (code === 'ECONNRESET' && request.raw.readableAborted) return unreadable();
  if (error instanceof OutcomeUnknown && request.method !== 'GET') return new Refusal('outcome-unknown');
  if (isDatabaseUnavailable(error)) return new Refusal('unavailable');
  if (CALLER_CONSTRAINT.test(violatedConstraint(error) ?? '')) return new Refusal('bad-credentials');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notSentAsJson();
  if (typeof code === 'string' && code.startsWith('FST_') && Number(statusCode) < 500) return unreadable();
  return new Refusal('bug', { requestId: request.id });
}

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

const problemEntries = (problems: readonly Problem[], language: Language): ErrorEntry[] =>
  problems.map((problem) => ({ code: 2, message: describeProblem(problem, language) }));

/** What a single request with this item would have been answered. */
export function describeItem(
  error: Error,
  language: Language,
): { status: number; kind: ErrorKind; errors: ErrorEntry[] } {
  if (error instanceof InvalidInput)
    return { status: 400, kind: 'invalid-input', errors: problemEntries(error.problems, language) };
  if (!(error instanceof Refusal)) throw error;
  const { status, code, message } = describeFailure(error.kind, error.details, language);
  return { status, kind: error.kind, errors: [{ code, message }] };
}

/** The errors of each refused item, with its position. */
const itemEntries = ({ outcomes }: ItemsRefused, language: Language): ErrorEntry[] =>
  outcomes.flatMap((outcome, index) => {
    if (isDone(outcome)) return [];
    const place = `${ITEMS_FIELD}[${index}]`;
    if (!(outcome.error instanceof InvalidInput))
      return describeItem(outcome.error, language).errors.map(({ code, message }) => ({
        code,
        message: `'${place}': ${message}`,
      }));
    const placed = outcome.error.problems.map((problem) => ({
      ...problem,
      field: problem.field === 'corpo' ? place : `${place}.${problem.field}`,
    }));
    return problemEntries(placed, language);
  });

const QUOTED_LENGTH_MAX = 200;

const reais = {
  pt: new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' }),
  en: new Intl.NumberFormat('en', { style: 'currency', currency: 'BRL' }),
};

/** A reason is translated, cents are an amount of money; every other detail is quoted, up to a limited length. */
function say(name: string, detail: string | number, language: Language): string {
  if (name.endsWith('Cents')) return reais[language].format(Number(detail) / 100);
  return (
    (name === 'reason' && shapeFaults[detail as ShapeFault]?.[language]) ||
    String(detail).slice(0, QUOTED_LENGTH_MAX).toWellFormed()
  );
}
