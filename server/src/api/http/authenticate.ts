import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Credentials } from '../../centrals/identify.ts';
import { SESSION_HOURS, type SessionKind } from '../../centrals/sessions.ts';

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

/** RFC 6750. Undefined for another scheme. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const [, token] = /^Bearer +(\S{1,512})$/i.exec(request.headers.authorization ?? '') ?? [];
  return token;
}

export function apiKey(request: FastifyRequest): string | undefined {
  const value = request.headers['api-key'];
  return typeof value === 'string' && value.length <= KEY_LENGTH_MAX ? value : undefined;
}

const COOKIES = {
  console: { name: 'malote_sessao', form: /(?:^|;\s*)malote_sessao=([A-Za-z0-9._-]{1,100})(?:;|$)/ },
  device: { name: 'malote_aparelho', form: /(?:^|;\s*)malote_aparelho=([A-Za-z0-9._-]{1,100})(?:;|$)/ },
} as const satisfies Record<SessionKind, { name: string; form: RegExp }>;

/** The token of a session cookie: the console's, or that of a driver's phone. */
export function sessionToken(request: FastifyRequest, kind: SessionKind): string | undefined {
  const [, token] = COOKIES[kind].form.exec(request.headers.cookie ?? '') ?? [];
  return token;
}

/**
 * The session that a request to the API belongs to; an api-key, if sent, takes precedence. A browser may hold both
 * cookies: the drivers' app says by its header that it means its own.
 */
export function sessionOf(request: FastifyRequest): { kind: SessionKind; token: string } | undefined {
  const isApp = request.headers['x-malote-entregador'] === '1';
  for (const kind of isApp ? (['device', 'console'] as const) : (['console', 'device'] as const)) {
    const token = sessionToken(request, kind);
    if (token !== undefined) return { kind, token };
  }
  return undefined;
}

/**
 * Protection against cross-site requests. In some old browsers a page of another origin can send requests with our
 * cookie, but it cannot add a custom header without our permission, so every write must carry one of these.
 */
export const isFromOwnPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' || headers['x-malote-console'] === '1' || headers['x-malote-entregador'] === '1';

/**
 * Whether a page in a browser sent the request, such as the console. Its 401 must not carry a challenge, because
 * the browser would show its own login dialog over the page. Only browsers send Sec-Fetch-Site, on https and on
 * localhost; elsewhere our header or cookie shows it. A person who opens the URL directly may see the dialog.
 */
export const isFromPage = ({ headers, url }: FastifyRequest): boolean =>
  /^\/(console|entregador)\b/.test(url) ||
  headers['x-malote-console'] !== undefined ||
  headers['x-malote-entregador'] !== undefined ||
  Object.values(COOKIES).some(({ name }) => headers.cookie?.includes(`${name}=`)) ||
  (headers['sec-fetch-site'] !== undefined && headers['sec-fetch-mode'] !== 'navigate');

export function setSession(reply: FastifyReply, kind: SessionKind, token: string): void {
  reply.header('set-cookie', cookie(kind, token, SESSION_HOURS[kind] * 3600, reply));
}

export function clearSession(reply: FastifyReply, kind: SessionKind): void {
  reply.header('set-cookie', cookie(kind, '', 0, reply));
}

const cookie = (kind: SessionKind, token: string, maxAge: number, reply: FastifyReply): string =>
  [
    `${COOKIES[kind].name}=${token}`,
    'Path=/',
    `Max-Age=${maxAge}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(reply.request.protocol === 'https' ? ['Secure'] : []),
  ].join('; ');
