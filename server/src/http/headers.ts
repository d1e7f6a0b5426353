import type { FastifyReply, FastifyRequest } from 'fastify';

/** What every answer carries. A page that needs more than nothing sets its own content-security-policy. */
export function addStandardHeaders(request: FastifyRequest, reply: FastifyReply, closing: boolean): void {
  reply.header('x-request-id', request.id);
  reply.header('x-content-type-options', 'nosniff');
  reply.header('referrer-policy', 'no-referrer');
  reply.header('x-frame-options', 'DENY');
  if (!reply.hasHeader('content-security-policy'))
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  // An open connection would keep a closing server waiting for its next request.
  if (closing) reply.header('connection', 'close');
}
