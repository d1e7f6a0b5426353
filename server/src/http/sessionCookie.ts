import type { FastifyReply, FastifyRequest } from 'fastify';

const NAME = 'malote_sessao';
const MAX_AGE_SECONDS = 12 * 3600;

/** The console's session cookie; an api-key, if sent, takes precedence. */
export function sessionToken(request: FastifyRequest): string | undefined {
  const [, token] =
    /(?:^|;\s*)malote_sessao=([A-Za-z0-9_-]{43})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
  return token;
}

/**
 * Protection against cross-site requests. In some old browsers a page of another origin can send requests with our
 * cookie, but it cannot add a custom header without our permission, so every write must carry this header.
 */
export const isFromConsole = (request: FastifyRequest): boolean =>
  request.method === 'GET' || request.headers['x-malote-console'] === '1';

/**
 * Whether a page in a browser sent the request, such as the console. Its 401 must not carry a challenge, because
 * the browser would show its own login dialog over the page. Only browsers send Sec-Fetch-Site, on https and on
 * localhost; elsewhere our header or cookie shows it. A person who opens the URL directly may see the dialog.
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
