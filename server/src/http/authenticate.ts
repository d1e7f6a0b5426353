import type { FastifyRequest } from 'fastify';
import type { Credentials } from '../centrals/identify.ts';

/** Contract 5: `Authorization: Basic base64(username:password)`. */
export function basicCredentials(request: FastifyRequest): Credentials | undefined {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (!encoded) return undefined;
  const decoded = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1 || decoded.includes('\0')) return undefined;
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

export function apiKey(request: FastifyRequest): string | undefined {
  const value = request.headers['api-key'];
  return typeof value === 'string' && value.length <= 512 && !value.includes('\0') ? value : undefined;
}
