import Type from 'typebox';
import { groupIntoDelivery } from '../../grouping/groupIntoDelivery.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { messageAnswer } from '../wire/answers.ts';
import { alsoGroupedDeliveries, groupedScheduled, mixedGroupingRefusals } from '../wire/groupingBody.ts';

/** Contract 4.6. */
export const groupScheduledIntoDeliveryRoute = route({
  method: 'POST',
  path: '/entregas/:id/agrupar/programadas',
  operation: 'agruparProgramadasEmEntrega',
  section: '4.6',
  tag: 'Agrupamento',
  summary: 'Agrupar programadas em uma entrega em andamento',
  description:
    'A entrega do caminho, em andamento, recebe as paradas das programadas listadas e, se informadas, das entregas ' +
    'em andamento de `solicitacoes_agrupadas`. Empresa, categoria, forma de pagamento e retorno são os dela; as ' +
    'paradas já concluídas ficam no início e as demais são reordenadas a partir da posição do condutor.',
  who: readers,
  limit: 'deliveries',
  refusals: mixedGroupingRefusals,
  body: Type.Object({
    programadas_agrupadas: groupedScheduled,
    solicitacoes_agrupadas: alsoGroupedDeliveries,
  }),
  bodyExample: { programadas_agrupadas: [312, 315], solicitacoes_agrupadas: [1043] },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entregas agrupadas' },
  async handle({ needs, caller, params, body, language }) {
    await groupIntoDelivery(needs, caller, {
      grouperId: params.id!,
      scheduledIds: body.programadas_agrupadas,
      deliveryIds: body.solicitacoes_agrupadas ?? [],
    });
    return { message: language === 'en' ? 'deliveries grouped' : 'entregas agrupadas' };
  },
});
