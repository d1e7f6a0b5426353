import Type from 'typebox';
import { findWebhooks } from '../../events/webhookStore.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { pageFields, parsePage } from '../wire/page.ts';
import { formatWebhook, WebhookSchema, webhookExample } from '../wire/webhook.ts';

export const listWebhooksRoute = route({
  method: 'GET',
  path: '/webhooks',
  operation: 'listarWebhooks',
  tag: 'Webhooks',
  summary: 'Listar webhooks',
  description: 'Um gerente vê os da própria empresa; um usuário da central vê todos.',
  who: readers,
  limit: 'deliveries',
  query: Type.Object(pageFields),
  answer: dataAnswer(Type.Array(WebhookSchema)),
  answerExample: { success: true, data: [webhookExample] },
  async handle({ needs, caller, query }) {
    const webhooks = await findWebhooks(needs.db, caller, parsePage(query));
    return { data: webhooks.map(formatWebhook) };
  },
});
