import { dataAnswer } from '../../contract/wire/answers.ts';
import { findSheet } from '../../deliveries/deliverySheetStore.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { DeliverySheetSchema, formatSheet } from '../wire/deliverySheet.ts';
import { deliverySheetExample } from '../wire/deliverySheetExample.ts';

export const getDeliverySheetRoute = route({
  method: 'GET',
  path: '/entregas/:id',
  tag: 'Operação: ao vivo',
  summary: 'Ler a ficha de uma entrega',
  description:
    'Tudo o que a central sabe da entrega: paradas com destinatário e conclusão, condutor, valores, momentos. De uma entrega agrupada em outra, as paradas pedidas com ela.',
  who: watchers,
  limit: 'operations',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(DeliverySheetSchema),
  answerExample: { success: true, data: deliverySheetExample },
  async handle({ needs: { db, clock }, caller, params, language }) {
    return { data: formatSheet(await findSheet(db, caller, params.id!), clock.now(), language) };
  },
});
