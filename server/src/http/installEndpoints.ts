import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { digestApiKey } from '../centrals/apiKeyStore.ts';
import type { IdentifiedCaller } from '../centrals/caller.ts';
import { may } from '../centrals/permissions.ts';
import { sessionCaller } from '../centrals/sessions.ts';
import { inOwnTurn, inOwnTurns, type Preparation } from '../kernel/inSlices.ts';
import { Refusal } from '../kernel/refusal.ts';
import { answerWriter } from './answerWriter.ts';
import { apiKey, basicCredentials, isFromOwnPage, sessionOf } from './authenticate.ts';
import { sendCompressed } from './compression.ts';
import { type Endpoint, type EndpointRequest, isWrite, type Method } from './endpoint.ts';
import { JsonText, namesTag, preferredLanguage, TaggedAnswer } from './envelope.ts';
import { type EventStreams, followUntilClosed, LiveAnswer } from './eventStreams.ts';
import { idempotencyKey, runIdempotent } from './idempotency.ts';
import {
  count,
  countStranger,
  countUnidentified,
  type FixedLimit,
  type LimitGroup,
  limitFor,
} from './rateLimits.ts';
import { networkOf, networksOf, publicUrlOf, requestReader } from './readRequest.ts';
import type { ServerOptions } from './server.ts';
import { loginStreamLimits } from './streamLimits.ts';

const METHODS: readonly (Method | 'PATCH' | 'OPTIONS')[] = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
];

/** Several larger bodies that arrive in one turn of the event loop are read in turns of their own. */
const LARGE_BYTES = 32 * 1024;

export function installEndpoints(
  app: FastifyInstance,
  base: string,
  endpoints: readonly Endpoint[],
  options: ServerOptions & { streams: EventStreams },
): Preparation[] {
  const preparations = endpoints.map((endpoint) => installEndpoint(app, base, endpoint, options));
  // The methods that /entregas/consultar does not have must not fall through to /entregas/:id.
  for (const [path, sharing] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    const allowed: readonly string[] = sharing.map(({ method }) => method);
    const refused = METHODS.filter((method) => !allowed.includes(method));
    app.route({
      method: allowed.includes('GET') ? refused : [...refused, 'HEAD'],
      url: base + path,
      onRequest: async (request, reply) => {
        countStranger(options.limits, request, reply);
        reply.header('allow', allowHeader(sharing.map(({ method }) => method)));
        throw new Refusal('method-not-allowed');
      },
      handler: async () => undefined,
    });
  }
  return preparations;
}

function installEndpoint(
  app: FastifyInstance,
  base: string,
  endpoint: Endpoint,
  options: ServerOptions & { streams: EventStreams },
): Preparation {
  const { deps, identities, limits, streams } = options;
  const { read, prepare } = requestReader(endpoint);
  const answers = answerWriter(endpoint.answer);
  const preparation = inOwnTurns([...prepare, answers.compile]);
  const changesSomething = isWrite(endpoint);
  const { properties = {} } = (endpoint.body ?? {}) as { properties?: object };
  const takesPassword = 'senha' in properties;

  // Counted after the login is identified, so that requests without a login do not use up a central's limit.
  const admit = (caller: IdentifiedCaller, request: FastifyRequest, reply: FastifyReply): void => {
    const { centralId, userId, central, proof } = caller;
    request.centralId = centralId;
    const holder = proof.kind === 'key' ? request.headers['api-key'] : `session ${centralId} ${userId}`;
    count(limits.admit(`${endpoint.limit} ${holder}`, limitFor(endpoint.limit, central.settings)), reply);
    if (proof.kind === 'session' && !isFromOwnPage(request)) throw new Refusal('not-allowed');
    if (!may(caller, endpoint.permission)) throw new Refusal('not-allowed');
    request.caller = caller;
  };

  // Runs before the body is read: an unknown caller cannot make the service read a megabyte.
  const authenticate = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    const known = remembered(request);
    if (!known) {
      identify(request, reply)
        .then((caller) => admit(caller, request, reply))
        .then(() => done(), done);
      return;
    }
    let refusal: Error | undefined;
    try {
      admit(known, request, reply);
    } catch (error) {
      refusal = error as Error;
    }
    done(refusal);
  };

  const remembered = (request: FastifyRequest): IdentifiedCaller | undefined => {
    const { authorization, 'api-key': key } = request.headers;
    return typeof key === 'string' && authorization ? identities.remembered(key, authorization) : undefined;
  };

  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<IdentifiedCaller> => {
    const key = apiKey(request);
    const session = key === undefined ? sessionOf(request) : undefined;
    try {
      return session === undefined
        ? await identifyByKey(request, key)
        : await sessionCaller(deps, session.token, session.kind);
    } catch (error) {
      countUnidentified(limits, request, reply, error);
      throw error;
    }
  };

  const identifyByKey = async (
    request: FastifyRequest,
    key: string | undefined,
  ): Promise<IdentifiedCaller> => {
    const begunAt = identities.changeCount();
    const central = await identities.central(key);
    request.centralId = central.id;
    const { passwordMark, ...user } = await identities.caller(
      central,
      basicCredentials(request),
      networksOf(request.callerIp),
    );
    const keyDigest = digestApiKey(key!).toString('base64');
    const caller: IdentifiedCaller = { ...user, proof: { kind: 'key', keyDigest, passwordMark } };
    identities.remember(key!, request.headers.authorization!, caller, begunAt);
    return caller;
  };

  const understand = (request: FastifyRequest, reply: FastifyReply): EndpointRequest<unknown, unknown> => {
    const caller = request.caller!;
    const { params, query, body, raw } = read(request, { deps, caller });
    const admitAs = (limit: LimitGroup | FixedLimit, key: string | number): void =>
      count(
        limits.admit(`${limit} ${caller.centralId} ${key}`, limitFor(limit, caller.central.settings)),
        reply,
      );
    return {
      params,
      query,
      body,
      raw,
      deps,
      caller,
      language: preferredLanguage(request.headers['accept-language']),
      publicUrl: publicUrlOf(request, options.publicUrl),
      admit: admitAs,
      admitCompany: (companyId) => admitAs(endpoint.companyLimit!, companyId),
    };
  };

  app.route({
    method: endpoint.method,
    url: base + endpoint.path,
    schema: { response: { 200: endpoint.answer } },
    serializerCompiler: () => answers.write,
    ...(endpoint.rawBody && { bodyLimit: endpoint.rawBody.bytesMax }),
    onRequest: authenticate,
    handler: async (request, reply) => {
      if (!preparation.isDone()) await preparation.run();
      const asked = isLarge(request)
        ? await inOwnTurn(() => understand(request, reply))
        : understand(request, reply);
      const key = changesSomething ? idempotencyKey(request) : undefined;
      if (key === undefined) {
        const answer = await endpoint.handle(asked);
        if (answer instanceof LiveAnswer) return followLive(streams, request, reply, request.caller!, answer);
        if (answer instanceof TaggedAnswer) return sendTagged(request, reply, answer);
        if (!(answer instanceof JsonText)) return { success: true, ...answer };
        return sendCompressed(request, reply, answer.text);
      }
      const { caller, params, query, raw } = asked;
      const body = raw ? [raw.mediaType, hash('sha256', raw.bytes)] : asked.body;
      const text = await runIdempotent(
        deps,
        {
          key,
          caller,
          method: endpoint.method,
          path: base + endpoint.path,
          params,
          query,
          body,
          takesPassword,
        },
        async (db) => {
          const answer = await endpoint.handle({ ...asked, deps: { ...deps, db } });
          if (answer instanceof JsonText) return { answer: String(answer.text), kept: String(answer.text) };
          if (answer instanceof LiveAnswer || answer instanceof TaggedAnswer)
            throw new Error('only a GET is answered live or with a tag');
          const write = (answer: object) => String(reply.code(200).serialize({ success: true, ...answer }));
          const text = write(answer);
          return {
            answer: text,
            kept: endpoint.withoutSecret ? write(endpoint.withoutSecret(answer)) : text,
          };
        },
      );
      return sendText(reply, text);
    },
  });
  return preparation;
}

const isLarge = ({ body }: FastifyRequest): boolean => body instanceof Buffer && body.length > LARGE_BYTES;

async function followLive(
  streams: EventStreams,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: IdentifiedCaller,
  { follow }: LiveAnswer,
): Promise<FastifyReply> {
  const { centralId, companyId, userId } = caller;
  const stream = streams.open(request, reply, {
    centralId,
    rights: caller,
    limits: loginStreamLimits({ centralId, companyId, userId, network: networkOf(request.callerIp) }),
  });
  await followUntilClosed(stream, follow);
  return reply;
}

const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(text);

function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { tag, answer, at }: TaggedAnswer<object>,
): FastifyReply {
  reply.header('etag', `"${tag}"`).header('date', new Date(at.epochMilliseconds).toUTCString());
  if (namesTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
  return reply.send({ success: true, ...answer });
}

/** HEAD is answered wherever GET is. */
const allowHeader = (methods: readonly Method[]): string =>
  methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');

interface KnownPath {
  pattern: RegExp;
  allow: string;
}

/** Every existing path, for methods so rare that the router does not know them. */
export const wrongMethods = (
  apis: readonly { base: string; endpoints: readonly Endpoint[] }[],
): KnownPath[] =>
  apis.flatMap(({ base, endpoints }) =>
    [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, sharing]) => ({
      pattern: new RegExp(`^${base}${path.replace(/:\w+/g, '[^/]+')}/?$`),
      allow: allowHeader(sharing.map(({ method }) => method)),
    })),
  );

export function refuseWrongMethod(
  known: readonly KnownPath[],
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const [path = ''] = request.url.split('?', 1);
  const found = known.find(({ pattern }) => pattern.test(path));
  if (!found) return;
  reply.header('allow', found.allow);
  throw new Refusal('method-not-allowed');
}
