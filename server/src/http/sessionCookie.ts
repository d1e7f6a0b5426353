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
