import Type from 'typebox';
import type { Caller, Scope } from '../../../centrals/caller.ts';
import type { WantedType } from '../../../events/record/event.ts';
import { continuedFrom, followLog } from '../../../events/record/followLog.ts';
import { type EventCursor, findEventCursor, type LiveEvent } from '../../../events/record/liveStore.ts';
import { testStreams } from '../../../events/record/testStreams.ts';
import type { Tx } from '../../../platform/postgres/database.ts';
import { type AppDeps, endpoint } from '../../http/endpoint.ts';
import { LiveAnswer } from '../../http/eventStreams.ts';
import { parseInstant } from '../../http/formats.ts';
import { invalid, type Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { maySeeEvent } from '../../json/eventRights.ts';
import {
  EVENT_TYPE_NAMES,
  eventTypeByName,
  formatEvent,
  parseSampledType,
  WANTED_TYPE_NAMES,
  type WantedTypeName,
} from '../../json/eventTypes.ts';
import { dataAnswer } from '../../json/values.ts';

const TYPES_LENGTH_MAX = 1_000;
const POINT_LENGTH_MAX = 60;

/** `81234.5f0c1d0e-…`: the id of the event, which gives its place, and its `webhook-id`. The first is enough. */
const EVENT_ID = /^([1-9]\d{0,14})(\.[0-9a-f-]{36})?$/;

const messageIdOf = ({ id, uid }: LiveEvent): string => `${id}.${uid}`;

const eventIdOf = (text: string): number | undefined => {
  const [, id] = EVENT_ID.exec(text) ?? [];
  return id === undefined ? undefined : Number(id);
};

const isTypeName = (name: string): name is WantedTypeName => Object.hasOwn(eventTypeByName, name);

const namesIn = (text: string): string[] => text.split(',').map((name) => name.trim());

const checkQuery: Check = ({ tipos: types, desde: since }): Problem[] => [
  ...(typeof types === 'string' && types.length <= TYPES_LENGTH_MAX && !namesIn(types).every(isTypeName)
    ? [
        {
          field: 'tipos',
          pt: `deve ter tipos separados por vírgula, dentre: ${WANTED_TYPE_NAMES.join(', ')}`,
          en: `must be types separated by commas, of: ${WANTED_TYPE_NAMES.join(', ')}`,
        },
      ]
    : []),
  ...(typeof since === 'string' && eventIdOf(since) === undefined && !parseInstant(since)
    ? [
        {
          field: 'desde',
          pt: 'deve ser um instante ISO 8601 com fuso, como 2026-11-16T15:00:00Z, ou o id de um evento',
          en: 'must be an ISO 8601 instant with an offset, like 2026-11-16T15:00:00Z, or the id of an event',
        },
      ]
    : []),
];

/** The place of an event that the caller names. One outside the scope is not there. */
async function namedCursor(tx: Tx, scope: Scope, field: string, text: string): Promise<EventCursor> {
  const id = eventIdOf(text);
  const cursor = id === undefined ? undefined : await findEventCursor(tx, scope, id);
  if (cursor) return cursor;
  throw invalid(
    field,
    'não é o id de um evento que ainda esteja guardado',
    'is not the id of an event that is still kept',
  );
}

/**
 * Where the stream begins; undefined: now. A client that reconnects continues after its last event, and gets nothing from
 * before the point that it asked for at first.
 */
async function beginning(
  { db }: AppDeps,
  scope: Scope,
  lastEventId: string | undefined,
  since: string | undefined,
): Promise<EventCursor | undefined> {
  const at = since === undefined ? null : parseInstant(since);
  const first = at ? { at, id: 0 } : since && (await namedCursor(db, scope, 'desde', since));
  if (lastEventId === undefined) return first || undefined;
  const next = continuedFrom(await namedCursor(db, scope, 'Last-Event-ID', lastEventId));
  return first && Temporal.Instant.compare(next.at, first.at) < 0 ? first : next;
}

/** The body as a webhook carries it, written once for all streams. */
function bodyOf(event: LiveEvent, publicUrl: string): string {
  const body = written.get(event) ?? JSON.stringify(formatEvent(event, { publicUrl }));
  written.set(event, body);
  return body;
}
const written = new WeakMap<LiveEvent, string>();

/** A test event is only for the streams of the login that asked for it, whichever types they want. */
const isFor = (caller: Caller, types: ReadonlySet<WantedType> | undefined) => (event: LiveEvent) =>
  event.type === 'webhook.test'
    ? event.payload.listenerId !== undefined && event.payload.listenerId === caller.userId
    : (types?.has(event.type) ?? true) && maySeeEvent(caller, event);

export const followEventsEndpoint = endpoint({
  method: 'GET',
  path: '/eventos',
  operation: 'acompanharEventos',
  tag: 'Webhooks',
  summary: 'Acompanhar os eventos ao vivo',
  description: [
    'Server-sent events: o `data` de cada mensagem é, byte por byte, o corpo que um webhook recebe. O `id` da mensagem tem duas partes separadas por um ponto: o id do evento e o `webhook-id`. Um usuário da central acompanha a central inteira; um gerente ou o programa de uma empresa, só a própria empresa. Lançamentos da carteira e dos entregadores só chegam a quem pode lê-los. Posições só vão por webhook.',
    '`desde` começa por eventos passados: os que vêm depois de um evento, ou a partir de um instante. Ao reconectar, envie o último `id` em `Last-Event-ID`: a leitura continua de onde parou, e os eventos do minuto anterior a ele, a partir de `desde`, podem vir repetidos, com o mesmo `id`.',
    'A conexão é encerrada a cada 15 minutos, quando o leitor é lento demais e quando o usuário, a chave ou o token deixam de valer; então a reconexão recebe 401. `malote listen` usa este endereço para repassar os eventos, assinados, a um programa no seu computador.',
  ].join('\n\n'),
  permission: 'watch',
  limit: 'deliveries',
  refusals: ['too-many-listeners'],
  isLive: true,
  query: Type.Object(
    {
      tipos: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: TYPES_LENGTH_MAX,
          description: 'tipos de evento, separados por vírgula; sem ele, todos',
        }),
      ),
      desde: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: POINT_LENGTH_MAX,
          description: 'instante ISO 8601 com fuso, ou id de um evento; sem ele, a partir de agora',
        }),
      ),
    },
    { check: checkQuery },
  ),
  queryExample: { tipos: 'entrega.status,entrega.parada_concluida' },
  answer: Type.Object({
    type: Type.Enum([...EVENT_TYPE_NAMES]),
    timestamp: Type.String(),
    data: Type.Object({}, { additionalProperties: true }),
  }),
  answerExample: {
    type: 'entrega.status',
    timestamp: '2026-11-16T15:01:12.000Z',
    data: { id: '1042', sequencia: 3, empresa_id: '1', status: 'A' },
  },
  async handle({ deps, caller, query, configuredUrl }) {
    const { tipos: names, desde: since } = query;
    const types =
      names === undefined
        ? undefined
        : new Set(
            namesIn(names)
              .filter(isTypeName)
              .map((name) => eventTypeByName[name]),
          );
    const isWanted = isFor(caller, types);
    return new LiveAnswer(async (stream) => {
      const start = await beginning(deps, caller, stream.lastEventId, since);
      // A long history may have nothing for this reader: it hears at once that it is read.
      if (start) stream.start();
      return followLog(deps, start, {
        centralId: caller.centralId,
        isReady: () => stream.isReady(),
        onEvents(batch) {
          const text = batch
            .filter(isWanted)
            .map((event) => `id: ${messageIdOf(event)}\ndata: ${bodyOf(event, configuredUrl)}\n\n`)
            .join('');
          if (text !== '') stream.send(text);
        },
      });
    });
  },
});

export const testEventsEndpoint = endpoint({
  method: 'POST',
  path: '/eventos/teste',
  operation: 'testarEventos',
  tag: 'Webhooks',
  summary: 'Enviar um evento de teste às suas conexões',
  description:
    'O evento chega às conexões de `GET /eventos` abertas com o mesmo usuário ou token, e a mais ninguém. Com `tipo`, leva o exemplo desse tipo e `"test": true`; sem ele, é um webhook.teste.',
  permission: 'webhooks',
  limit: 'deliveries',
  body: Type.Object({ tipo: Type.Optional(Type.Enum([...EVENT_TYPE_NAMES])) }),
  bodyExample: { tipo: 'entrega.status' },
  answer: dataAnswer(Type.Object({ evento_id: Type.String({ description: 'o webhook-id do evento' }) })),
  answerExample: { success: true, data: { evento_id: '5f0c1d0e-6a5b-4c7e-9a55-0d8a3f1f2b11' } },
  async handle({ deps, caller, body }) {
    return { data: { evento_id: await testStreams(deps, caller, parseSampledType(body.tipo)) } };
  },
});
