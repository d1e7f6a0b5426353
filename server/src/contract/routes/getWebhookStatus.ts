import { findWebhookStatus } from '../../events/webhookStatusStore.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { formatWebhookStatus, WebhookStatusSchema, webhookExample } from '../wire/webhook.ts';

/** Completions: whether one registered webhook takes its messages. */
export const getWebhookStatusRoute = route({
  method: 'GET',
  path: '/webhooks/:id/status',
  operation: 'obterStatusWebhook',
  tag: 'Webhooks',
  summary: 'Ler o estado de um webhook',
  description:
    'Se está ativo, falhando, pausado ou inativo, o último sucesso, a última falha, as falhas seguidas e quantas ' +
    'mensagens esperam. Um gerente lê os da própria empresa; um usuário da central, todos.',
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  answer: dataAnswer(WebhookStatusSchema),
  answerExample: {
    success: true,
    data: {
      id: webhookExample.id,
      ativo: true,
      estado: 'falhando',
      falhas: 6,
      falhando_desde: '2026-11-16T15:00:00Z',
      pausado_em: null,
      proxima_tentativa: '2026-11-16T15:09:30Z',
      ultimo_sucesso: '2026-11-16T14:58:12Z',
      ultima_falha: { em: '2026-11-16T15:04:30Z', status_http: 503, erro: null },
      mensagens_esperando: 14,
      esperando_desde: '2026-11-16T15:00:00Z',
    },
  },
  async handle({ needs, caller, params }) {
    return { data: formatWebhookStatus(await findWebhookStatus(needs.db, caller, params.id!)) };
  },
});
