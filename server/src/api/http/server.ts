import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { IdentifiedCaller } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { answerBrokenRequest, answerError } from './answerError.ts';
import { arrivingBodies } from './arrivingBodies.ts';
import { openToOrigin } from './crossOrigin.ts';
import { BODY_BYTES_MAX } from './endpoint.ts';
import { addStandardHeaders } from './envelope.ts';
import { type EventStreams, eventStreams } from './eventStreams.ts';
import { installEndpoints, refuseWrongMethod, wrongMethods } from './installEndpoints.ts';
import { type InvalidInput, invalid } from './invalidInput.ts';
import { installMetrics, installReadiness, measureBodies, type Readiness } from './metrics.ts';
import { noteRequests } from './noteRequests.ts';
import { countStranger } from './rateLimits.ts';
import { requestId } from './readRequest.ts';
import { installReference } from './reference.ts';
import { requestRecords } from './requestRecords.ts';
import { requestTurns } from './requestTurns.ts';
import { safeRedaction, safeSerializers } from './safeLog.ts';
import { assertServedHost } from './servedHosts.ts';
import type { ServerOptions } from './serverOptions.ts';
import type { Admission } from './slidingWindow.ts';
import { watchRights } from './streamLimits.ts';

const HEADER_BYTES_MAX = 16 * 1024;

export interface Server {
  http: FastifyInstance;
  readiness: Readiness;
  streams: EventStreams;
  /** Compiles the schemas for the first requests to some interfaces, each in a separate turn of the event loop. */
  prepare(): Promise<void>;
}

/** Builds the HTTP server; the caller makes it listen. */
export function buildServer(options: ServerOptions): Server {
  const { limits, metrics, origins } = options;
  const isForApi = ({ url }: FastifyRequest): boolean =>
    options.apis.some(({ base }) => url.startsWith(`${base}/`));
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

  app.removeAllContentTypeParsers();
  const bodies = arrivingBodies(app, options.deps.clock);
  measureBodies(metrics.registry, bodies);

  // One line per request. It contains nothing that needs safeLog.ts, which is slow.
  const record = requestRecords(options.log.child({}, { redact: [] }), metrics);
  const note = noteRequests(options.recorder, options.deps.clock);
  const wrong = wrongMethods(options.apis);
  app.setErrorHandler(answer);
  const inTurn = requestTurns();
  const assertServed = assertServedHost(app, options.publicUrl);
  const refuseMisdirected = (request: FastifyRequest, reply: FastifyReply): void => {
    assertServed(request);
    if (request.is404 && request.url.startsWith('/api/')) countStranger(limits, request, reply);
    if (request.is404) refuseWrongMethod(wrong, request, reply);
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') throw hostMissing();
    if (request.is404) throw new Refusal('route-not-found');
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
    if (request.headers.origin === undefined || !isForApi(request)) return done();
    openToOrigin(origins, request, reply).then(() => done(), done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    note(request, reply);
    bodies.giveBack(request);
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
    central: Central | undefined;
    caller: IdentifiedCaller | undefined;
    /** How the request was counted against the rate limits. */
    admission: Admission | undefined;
    /** The caller's address, also after it disconnected; empty when it had disconnected before it was read. */
    callerIp: string;
  }
}
