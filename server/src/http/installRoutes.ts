import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import { apiKey, basicCredentials } from './authenticate.ts';
import { isStorable, parseBody, unstorable } from './body.ts';
import { count, countAnonymous } from './countRequest.ts';
import { JsonText } from './envelope.ts';
import { carryOutOnce, KEY_LENGTH_MAX } from './idempotency.ts';
import { InvalidInput, invalid, type Problem } from './invalidInput.ts';
import { preferredLanguage } from './language.ts';
import { limitOf } from './rateLimits.ts';
import type { Method, Route, RouteRequest } from './route.ts';
import type { ServerOptions } from './server.ts';
import { bodyValidator, queryValidator } from './validation.ts';

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

export function installRoutes(
  app: FastifyInstance,
  base: string,
  routes: readonly Route[],
  options: ServerOptions,
): void {
  for (const one of routes) installRoute(app, base, one, options);

  const paths = Map.groupBy(routes, (one) => one.path);
  for (const [path, sharing] of paths) {
    const allowed = sharing.map((one) => one.method);
    // Fastify answers HEAD wherever there is a GET.
    const refused = [...METHODS, 'PATCH' as const, 'OPTIONS' as const].filter(
      (one) => !allowed.includes(one as Method),
    );
    app.route({
      method: allowed.includes('GET') ? refused : [...refused, 'HEAD'],
      url: base + path,
      handler: async (request, reply) => {
        countAnonymous(options.limits, request, reply);
        reply.header('allow', allowed.join(', '));
        throw new Refusal('method-not-allowed');
      },
    });
  }
}

function installRoute(app: FastifyInstance, base: string, route: Route, options: ServerOptions): void {
  const { needs, identities, limits } = options;
  const bodyProblems = route.body ? bodyValidator(route.body) : () => [];
  const queryProblems = route.query ? queryValidator(route.query) : () => [];
  const callers = new WeakMap<FastifyRequest, Caller>();

  // Before the body is read: nobody unknown makes us read a megabyte.
  const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const central = await identities.central(apiKey(request)).catch((error) => {
      countAnonymous(limits, request, reply);
      throw error;
    });
    request.centralId = central.id;
    const limit = central.settings[limitOf[route.limit]];
    count(limits.admit(`${route.limit} ${request.headers['api-key']}`, limit), reply);
    const caller = await identities.caller(central, basicCredentials(request), request.ip);
    if (!route.who.includes(caller.role)) throw new Refusal('not-allowed');
    callers.set(request, caller);
  };

  const read = (request: FastifyRequest, reply: FastifyReply): RouteRequest<unknown, unknown> => {
    const raw = request.body as Buffer | undefined;
    const { params, problems } = parseParams(request.params as Record<string, string>);
    const body = route.body ? parseBody(raw, request.headers['content-type']) : undefined;
    const query = { ...(request.query as Record<string, unknown>) };
    problems.push(
      ...unstorableQuery(query),
      ...queryProblems(query),
      ...bodyProblems(body, raw?.length ?? 0),
    );
    if (problems.length) throw new InvalidInput(problems);
    const caller = callers.get(request)!;
    return {
      needs,
      caller,
      language: preferredLanguage(request.headers['accept-language']),
      params,
      body,
      query,
      publicUrl: options.publicUrl ?? `${request.protocol}://${request.host}`,
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
      const asked = read(request, reply);
      const key = idempotencyKey(request, route);
      if (key === undefined) {
        const answer = await route.handle(asked);
        if (!(answer instanceof JsonText)) return { success: true, ...answer };
        return reply.type('application/json; charset=utf-8').send(answer.text);
      }
      const text = await carryOutOnce(
        needs,
        { key, sight: asked.caller, method: route.method, path: request.url, body: asked.body },
        async (db) => {
          const answer = await route.handle({ ...asked, needs: { ...needs, db } });
          if (answer instanceof JsonText) return answer.text;
          return String(reply.code(200).serialize({ success: true, ...answer }));
        },
      );
      return reply.type('application/json; charset=utf-8').send(text);
    },
  });
}

function idempotencyKey(request: FastifyRequest, route: Route): string | undefined {
  if (route.method === 'GET') return undefined;
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > KEY_LENGTH_MAX || !isStorable(key))
    throw invalid(
      'Idempotency-Key',
      `deve ter de 1 a ${KEY_LENGTH_MAX} caracteres`,
      `must have 1 to ${KEY_LENGTH_MAX} characters`,
    );
  return key;
}

function parseParams(raw: Readonly<Record<string, string>>): {
  params: Record<string, number>;
  problems: Problem[];
} {
  const params: Record<string, number> = {};
  const problems: Problem[] = [];
  for (const [field, text] of Object.entries(raw)) {
    const id = /^\d{1,16}$/.test(text) ? Number(text) : 0;
    if (id > 0 && Number.isSafeInteger(id)) params[field] = id;
    else
      problems.push({ field, pt: 'deve ser um número inteiro positivo', en: 'must be a positive integer' });
  }
  return { params, problems };
}

const unstorableQuery = (query: Readonly<Record<string, unknown>>): Problem[] =>
  Object.entries(query)
    .filter(([name, value]) => !isStorable(name) || (typeof value === 'string' && !isStorable(value)))
    .map(([name]) => unstorable(isStorable(name) ? name : 'query'));
