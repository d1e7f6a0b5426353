import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import {
  alsoGroupedDeliveries,
  alsoGroupedScheduled,
  mixedGroupingRefusals,
} from '../../contract/wire/groupingBody.ts';
import { previewGroup } from '../../grouping/previewGroup.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import {
  DeliveryGroupPreviewSchema,
  deliveryGroupPreviewExample,
  formatDeliveryGroupPreview,
} from '../wire/groupPreview.ts';

/** Contract 4.6 and 4.7 as they would be. */
export const previewDeliveryGroupingRoute = route({
  method: 'POST',
  path: '/entregas/:id/simular-agrupamento',
  readOnly: true,
  tag: 'Operação: ao vivo',
  summary: 'Simular um agrupamento em uma entrega em andamento',
  description:
    'Nada muda. Responde com as mesmas recusas do agrupamento ou com o antes e o depois: viagens, km, minutos e ' +
    'valor do caminho inteiro desde a coleta, a nova ordem das paradas (as já concluídas ficam no início) e o ' +
    'caminho conjunto. Um gerente simula com as entregas e programadas da própria empresa.',
  who: watchers,
  limit: 'operations',
  refusals: mixedGroupingRefusals.filter((kind) => kind !== 'not-saved'),
  body: Type.Object({
    programadas_agrupadas: alsoGroupedScheduled,
    solicitacoes_agrupadas: alsoGroupedDeliveries,
  }),
  bodyExample: { programadas_agrupadas: [311], solicitacoes_agrupadas: [1043] },
  answer: dataAnswer(DeliveryGroupPreviewSchema),
  answerExample: { success: true, data: deliveryGroupPreviewExample },
  async handle({ needs, caller, params, body }) {
    const preview = await previewGroup(needs, caller, {
      grouper: { noun: 'delivery', id: params.id! },
      scheduledIds: body.programadas_agrupadas ?? [],
      deliveryIds: body.solicitacoes_agrupadas ?? [],
    });
    return { data: formatDeliveryGroupPreview(preview) };
  },
});
