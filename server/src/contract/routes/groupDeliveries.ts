import Type from 'typebox';
import { groupIntoDelivery } from '../../grouping/groupIntoDelivery.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { messageAnswer } from '../wire/answers.ts';
import { deliveryGroupingRefusals, groupedDeliveries } from '../wire/groupingBody.ts';

/** Contract 4.7. */
export const groupDeliveriesRoute = route({
  method: 'POST',
  path: '/entregas/:id/agrupar',
  operation: 'agruparEntregas',
  section: '4.7',
  tag: 'Agrupamento',
  summary: 'Agrupar entregas em andamento',
  description:
    'A entrega do caminho, em andamento, recebe as paradas das listadas, que passam a seguir o status dela. ' +
    'Empresa, categoria, forma de pagamento e retorno são os dela; valor, distância, tempo e ordem das paradas são ' +
    'recalculados. As paradas já concluídas ficam no início; os links de rastreio continuam válidos.',
  who: readers,
  limit: 'deliveries',
  refusals: deliveryGroupingRefusals,
  body: Type.Object({ solicitacoes_agrupadas: groupedDeliveries }),
  bodyExample: { solicitacoes_agrupadas: [1043, 1047] },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entregas agrupadas' },
  async handle({ needs, caller, params, body, language }) {
    await groupIntoDelivery(needs, caller, {
      grouperId: params.id!,
      scheduledIds: [],
      deliveryIds: body.solicitacoes_agrupadas,
    });
    return { message: language === 'en' ? 'deliveries grouped' : 'entregas agrupadas' };
  },
});
