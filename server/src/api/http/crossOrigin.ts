import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BrowserOrigins } from '../../centrals/browserOrigins.ts';
import { apiKey, sessionOf } from './authenticate.ts';

/*
 * Pages of other origins (CORS) may read answers to requests with an api-key whose central lists their origin. Cookies
 * play no part: `Access-Control-Allow-Credentials` is never sent, requests of a session get no header of this file, and
 * the headers that protect sessions (`X-Malote-Console`, `X-Malote-Entregador`) are not allowed.
 */

const METHODS = 'GET, HEAD, POST, PUT, DELETE';
const REQUEST_HEADERS = [
  'Accept',
  'Accept-Language',
  'Api-Key',
  'Authorization',
  'Content-Encoding',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Request-Id',
].join(', ');
const ANSWER_HEADERS = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Sunset',
  'X-Error-Kind',
  'X-Ignored-Fields',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
].join(', ');
/** The longest time for which browsers keep the answer to a preflight. */
const PREFLIGHT_SECONDS = 7_200;

/** Whether a browser asks if a page of another origin may send a request. */
export const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' &&
  headers.origin !== undefined &&
  headers['access-control-request-method'] !== undefined;

/** A preflight carries no api-key, so every central's origins count. The answer to the request itself is stricter. */
export async function answerPreflight(
  origins: BrowserOrigins,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  if (!(await origins.isListed(request.headers.origin!))) return false;
  reply
    .code(204)
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', REQUEST_HEADERS)
    .header('access-control-max-age', PREFLIGHT_SECONDS)
    .send();
  return true;
}

/**
 * Lets the page that sent the request read the answer. If no central was identified (a wrong api-key, a database out of
 * reach), the answer contains nothing of any central, so pages of all listed origins may read it.
 */
export async function openToOrigin(
  origins: BrowserOrigins,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (request.central) openToOriginOfCentral(request, reply);
  else if (mayBeOpened(request)) open(request, reply, await origins.isListed(request.headers.origin!));
}

/** Lets the page read the answer if the request's central lists the page's origin. */
export function openToOriginOfCentral(request: FastifyRequest, reply: FastifyReply): void {
  if (mayBeOpened(request))
    open(request, reply, request.central!.settings.browserOrigins.includes(request.headers.origin!));
}

/** Requests with a session come from our own pages. */
const mayBeOpened = (request: FastifyRequest): boolean =>
  request.headers.origin !== undefined && (apiKey(request) !== undefined || sessionOf(request) === undefined);

function open({ headers }: FastifyRequest, reply: FastifyReply, isListed: boolean): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'origin' : `${vary}, origin`);
  if (!isListed) return;
  reply.header('access-control-allow-origin', headers.origin);
  reply.header('access-control-expose-headers', ANSWER_HEADERS);
}
