import { findWebhook } from '../../events/webhookStore.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { formatWebhook, WebhookSchema, webhookExample } from '../wire/webhook.ts';

export const getWebhookRoute = route({
  method: 'GET',
  path: '/webhooks/:id',
  operation: 'obterWebhook',
  tag: 'Webhooks',
  summary: 'Ler um webhook e seu estado',
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  answer: dataAnswer(WebhookSchema),
  answerExample: { success: true, data: webhookExample },
  async handle({ needs, caller, params }) {
    return { data: formatWebhook(await findWebhook(needs.db, caller, params.id!)) };
  },
});
