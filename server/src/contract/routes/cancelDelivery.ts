import Type from 'typebox';
import { cancelDelivery } from '../../deliveries/cancelDelivery.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { messageAnswer } from '../wire/answers.ts';

/** Contract 4.8. */
export const cancelDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/cancelar',
  operation: 'cancelarEntrega',
  section: '4.8',
  tag: 'Entregas',
  summary: 'Cancelar uma entrega',
  description:
    'O que estava reservado na carteira de créditos volta ao saldo; com uma parada já concluída, o que foi percorrido é cobrado (taxas_cancelamento). As entregas agrupadas nesta são canceladas com ela. Uma entrega agrupada em outra é cancelada sozinha: suas paradas não concluídas saem da outra, que é planejada e calculada de novo.',
  who: readers,
  limit: 'deliveries',
  refusals: ['delivery-not-found', 'reason-not-found', 'delivery-over'],
  body: Type.Object({
    motivo_id: Type.Integer({ minimum: 1, description: 'motivo do cancelamento' }),
  }),
  bodyExample: { motivo_id: 2 },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entrega cancelada' },
  async handle({ needs, caller, params, body, language }) {
    await cancelDelivery(needs, caller, params.id!, body.motivo_id);
    return { message: language === 'en' ? 'delivery cancelled' : 'entrega cancelada' };
  },
});
