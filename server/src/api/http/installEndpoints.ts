import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type IdentifiedCaller, rightsKey } from '../../centrals/caller.ts';
import { inCentral } from '../../platform/kernel/clock.ts';
import { inOwnTurn, inOwnTurns, type Preparation } from '../../platform/kernel/inSlices.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { sharedRuns } from '../../platform/kernel/sharedRuns.ts';
import { answerWriter } from './answerWriter.ts';
import { callerHook } from './callerHook.ts';
import { sendCompressed } from './compression.ts';
import { answerPreflight, isPreflight } from './crossOrigin.ts';
import { announceDeprecation } from './deprecation.ts';
import { bodyBytesMax, type Endpoint, type EndpointRequest, keepsKeys, type Method } from './endpoint.ts';
import { JsonText, namesTag, preferredLanguage, TaggedAnswer } from './envelope.ts';
import { type EventStreams, followUntilClosed, LiveAnswer } from './eventStreams.ts';
import { FileAnswer, sendFile } from './fileAnswer.ts';
import { ClientGone } from './heavyWork.ts';
import { idempotencyKey, runIdempotent } from './idempotency.ts';
import { type ItemsReader, itemsReader, type ReadItems } from './itemsReader.ts';
import { networkOf } from './networks.ts';
import {
  count,
  countItems,
  countStranger,
  type FixedLimit,
  type LimitGroup,
  limitFor,
} from './rateLimits.ts';
import { publicUrlOf, type ReadRequest, requestReader } from './readRequest.ts';
import type { ServerOptions } from './serverOptions.ts';
import { loginStreamLimits } from './streamLimits.ts';

const METHODS: readonly (Method | 'PATCH' | 'OPTIONS')[] = [
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'OPTIONS',
];

/** Larger bodies that arrive in the same turn of the event loop are read in separate turns. */
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
        if (isPreflight(request) && (await answerPreflight(options.origins, request, reply))) return reply;
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
  const { deps, limits, streams, heavyWork } = options;
  const { read, prepare } = requestReader(endpoint);
  const items = endpoint.items && itemsReader(endpoint.body!, endpoint.items);
  const answers = answerWriter(endpoint.answer);
  const preparation = inOwnTurns([...(items?.prepare ?? prepare), answers.compile]);
  const takesKeys = keepsKeys(endpoint);
  const { properties = {} } = (endpoint.body ?? {}) as { properties?: object };
  const takesPassword = 'senha' in properties;

  const contextOf = ({ caller }: FastifyRequest) => ({
    deps: inCentral(deps, caller!.centralId),
    caller: caller!,
  });
  const askedOf = (
    request: FastifyRequest,
    reply: FastifyReply,
    sent: ReadRequest & Partial<Pick<ReadItems, 'items' | 'fingerprint'>>,
  ): Asked => {
    const caller = request.caller!;
    const admitAs = (limit: LimitGroup | FixedLimit, key: string | number): void =>
      count(
        limits.admit(`${limit} ${caller.centralId} ${key}`, limitFor(limit, caller.central.settings)),
        reply,
      );
    return {
      ...sent,
      deps: inCentral(deps, caller.centralId),
      caller,
      language: preferredLanguage(request.headers['accept-language']),
      publicUrl: publicUrlOf(request, options.publicUrl),
      configuredUrl: options.publicUrl ?? '',
      admit: admitAs,
      admitItems: (items) => countItems(request, reply, deps.clock, items),
      admitCompany: (companyId) => admitAs(endpoint.companyLimit!, companyId),
    };
  };
  const understand = (request: FastifyRequest, reply: FastifyReply): Asked =>
    askedOf(request, reply, read(request, reply, contextOf(request)));
  const understandItems = async (
    { read: readItems }: ItemsReader,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Asked> => {
    const admit = (count: number) => countItems(request, reply, deps.clock, count);
    const sent = await readItems(request, reply, contextOf(request), admit);
    return askedOf(request, reply, { params: {}, texts: {}, query: {}, ...sent });
  };

  /** The answer to a request with an Idempotency-Key, as text: carried out now, or kept from the first attempt. */
  const answerOnce = async (key: string, asked: Asked, reply: FastifyReply): Promise<string> => {
    const { caller, params, query, raw } = asked;
    const body = raw ? [raw.mediaType, hash('sha256', raw.bytes)] : (asked.fingerprint ?? asked.body);
    const write = (answer: object) => String(reply.code(200).serialize({ success: true, ...answer }));
    const { answer, isReplayed } = await runIdempotent(
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
        const answer = await endpoint.handle({ ...asked, deps: { ...asked.deps, db } });
        if (answer instanceof JsonText) return { answer: String(answer.text), kept: String(answer.text) };
        if (answer instanceof LiveAnswer || answer instanceof TaggedAnswer || answer instanceof FileAnswer)
          throw new Error('only a GET is answered live, with a tag or with a file');
        const text = write(answer);
        return { answer: text, kept: endpoint.withoutSecret ? write(endpoint.withoutSecret(answer)) : text };
      },
    );
    if (isReplayed) reply.header('idempotency-replayed', 'true');
    return answer;
  };

  const shareRun = sharedRuns<JsonText>();
  /** Text, so that it is written once for all who share it. */
  const sharedAnswer = (asked: Asked): Promise<JsonText> => {
    const { centralId } = asked.caller;
    const key = [centralId, rightsKey(asked.caller), asked.language].join(' ');
    const run = async (): Promise<JsonText> => {
      const answer: object = await endpoint.handle(asked);
      return answer instanceof JsonText
        ? answer
        : new JsonText(Buffer.from(String(answers.write({ success: true, ...answer }))));
    };
    return shareRun(key, () => heavyWork.turnOf(centralId, run));
  };

  const answerHeavy = async (
    request: FastifyRequest,
    reply: FastifyReply,
    run: () => Promise<object | string>,
  ): Promise<unknown> => {
    const work = heavyWork.begin(request.caller!);
    // Closed by either side: the answer is sent, or the client has gone.
    reply.raw.once('close', work.end);
    if (reply.raw.destroyed) work.end();
    try {
      const answer = await work.turn(run);
      if (typeof answer === 'string') return await sendText(reply, answer);
      return await (answer instanceof FileAnswer
        ? sendFile(reply, work, answer)
        : sendAnswer(request, reply, answer));
    } catch (error) {
      if (!(error instanceof ClientGone)) throw error;
      return reply.hijack();
    }
  };

  const sendAnswer = (request: FastifyRequest, reply: FastifyReply, answer: object): unknown => {
    if (answer instanceof LiveAnswer) return followLive(streams, request, reply, request.caller!, answer);
    if (answer instanceof TaggedAnswer) return sendTagged(request, reply, answer);
    if (answer instanceof JsonText) return sendCompressed(request, reply, answer);
    return { success: true, ...answer };
  };

  app.route({
    method: endpoint.method,
    url: base + endpoint.path,
    config: { endpoint },
    schema: { response: { 200: endpoint.answer } },
    serializerCompiler: () => answers.write,
    bodyLimit: bodyBytesMax(endpoint),
    onRequest: endpoint.deprecated
      ? [announceDeprecation(endpoint.deprecated), callerHook(endpoint, options)]
      : callerHook(endpoint, options),
    handler: async (request, reply) => {
      if (!preparation.isDone()) await preparation.run();
      const answer = async (asked: Asked): Promise<object | string> => {
        const key = takesKeys ? idempotencyKey(request) : undefined;
        return key === undefined ? endpoint.handle(asked) : answerOnce(key, asked, reply);
      };
      if (items)
        return answerHeavy(request, reply, async () => answer(await understandItems(items, request, reply)));
      const asked = isLarge(request)
        ? await inOwnTurn(() => understand(request, reply))
        : understand(request, reply);
      if (endpoint.isShared) return sendCompressed(request, reply, await sharedAnswer(asked));
      if (endpoint.isHeavy) return answerHeavy(request, reply, () => answer(asked));
      const answered = await answer(asked);
      return typeof answered === 'string' ? sendText(reply, answered) : sendAnswer(request, reply, answered);
    },
  });
  return preparation;
}

/** A request that is read; the body of one with items has a fingerprint of its own. */
type Asked = EndpointRequest<unknown, unknown> & Partial<Pick<ReadItems, 'fingerprint'>>;

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
