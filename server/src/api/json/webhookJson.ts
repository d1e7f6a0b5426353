import Type, { type TSchema } from 'typebox';
import type { EventType, WantedType } from '../../events/record/event.ts';
import type { LoggedMessage } from '../../events/webhooks/messageLogStore.ts';
import { type UrlFault, urlFault } from '../../events/webhooks/publicAddress.ts';
import {
  type MessageState,
  type Webhook,
  type WebhookState,
  webhookState,
} from '../../events/webhooks/webhook.ts';
import { WAITING_COUNTED_MAX, type WebhookStatus } from '../../events/webhooks/webhookStore.ts';
import type { Endpoint } from '../http/endpoint.ts';
import {
  EVENT_TYPE_NAMES,
  eventTypeByName,
  eventTypes,
  WANTED_TYPE_NAMES,
  type WantedTypeName,
} from './eventTypes.ts';
import { formatUtc } from './values.ts';
import { code, flag, id, integer, kind, list, one, text, type View, view } from './view.ts';

const URL_LENGTH_MAX = 2_000;
const moment = kind(Type.String, formatUtc, 'ISO 8601, UTC');
const wantedType = kind(
  () => Type.Enum(WANTED_TYPE_NAMES),
  (type: WantedType) => eventTypes[type].name,
)((type: WantedType) => type, 'entrega.status');
/** The name of an event's type. */
const eventTypeName = kind(
  (options) => Type.Enum([...EVENT_TYPE_NAMES], options),
  (type: EventType) => eventTypes[type].name,
);

/** The fields of a webhook, for registration and changes. */
export const webhookFields = {
  url: Type.String({
    minLength: 1,
    maxLength: URL_LENGTH_MAX,
    description: 'endereço https que recebe os eventos',
  }),
  tipos: Type.Array(Type.Enum(WANTED_TYPE_NAMES), {
    minItems: 1,
    maxItems: WANTED_TYPE_NAMES.length,
    uniqueItems: true,
    description: 'tipos de evento que interessam',
  }),
};

export const parseTypes = (names: readonly WantedTypeName[]) => names.map((name) => eventTypeByName[name]);

/** Faults of an address that are detected without a connection. */
export const urlProblems: NonNullable<Endpoint['furtherProblems']> = ({ url }, { deps }) => {
  const fault = typeof url === 'string' && urlFault(url, deps.allowPrivateWebhooks);
  return fault ? [{ field: 'url', ...faultWords[fault] }] : [];
};

const faultWords: Record<UrlFault, { pt: string; en: string }> = {
  malformed: { pt: 'deve ser um endereço https completo', en: 'must be a complete https address' },
  credentials: { pt: 'não pode conter usuário nem senha', en: 'must not hold a user or a password' },
  'not-https': { pt: 'deve começar com https://', en: 'must begin with https://' },
  private: {
    pt: 'deve ser um endereço público: redes privadas e a própria máquina não são chamadas',
    en: 'must be a public address: private networks and this machine itself are not called',
  },
};

const stateName = {
  active: 'ativo',
  failing: 'falhando',
  paused: 'pausado',
  inactive: 'inativo',
} as const satisfies Record<WebhookState, string>;

const webhookViews = {
  id: id((webhook: Webhook) => webhook.id, '3'),
  empresa_id: id.orNull((webhook: Webhook) => webhook.companyId, '1'),
  url: text((webhook: Webhook) => webhook.url, 'https://erp.exemplo.com.br/malote'),
  tipos: list(wantedType, (webhook: Webhook) => webhook.types, {
    example: ['entrega.status', 'entrega.parada_concluida'],
  }),
  ativo: flag((webhook: Webhook) => webhook.active, true),
  estado: code(stateName)(
    webhookState,
    'ativo',
    'pausado: um dia inteiro de falhas; os eventos esperam até que seja reativado',
  ),
  falhas: integer((webhook: Webhook) => webhook.failures, 0, 'falhas seguidas'),
  falhando_desde: moment.orNull((webhook: Webhook) => webhook.failingSince, null),
  proxima_tentativa: moment.orNull(
    ({ pausedAt, active, nextAttemptAt, retryAt }: Webhook) =>
      pausedAt || !active ? null : (nextAttemptAt ?? retryAt),
    null,
    'quando o que falhou é enviado de novo; ISO 8601, UTC',
  ),
  pausado_em: moment.orNull((webhook: Webhook) => webhook.pausedAt, null),
  segredo_anterior_ate: moment.orNull((webhook: Webhook) => webhook.previousSecretUntil, null),
  criado_em: moment((webhook: Webhook) => webhook.createdAt, '2026-11-16T15:00:00Z'),
};
export const webhookShown = view<Webhook>()(webhookViews);

/** A field of a webhook in its status, of one that fails. */
const ofWebhook = <Schema extends TSchema>(
  field: View<Webhook, unknown, Schema>,
  example = field.example,
): View<WebhookStatus, unknown, Schema> => ({
  schema: field.schema,
  example,
  show: ({ webhook }) => field.show(webhook, undefined),
});

const failure = view<NonNullable<WebhookStatus['lastFailure']>>()({
  em: moment(({ at }) => at, '2026-11-16T15:04:30Z'),
  status_http: integer.orNull(({ status }) => status, 503, 'nulo quando não houve resposta'),
  erro: text.orNull(({ error }) => error, null),
});

export const webhookStatus = view<WebhookStatus>()({
  id: ofWebhook(webhookViews.id),
  ativo: ofWebhook(webhookViews.ativo),
  estado: ofWebhook(webhookViews.estado, 'falhando'),
  falhas: ofWebhook(webhookViews.falhas, 6),
  falhando_desde: ofWebhook(webhookViews.falhando_desde, '2026-11-16T15:00:00Z'),
  pausado_em: ofWebhook(webhookViews.pausado_em),
  proxima_tentativa: ofWebhook(webhookViews.proxima_tentativa, '2026-11-16T15:09:30Z'),
  ultimo_sucesso: moment.orNull(
    (status) => status.lastSuccessAt,
    '2026-11-16T14:58:12Z',
    'a última mensagem aceita; ISO 8601, UTC',
  ),
  ultima_falha: one.orNull(failure, (status) => status.lastFailure),
  mensagens_esperando: integer((status) => status.waiting, 14, `contadas até ${WAITING_COUNTED_MAX}`),
  esperando_desde: moment.orNull(
    (status) => status.oldestWaitingAt,
    '2026-11-16T15:00:00Z',
    'o evento mais antigo que espera; ISO 8601, UTC',
  ),
});

/** Shown once. */
const secret = text.orNull(
  (made: { secret: string }) => made.secret,
  'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  'segredo das assinaturas (Standard Webhooks); é mostrado somente nesta resposta, e é nulo quando ela é repetida por uma Idempotency-Key',
);
export const webhookMade = view<Webhook & { secret: string }>()({ ...webhookViews, segredo: secret });
export const secretRotated = view<{ id: number; secret: string; previousUntil: Temporal.Instant }>()({
  id: id((webhook) => webhook.id, '3'),
  segredo: secret,
  segredo_anterior_ate: moment((webhook) => webhook.previousUntil, '2026-11-17T15:00:00Z'),
});

const messageStateName = {
  waiting: 'esperando',
  delivered: 'entregue',
  failed: 'falhou',
  expired: 'descartado',
} as const satisfies Record<MessageState, string>;

export const messageShown = view<LoggedMessage>()({
  id: id((message) => message.id, '812'),
  evento_id: text(
    (message) => message.uid,
    '5f0c1d0e-6a5b-4c7e-9a55-0d8a3f1f2b11',
    'o webhook-id do evento, igual em toda tentativa',
  ),
  tipo: eventTypeName((message) => message.type, 'entrega.status'),
  entrega_id: id.orNull((message) => message.deliveryId, '123'),
  programada_id: id.orNull((message) => message.scheduledId, null),
  sequencia: integer.orNull((message) => (isOfRequest(message) ? message.sequence : null), 4),
  ocorrido_em: moment((message) => message.occurredAt, '2026-11-16T15:00:00Z'),
  estado: code(messageStateName)((message) => message.state, 'esperando'),
  tentativas: integer((message) => message.attempts, 1),
  ultima_tentativa: moment.orNull((message) => message.lastAttemptAt, '2026-11-16T15:00:00Z'),
  proxima_tentativa: moment.orNull(
    ({ state, nextAttemptAt }) => (state === 'waiting' ? nextAttemptAt : null),
    '2026-11-16T15:00:05Z',
  ),
  status_http: integer.orNull((message) => message.lastStatus, 500),
  duracao_ms: integer.orNull((message) => message.lastDurationMs, 38),
  resposta: text.orNull(
    (message) => message.lastAnswer,
    'erro interno',
    'os primeiros 500 bytes da resposta',
  ),
  erro: text.orNull((message) => message.lastError, null),
  entregue_em: moment.orNull((message) => message.deliveredAt, null),
  reenviado_em: moment.orNull((message) => message.replayedAt, null),
});

/** Only the sequences of deliveries and scheduled deliveries are part of the interface. */
const isOfRequest = ({ deliveryId, scheduledId }: LoggedMessage): boolean =>
  deliveryId !== null || scheduledId !== null;
