import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Identities } from '../centrals/identify.ts';
import { Refusal } from '../kernel/refusal.ts';
import { answerError } from './answerError.ts';
import type { AppNeeds } from './appNeeds.ts';
import { countAnonymous } from './countRequest.ts';
import { failureBody } from './envelope.ts';
import { installRoutes } from './installRoutes.ts';
import type { RateLimits } from './rateLimits.ts';
import type { Route } from './route.ts';

export const BODY_BYTES_MAX = 1024 * 1024;

export interface ServerOptions {
  needs: AppNeeds;
  identities: Identities;
  limits: RateLimits;
  log: FastifyBaseLogger;
  /** Where the outside reaches us; by default the address of each request. */
  publicUrl?: string | undefined;
  /** Addresses of proxies whose X-Forwarded-* headers are believed. */
  trustProxy?: string[] | undefined;
  apis: readonly { base: string; routes: readonly Route[] }[];
}

/** Builds the HTTP server; listening is the caller's. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: options.log,
    disableRequestLogging: true,
    bodyLimit: BODY_BYTES_MAX,
    genReqId: () => randomUUID(),
    trustProxy: options.trustProxy ?? false,
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    http: { maxHeaderSize: 16 * 1024 },
    frameworkErrors: (_error, _request, reply) => {
      (reply as FastifyReply)
        .code(400)
        .type('application/json; charset=utf-8')
        .send(
          JSON.stringify(
            failureBody([{ code: 2, message: "'url': endereço malformado / malformed address" }]),
          ),
        );
    },
    clientErrorHandler: answerBrokenRequest,
  });

  // Bodies arrive as bytes and are parsed after authentication; see body.ts.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/')) countAnonymous(options.limits, request, reply);
    throw new Refusal('route-not-found');
  });
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.header('x-content-type-options', 'nosniff');
    reply.header('referrer-policy', 'no-referrer');
    reply.header('x-frame-options', 'DENY');
    if (!reply.hasHeader('content-security-policy'))
      reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => {
    // The pattern and not the address: a query may hold somebody's CPF.
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        central: request.centralId,
      },
      'request',
    );
  });
  for (const { base, routes } of options.apis) installRoutes(app, base, routes, options);
  return app;
}

/** What never became a request (broken HTTP, headers too large) is answered in the envelope too. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status =
    error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify(
    failureBody([{ code: 2, message: "'requisição': HTTP malformado / malformed HTTP request" }]),
  );
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

declare module 'fastify' {
  interface FastifyRequest {
    centralId: number | undefined;
  }
}
