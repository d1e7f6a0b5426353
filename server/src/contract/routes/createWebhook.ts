import Type from 'typebox';
import { registerWebhook } from '../../events/registerWebhook.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import {
  formatWebhook,
  parseTypes,
  secretField,
  urlProblems,
  WebhookSchema,
  webhookExample,
  webhookFields,
} from '../wire/webhook.ts';

export const createWebhookRoute = route({
  method: 'POST',
  path: '/webhooks',
  operation: 'criarWebhook',
  tag: 'Webhooks',
  summary: 'Cadastrar um webhook',
  description:
    'Os eventos são enviados e assinados conforme a convenção Standard Webhooks. O segredo aparece somente nesta resposta. O webhook de um gerente recebe apenas os eventos da própria empresa.',
  who: readers,
  limit: 'deliveries',
  refusals: ['too-many-webhooks', 'too-many-records'],
  body: Type.Object(webhookFields),
  furtherProblems: urlProblems,
  bodyExample: { url: webhookExample.url, tipos: webhookExample.tipos },
  answer: dataAnswer(Type.Object({ ...WebhookSchema.properties, segredo: secretField })),
  answerExample: {
    success: true,
    data: { ...webhookExample, segredo: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=' },
  },
  withoutSecret: ({ data }) => ({ data: { ...data, segredo: null } }),
  async handle({ needs, caller, body }) {
    const { webhook, secret } = await registerWebhook(needs, caller, {
      url: body.url,
      types: parseTypes(body.tipos),
    });
    return { data: { ...formatWebhook(webhook), segredo: secret } };
  },
});
