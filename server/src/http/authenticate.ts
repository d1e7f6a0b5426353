import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from '../centrals/identify.ts';

const USERNAME_LENGTH_MAX = 255;
const PASSWORD_LENGTH_MAX = 1024;
const KEY_LENGTH_MAX = 512;

/** Contract 5: `Authorization: Basic base64(username:password)`. Undefined for credentials that no login can have. */
export function basicCredentials(request: FastifyRequest): Credentials | undefined {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!encoded) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  const username = decoded.slice(0, colon);
  const password = decoded.slice(colon + 1);
  if (colon < 1 || decoded.includes('\0')) return undefined;
  if (username.length > USERNAME_LENGTH_MAX || password.length > PASSWORD_LENGTH_MAX) return undefined;
  return { username, password };
}

export function apiKey(request: FastifyRequest): string | undefined {
  const value = request.headers['api-key'];
  return typeof value === 'string' && value.length <= KEY_LENGTH_MAX ? value : undefined;
}

const NAME = 'malote_sessao';
const MAX_AGE_SECONDS = 12 * 3600;

/** The console's session cookie; an api-key, if sent, takes precedence. */
export function sessionToken(request: FastifyRequest): string | undefined {
  const [, token] =
    /(?:^|;\s*)malote_sessao=([A-Za-z0-9._-]{1,100})(?:;|$)/.exec(request.headers.cookie ?? '') ?? [];
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
