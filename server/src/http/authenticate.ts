import type { FastifyRequest } from 'fastify';
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
