import Type from 'typebox';
import { testWebhook } from '../../events/testWebhook.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';

export const testWebhookRoute = route({
  method: 'POST',
  path: '/webhooks/:id/teste',
  operation: 'testarWebhook',
  tag: 'Webhooks',
  summary: 'Enviar um evento de teste',
  description: 'O evento webhook.teste é enviado somente a este webhook; o resultado aparece nos envios.',
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found', 'webhook-asleep'],
  answer: dataAnswer(Type.Object({ envio_id: Type.String() })),
  answerExample: { success: true, data: { envio_id: '813' } },
  async handle({ needs, caller, params }) {
    return { data: { envio_id: String(await testWebhook(needs, caller, params.id!)) } };
  },
});
