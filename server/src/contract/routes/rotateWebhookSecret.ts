import Type from 'typebox';
import { rotateSecret } from '../../events/rotateSecret.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';
import { formatUtc } from '../wire/dates.ts';
import { secretField } from '../wire/webhook.ts';

export const rotateWebhookSecretRoute = route({
  method: 'POST',
  path: '/webhooks/:id/segredo',
  operation: 'trocarSegredoWebhook',
  tag: 'Webhooks',
  summary: 'Trocar o segredo de um webhook',
  description:
    'O novo segredo aparece somente nesta resposta. Por 24 horas cada envio leva as duas assinaturas, a do segredo novo e a do anterior.',
  who: readers,
  limit: 'deliveries',
  refusals: ['webhook-not-found'],
  answer: dataAnswer(
    Type.Object({
      id: Type.String(),
      segredo: secretField,
      segredo_anterior_ate: Type.String({ description: 'ISO 8601, UTC' }),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      id: '3',
      segredo: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
      segredo_anterior_ate: '2026-11-17T15:00:00Z',
    },
  },
  withoutSecret: ({ data }) => ({ data: { ...data, segredo: null } }),
  async handle({ needs, caller, params }) {
    const { secret, previousUntil } = await rotateSecret(needs, caller, params.id!);
    return {
      data: { id: String(params.id), segredo: secret, segredo_anterior_ate: formatUtc(previousUntil) },
    };
  },
});
