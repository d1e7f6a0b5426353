import Type from 'typebox';
import { changeWebhook } from '../../events/changeWebhook.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import {
  formatWebhook,
  parseTypes,
  urlProblems,
  WebhookSchema,
  webhookExample,
  webhookFields,
} from '../wire/webhook.ts';

export const changeWebhookRoute = route({
  method: 'PUT',
  path: '/webhooks/:id',
  operation: 'alterarWebhook',
  tag: 'Webhooks',
  summary: 'Alterar, desativar ou reativar um webhook',
  description:
    'O que não for enviado fica como está. "ativo": true acorda um webhook pausado ou falhando e envia de imediato tudo o que espera; com "ativo": false nenhum evento novo é guardado para ele.',
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  body: Type.Object({
    url: Type.Optional(webhookFields.url),
    tipos: Type.Optional(webhookFields.tipos),
    ativo: Type.Optional(Type.Boolean()),
  }),
  furtherProblems: urlProblems,
  bodyExample: { ativo: true },
  answer: dataAnswer(WebhookSchema),
  answerExample: { success: true, data: webhookExample },
  async handle({ needs, caller, params, body }) {
    const webhook = await changeWebhook(needs, caller, params.id!, {
      url: body.url,
      types: body.tipos && parseTypes(body.tipos),
      active: body.ativo,
    });
    return { data: formatWebhook(webhook) };
  },
});
