import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * A caller's own X-Request-Id is taken over, so that one id follows a request through several systems. It is
 * logged as it came: hence the narrow alphabet, and a length that leaves no room for a CPF or a phone number.
 */
const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{15,63}$/;

export function requestId({ headers }: { headers: IncomingHttpHeaders }): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID();
}
