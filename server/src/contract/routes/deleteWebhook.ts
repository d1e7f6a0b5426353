import { removeWebhook } from '../../events/removeWebhook.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { messageAnswer } from '../wire/answers.ts';

export const deleteWebhookRoute = route({
  method: 'DELETE',
  path: '/webhooks/:id',
  operation: 'excluirWebhook',
  tag: 'Webhooks',
  summary: 'Excluir um webhook',
  description: 'Nada mais é enviado, nem o que esperava.',
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  answer: messageAnswer,
  answerExample: { success: true, message: 'webhook excluído' },
  async handle({ needs, caller, params, language }) {
    await removeWebhook(needs, caller, params.id!);
    return { message: language === 'en' ? 'webhook deleted' : 'webhook excluído' };
  },
});
