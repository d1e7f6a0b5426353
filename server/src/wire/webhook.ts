import type { Static } from 'typebox';
import Type from 'typebox';
import type { Endpoint } from '../http/endpoint.ts';
import type { LoggedMessage } from '../webhooks/messageLogStore.ts';
import { type UrlFault, urlFault } from '../webhooks/publicAddress.ts';
import { type MessageState, type Webhook, type WebhookState, webhookState } from '../webhooks/webhook.ts';
import { WAITING_COUNTED_MAX, type WebhookStatus } from '../webhooks/webhookStore.ts';
import {
  EVENT_TYPE_NAMES,
  eventTypeByName,
  eventTypes,
  WANTED_TYPE_NAMES,
  type WantedTypeName,
} from './eventTypes.ts';
import { formatUtc, nullable } from './values.ts';

const URL_LENGTH_MAX = 2_000;
const text = Type.String();
const moment = Type.String({ description: 'ISO 8601, UTC' });

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

export const WebhookSchema = Type.Object({
  id: text,
  empresa_id: nullable(text),
  url: text,
  tipos: Type.Array(Type.Enum(WANTED_TYPE_NAMES)),
  ativo: Type.Boolean(),
  estado: Type.Enum(Object.values(stateName), {
    description: 'pausado: um dia inteiro de falhas; os eventos esperam até que seja reativado',
  }),
  falhas: Type.Integer({ description: 'falhas seguidas' }),
  falhando_desde: nullable(moment),
  proxima_tentativa: nullable(moment),
  pausado_em: nullable(moment),
  segredo_anterior_ate: nullable(moment),
  criado_em: moment,
});

export const formatWebhook = (webhook: Webhook): Static<typeof WebhookSchema> => ({
  id: String(webhook.id),
  empresa_id: webhook.companyId === null ? null : String(webhook.companyId),
  url: webhook.url,
  tipos: webhook.types.map((type) => eventTypes[type].name),
  ativo: webhook.active,
  estado: stateName[webhookState(webhook)],
  falhas: webhook.failures,
  falhando_desde: momentOrNull(webhook.failingSince),
  proxima_tentativa: webhook.pausedAt ? null : momentOrNull(webhook.nextAttemptAt),
  pausado_em: momentOrNull(webhook.pausedAt),
  segredo_anterior_ate: momentOrNull(webhook.previousSecretUntil),
  criado_em: formatUtc(webhook.createdAt),
});

export const WebhookStatusSchema = Type.Object({
  id: text,
  ativo: Type.Boolean(),
  estado: WebhookSchema.properties.estado,
  falhas: WebhookSchema.properties.falhas,
  falhando_desde: nullable(moment),
  pausado_em: nullable(moment),
  proxima_tentativa: nullable(moment),
  ultimo_sucesso: nullable(Type.String({ description: 'a última mensagem aceita; ISO 8601, UTC' })),
  ultima_falha: nullable(
    Type.Object({
      em: moment,
      status_http: nullable(Type.Integer({ description: 'nulo quando não houve resposta' })),
      erro: nullable(text),
    }),
  ),
  mensagens_esperando: Type.Integer({ description: `contadas até ${WAITING_COUNTED_MAX}` }),
  esperando_desde: nullable(Type.String({ description: 'o evento mais antigo que espera; ISO 8601, UTC' })),
});

export const formatWebhookStatus = ({
  webhook,
  lastSuccessAt,
  lastFailure,
  waiting,
  oldestWaitingAt,
}: WebhookStatus): Static<typeof WebhookStatusSchema> => {
  const { id, ativo, estado, falhas, falhando_desde, pausado_em, proxima_tentativa } = formatWebhook(webhook);
  return {
    id,
    ativo,
    estado,
    falhas,
    falhando_desde,
    pausado_em,
    proxima_tentativa,
    ultimo_sucesso: momentOrNull(lastSuccessAt),
    ultima_falha: lastFailure && {
      em: formatUtc(lastFailure.at),
      status_http: lastFailure.status,
      erro: lastFailure.error,
    },
    mensagens_esperando: waiting,
    esperando_desde: momentOrNull(oldestWaitingAt),
  };
};

export const webhookExample = {
  id: '3',
  empresa_id: '1',
  url: 'https://erp.exemplo.com.br/malote',
  tipos: ['entrega.status', 'entrega.parada_concluida'],
  ativo: true,
  estado: 'ativo',
  falhas: 0,
  falhando_desde: null,
  proxima_tentativa: null,
  pausado_em: null,
  segredo_anterior_ate: null,
  criado_em: '2026-11-16T15:00:00Z',
};

export const secretField = nullable(
  Type.String({
    description:
      'segredo das assinaturas (Standard Webhooks); é mostrado somente nesta resposta, e é nulo quando ela é repetida por uma Idempotency-Key',
  }),
);

const messageStateName = {
  waiting: 'esperando',
  delivered: 'entregue',
  failed: 'falhou',
  expired: 'descartado',
} as const satisfies Record<MessageState, string>;

export const MessageSchema = Type.Object({
  id: text,
  evento_id: Type.String({ description: 'o webhook-id do evento, igual em toda tentativa' }),
  tipo: Type.Enum([...EVENT_TYPE_NAMES]),
  entrega_id: nullable(text),
  programada_id: nullable(text),
  sequencia: nullable(Type.Integer()),
  ocorrido_em: moment,
  estado: Type.Enum(Object.values(messageStateName)),
  tentativas: Type.Integer(),
  ultima_tentativa: nullable(moment),
  proxima_tentativa: nullable(moment),
  status_http: nullable(Type.Integer()),
  duracao_ms: nullable(Type.Integer()),
  resposta: nullable(Type.String({ description: 'os primeiros 500 bytes da resposta' })),
  erro: nullable(text),
  entregue_em: nullable(moment),
  reenviado_em: nullable(moment),
});

export const formatMessage = (message: LoggedMessage): Static<typeof MessageSchema> => ({
  id: String(message.id),
  evento_id: message.uid,
  tipo: eventTypes[message.type].name,
  entrega_id: message.deliveryId === null ? null : String(message.deliveryId),
  programada_id: message.scheduledId === null ? null : String(message.scheduledId),
  sequencia: isOfRequest(message) ? message.sequence : null,
  ocorrido_em: formatUtc(message.occurredAt),
  estado: messageStateName[message.state],
  tentativas: message.attempts,
  ultima_tentativa: momentOrNull(message.lastAttemptAt),
  proxima_tentativa: message.state === 'waiting' ? formatUtc(message.nextAttemptAt) : null,
  status_http: message.lastStatus,
  duracao_ms: message.lastDurationMs,
  resposta: message.lastAnswer,
  erro: message.lastError,
  entregue_em: momentOrNull(message.deliveredAt),
  reenviado_em: momentOrNull(message.replayedAt),
});

/** Only the sequences of deliveries and scheduled deliveries are part of the interface. */
const isOfRequest = ({ deliveryId, scheduledId }: LoggedMessage): boolean =>
  deliveryId !== null || scheduledId !== null;

const momentOrNull = (instant: Temporal.Instant | null): string | null => instant && formatUtc(instant);
