import Type from 'typebox';
import { REPLAYS_MAX, replayMany, replayOne } from '../../../events/webhooks/changeWebhook.ts';
import { findMessages } from '../../../events/webhooks/messageLogStore.ts';
import { findWebhook } from '../../../events/webhooks/webhookStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import type { Problem } from '../../http/invalidInput.ts';
import type { Check } from '../../http/validation.ts';
import { answerWithList, dataAnswer, pageFields, parsePage } from '../../json/values.ts';
import { messageShown } from '../../json/webhookJson.ts';

export const listMessagesEndpoint = endpoint({
  method: 'GET',
  path: '/webhooks/:id/envios',
  operation: 'listarEnvios',
  tag: 'Webhooks',
  summary: 'Listar os envios de um webhook',
  description: 'Do evento mais novo para o mais antigo, com o resultado da última tentativa de cada envio.',
  permission: 'webhooks-read',
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  query: Type.Object(pageFields),
  ...answerWithList(messageShown),
  async handle({ deps, caller, params, query }) {
    const webhook = await findWebhook(deps.db, caller, params.id!);
    const messages = await findMessages(deps.db, caller.centralId, webhook.id, parsePage(query));
    return { data: messages.map((message) => messageShown.show(message, undefined)) };
  },
});

export const replayMessageEndpoint = endpoint({
  method: 'POST',
  path: '/webhooks/envios/:id/reenviar',
  operation: 'reenviarEnvio',
  tag: 'Webhooks',
  summary: 'Reenviar um evento',
  description:
    'O envio volta a esperar, com o mesmo webhook-id e as tentativas contadas do início. Um que ainda espera é tentado de imediato.',
  permission: 'webhooks-resend',
  limit: 'deliveries',
  refusals: ['message-not-found', 'message-outdated'],
  answer: dataAnswer(Type.Object({ id: Type.String(), estado: Type.Literal('esperando') })),
  answerExample: { success: true, data: { id: '812', estado: 'esperando' } },
  async handle({ deps, caller, params }) {
    await replayOne(deps, caller, params.id!);
    return { data: { id: String(params.id), estado: 'esperando' as const } };
  },
});

const instant = (description: string) => formatted('instant', description);

const checkOrder: Check = ({ de: from, ate: until }): Problem[] => {
  const [begin, end] = [from, until].map((each) => (typeof each === 'string' ? parseInstant(each) : null));
  if (!begin || !end || Temporal.Instant.compare(begin, end) < 0) return [];
  return [{ field: 'ate', pt: "deve ser depois de 'de'", en: "must be after 'de'" }];
};

export const replayMessagesEndpoint = endpoint({
  method: 'POST',
  path: '/webhooks/:id/reenviar',
  operation: 'reenviarEnvios',
  tag: 'Webhooks',
  summary: 'Reenviar os eventos de um período',
  description: `Reenvia o que já foi entregue ou falhou, pelo instante do evento, de 'de' (inclusive) a 'ate' (exclusive): até ${REPLAYS_MAX} envios por requisição. Posições não são reenviadas.`,
  permission: 'webhooks-resend',
  limit: 'deliveries',
  refusals: ['webhook-not-found', 'replay-too-large'],
  body: Type.Object(
    {
      de: instant('ISO 8601 com fuso'),
      ate: instant('ISO 8601 com fuso'),
      somente_falhas: Type.Optional(Type.Boolean({ description: 'apenas os que falharam; padrão false' })),
    },
    { check: checkOrder },
  ),
  bodyExample: { de: '2026-11-16T12:00:00Z', ate: '2026-11-16T15:00:00Z', somente_falhas: true },
  answer: dataAnswer(Type.Object({ reenviados: Type.Integer() })),
  answerExample: { success: true, data: { reenviados: 42 } },
  async handle({ deps, caller, params, body }) {
    const count = await replayMany(deps, caller, params.id!, {
      from: parseInstant(body.de)!,
      until: parseInstant(body.ate)!,
      onlyFailed: body.somente_falhas ?? false,
    });
    return { data: { reenviados: count } };
  },
});
