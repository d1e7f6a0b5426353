import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { IdentifiedCaller } from '../centrals/caller.ts';
import type { Identities } from '../centrals/identify.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Database } from '../postgres/database.ts';
import { answerBrokenRequest, answerError } from './answerError.ts';
import type { AppDeps, Endpoint } from './endpoint.ts';
import { addStandardHeaders } from './envelope.ts';
import { type EventStreams, eventStreams } from './eventStreams.ts';
import { installEndpoints, refuseWrongMethod, wrongMethods } from './installEndpoints.ts';
import { type InvalidInput, invalid } from './invalidInput.ts';
import { installMetrics, installReadiness, type Metrics, type Readiness } from './metrics.ts';
import type { WebhookText } from './openapi.ts';
import { countStranger, type RateLimits } from './rateLimits.ts';
import { requestId } from './readRequest.ts';
import { installReference } from './reference.ts';
import type { TryAs } from './renderReference.ts';
import { requestRecords } from './requestRecords.ts';
import { requestTurns } from './requestTurns.ts';
import { safeRedaction, safeSerializers } from './safeLog.ts';
import { type RightsChanges, watchRights } from './streamLimits.ts';

const BODY_BYTES_MAX = 1024 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;

export interface Api {
  /** The group's name in the reference. */
  title: string;
  base: string;
  endpoints: readonly Endpoint[];
  /** Each entry of `errors` names its kind. The contract forbids this for the integration interface. */
  kindInErrors?: true;
  /** Its schemas are compiled right after the start; those of others with the first request of each kind. */
  isPreparedAtStart?: true;
  /** The types of events that it reports by webhook. */
  webhooks?: Readonly<Record<string, WebhookText>>;
}

export interface ServerOptions {
  deps: AppDeps & { db: Database };
  identities: Identities;
  rightsChanges: RightsChanges;
  limits: RateLimits;
  metrics: Metrics;
  /** Bearer token required to read `/metrics`. Without it, only a service that listens on loopback alone answers. */
  metricsToken?: string | undefined;
  log: FastifyBaseLogger;
  /** The public address of the service; by default the address of each request. */
  publicUrl?: string | undefined;
  /** Addresses of proxies whose X-Forwarded-* headers are trusted. */
  trustProxy?: string[] | undefined;
  apis: readonly Api[];
  tryAs?: TryAs | undefined;
}

export interface Server {
  http: FastifyInstance;
  readiness: Readiness;
  streams: EventStreams;
  /** Compiles the schemas for the first requests to some interfaces, each in a separate turn of the event loop. */
  prepare(): Promise<void>;
}

/** Builds the HTTP server; the caller makes it listen. */
export function buildServer(options: ServerOptions): Server {
  const { limits, metrics } = options;
  const answer = answerError(options.apis.filter((api) => api.kindInErrors).map(({ base }) => base));
  const app: FastifyInstance = Fastify({
    loggerInstance: withoutChildren(
      options.log.child({}, { serializers: safeSerializers, redact: safeRedaction }),
    ),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: BODY_BYTES_MAX,
    genReqId: requestId,
    trustProxy: options.trustProxy ?? false,
    requestTimeout: 60_000,
    connectionTimeout: 120_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // Requests that still arrive on an open connection are answered, and the connection is closed afterwards.
    return503OnClosing: false,
    // As long as headers may be, so that an overlong id is reported as a validation problem.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX, ignoreTrailingSlash: true },
    // A request without Host is refused below, in the envelope.
    http: { maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false },
    // A URL that cannot be decoded; no hook runs here.
    frameworkErrors: (_error, request, reply) => {
      rememberCaller(request);
      addStandardHeaders(request, reply, false);
      answer(refusalOf(() => countStranger(limits, request, reply)) ?? malformedUrl(), request, reply);
    },
    clientErrorHandler: answerBrokenRequest(limits),
  });

  // Bodies arrive as bytes and are parsed after authentication; see body.ts.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  // One line per request. It contains nothing that needs safeLog.ts, which is slow.
  const record = requestRecords(options.log.child({}, { redact: [] }), metrics);
  const wrong = wrongMethods(options.apis);
  app.setErrorHandler(answer);
  app.setNotFoundHandler(() => {
    throw new Refusal('route-not-found');
  });
  const inTurn = requestTurns();
  const refuseMisdirected = (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.is404 && request.url.startsWith('/api/')) countStranger(limits, request, reply);
    if (request.is404) refuseWrongMethod(wrong, request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') throw hostMissing();
  };
  // Runs before any body is read.
  app.addHook('onRequest', (request, reply, done) => {
    rememberCaller(request);
    inTurn(() => done(refusalOf(() => refuseMisdirected(request, reply)) as Error | undefined));
  });
  // An unknown Expect header is ignored instead of refused in Node's own words.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));

  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    addStandardHeaders(request, reply, closing);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply);
    done();
  });

  const readiness = installReadiness(app, options.deps.db);
  installMetrics(app, metrics, options.metricsToken);
  installReference(app, options);
  const streams = eventStreams(app, watchRights(options.deps, options.rightsChanges));
  const preparations = options.apis.flatMap(({ base, endpoints, isPreparedAtStart }) => {
    const installed = installEndpoints(app, base, endpoints, { ...options, streams });
    return isPreparedAtStart ? installed : [];
  });
  return {
    http: app,
    readiness,
    streams,
    async prepare() {
      for (const preparation of preparations) await preparation.run();
    },
  };
}

/** A child logger per request costs more than the rest of a log line; lines name the request id instead. */
const withoutChildren = (log: FastifyBaseLogger): FastifyBaseLogger =>
  Object.assign(log, { child: () => log });

/** Read while the connection is open: a closed connection no longer has an address. */
function rememberCaller(request: FastifyRequest): void {
  request.callerIp = (request.ip as string | undefined) ?? '';
}

const hostMissing = (): InvalidInput => invalid('Host', 'é obrigatório', 'is required');
const malformedUrl = (): InvalidInput => invalid('url', 'endereço malformado', 'malformed address');

function refusalOf(work: () => void): unknown {
  try {
    work();
    return undefined;
  } catch (refusal) {
    return refusal;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    centralId: number | undefined;
    caller: IdentifiedCaller | undefined;
    /** The caller's address, also after it disconnected; empty when it had disconnected before it was read. */
    callerIp: string;
  }
}
