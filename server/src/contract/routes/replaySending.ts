import Type from 'typebox';
import { replayOne } from '../../events/replaySendings.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { dataAnswer } from '../wire/answers.ts';

export const replaySendingRoute = route({
  method: 'POST',
  path: '/webhooks/envios/:id/reenviar',
  operation: 'reenviarEnvio',
  tag: 'Webhooks',
  summary: 'Reenviar um evento',
  description:
    'O envio volta a esperar, com o mesmo webhook-id e as tentativas contadas do início. Um que ainda espera é tentado de imediato.',
  who: readers,
  limit: 'deliveries',
  refusals: ['sending-not-found', 'sending-outdated'],
  answer: dataAnswer(Type.Object({ id: Type.String(), estado: Type.Literal('esperando') })),
  answerExample: { success: true, data: { id: '812', estado: 'esperando' } },
  async handle({ needs, caller, params }) {
    await replayOne(needs, caller, params.id!);
    return { data: { id: String(params.id), estado: 'esperando' as const } };
  },
});
