import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../centrals/caller.ts';
import { sessionCaller } from '../centrals/sessions.ts';
import { Refusal } from '../kernel/refusal.ts';
import { networkOf } from './address.ts';
import { apiKey, basicCredentials } from './authenticate.ts';
import { count, countStranger } from './countRequest.ts';
import { JsonText } from './envelope.ts';
import type { EventStreams } from './eventStreams.ts';
import { carryOutOnce, idempotencyKey } from './idempotency.ts';
import { preferredLanguage } from './language.ts';
import { followUntilClosed, LiveAnswer } from './liveAnswer.ts';
import { limitOf } from './rateLimits.ts';
import { publicUrlOf, requestReader } from './readRequest.ts';
import { isWrite, type Method, type Route, type RouteRequest } from './route.ts';
import type { ServerOptions } from './server.ts';
import { isFromConsole, sessionToken } from './sessionCookie.ts';
import { allowHeader } from './wrongMethods.ts';

const METHODS: readonly (Method | 'PATCH' | 'OPTIONS')[] = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
];

export function installRoutes(
  app: FastifyInstance,
  base: string,
  routes: readonly Route[],
  options: ServerOptions & { streams: EventStreams },
): void {
  for (const one of routes) installRoute(app, base, one, options);
  // /entregas/consultar must not be taken for an /entregas/:id by the methods that it does not have.
  for (const [path, sharing] of Map.groupBy(routes, (one) => one.path)) {
    const allowed: readonly string[] = sharing.map((one) => one.method);
    const refused = METHODS.filter((method) => !allowed.includes(method));
    app.route({
      method: allowed.includes('GET') ? refused : [...refused, 'HEAD'],
      url: base + path,
      onRequest: async (request, reply) => {
        countStranger(options.limits, request, reply);
        reply.header('allow', allowHeader(sharing.map((one) => one.method)));
        throw new Refusal('method-not-allowed');
      },
      handler: async () => undefined,
    });
  }
}

function installRoute(
  app: FastifyInstance,
  base: string,
  route: Route,
  options: ServerOptions & { streams: EventStreams },
): void {
  const { needs, identities, limits, streams } = options;
  const read = requestReader(route);
  const callers = new WeakMap<FastifyRequest, Caller>();

  // Before the body is read: nobody unknown makes us read a megabyte.
  const authenticate = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    const admit = (caller: Caller): void => {
      if (!route.who.includes(caller.role)) throw new Refusal('not-allowed');
      callers.set(request, caller);
      done();
    };
    const known = remembered(request);
    if (!known) return void identify(request, reply).then(admit).catch(done);
    request.centralId = known.centralId;
    try {
      const limit = known.central.settings[limitOf[route.limit]];
      count(limits.admit(`${route.limit} ${request.headers['api-key']}`, limit), reply);
      admit(known);
    } catch (refusal) {
      done(refusal as Error);
    }
  };

  const remembered = (request: FastifyRequest): Caller | undefined => {
    const { authorization, 'api-key': key } = request.headers;
    return typeof key === 'string' && authorization ? identities.remembered(key, authorization) : undefined;
  };

  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<Caller> => {
    const begunAt = identities.changeCount();
    const key = apiKey(request);
    const session = key === undefined ? sessionToken(request) : undefined;
    if (session !== undefined) return identifySession(request, reply, session);
    const central = await identities.central(key).catch((error) => {
      countStranger(limits, request, reply);
      throw error;
    });
    request.centralId = central.id;
    count(limits.admit(`${route.limit} ${key}`, central.settings[limitOf[route.limit]]), reply);
    const caller = await identities.caller(central, basicCredentials(request), networkOf(request.callerIp));
    identities.remember(key!, request.headers.authorization!, caller, begunAt);
    return caller;
  };

  const identifySession = async (
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<Caller> => {
    const caller = await sessionCaller(needs, token).catch((error) => {
      countStranger(limits, request, reply);
      throw error;
    });
    request.centralId = caller.centralId;
    const limit = caller.central.settings[limitOf[route.limit]];
    count(limits.admit(`${route.limit} session ${caller.centralId} ${caller.userId}`, limit), reply);
    if (!isFromConsole(request)) throw new Refusal('not-allowed');
    return caller;
  };

  const understand = (request: FastifyRequest, reply: FastifyReply): RouteRequest<unknown, unknown> => {
    const caller = callers.get(request)!;
    return {
      ...read(request, { needs, caller }),
      needs,
      caller,
      language: preferredLanguage(request.headers['accept-language']),
      publicUrl: publicUrlOf(request, options.publicUrl),
      admit: (group, key) =>
        count(
          limits.admit(`${group} ${caller.centralId} ${key}`, caller.central.settings[limitOf[group]]),
          reply,
        ),
    };
  };

  app.route({
    method: route.method,
    url: base + route.path,
    schema: { response: { 200: route.answer } },
    onRequest: authenticate,
    handler: async (request, reply) => {
      const asked = understand(request, reply);
      const key = isWrite(route) ? idempotencyKey(request) : undefined;
      if (key === undefined) {
        const answer = await route.handle(asked);
        if (answer instanceof LiveAnswer) return goOn(streams, request, reply, answer);
        if (!(answer instanceof JsonText)) return { success: true, ...answer };
        return sendText(reply, answer.text);
      }
      const { caller, params, query, body } = asked;
      const text = await carryOutOnce(
        needs,
        { key, caller, method: route.method, path: base + route.path, params, query, body },
        async (db) => {
          const answer = await route.handle({ ...asked, needs: { ...needs, db } });
          if (answer instanceof JsonText) return { answer: answer.text, kept: answer.text };
          if (answer instanceof LiveAnswer) throw new Error('only a GET is answered live');
          const write = (one: object) => String(reply.code(200).serialize({ success: true, ...one }));
          const text = write(answer);
          return { answer: text, kept: route.withoutSecret ? write(route.withoutSecret(answer)) : text };
        },
      );
      return sendText(reply, text);
    },
  });
}

async function goOn(
  streams: EventStreams,
  request: FastifyRequest,
  reply: FastifyReply,
  { options: { key, max, follow } }: LiveAnswer,
): Promise<FastifyReply> {
  await followUntilClosed(streams.open(request, reply, key, max), follow);
  return reply;
}

const sendText = (reply: FastifyReply, text: string): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(text);
