import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'malote_sessao';
const MAX_AGE_SECONDS = 12 * 3600;

/** The console's cookie; an api-key, where there is one, comes first. */
export function sessionToken(request: FastifyRequest): string | undefined {
  const [, token] =
    /(?:^|;\s*)malote_sessao=([A-Za-z0-9_-]{43})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  return token;
}

/**
 * A page of another origin can make a browser send our cookie's requests in some old browsers, but it can
 * never add a header of its own without our leave: so a write must carry this one.
 */
export const isFromConsole = (request: FastifyRequest): boolean =>
  request.method === 'GET' || request.headers['x-malote-console'] === '1';

/**
 * Whether a page in a browser asked, such as the console. To these a 401 must not carry a challenge: the browser would
 * put its own login dialog over the page. Only browsers send Sec-Fetch-Site, and they do so on https and on their own
 * machine; elsewhere our header or cookie tells. A person who opens an address directly may well be asked.
 */
export const isFromPage = ({ headers, url }: FastifyRequest): boolean =>
  url.startsWith('/console') ||
  headers['x-malote-console'] !== undefined ||
  headers.cookie?.includes(`${NAME}=`) === true ||
  (headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] !== 'navigate');

export function setSession(reply: FastifyReply, token: string): void {
  reply.header('set-cookie', cookie(token, MAX_AGE_SECONDS, reply));
}

export function clearSession(reply: FastifyReply): void {
  reply.header('set-cookie', cookie('', 0, reply));
}

const cookie = (token: string, maxAge: number, reply: FastifyReply): string =>
  [
    `${NAME}=${token}`,
    'Path=/',
    `Max-Age=${maxAge}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(reply.request.protocol === 'https' ? ['Secure'] : []),
  ].join('; ');
