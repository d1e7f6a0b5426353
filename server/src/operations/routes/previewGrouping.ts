import Type from 'typebox';
import { dataAnswer } from '../../contract/wire/answers.ts';
import { groupedScheduled, scheduledGroupingRefusals } from '../../contract/wire/groupingBody.ts';
import { previewGroup } from '../../grouping/previewGroup.ts';
import { route } from '../../http/route.ts';
import { watchers } from '../who.ts';
import { formatGroupPreview, GroupPreviewSchema, groupPreviewExample } from '../wire/groupPreview.ts';

/** Contract 4.2 as it would be. */
export const previewGroupingRoute = route({
  method: 'POST',
  path: '/programadas/:id/simular-agrupamento',
  readOnly: true,
  tag: 'Operação: programadas',
  summary: 'Simular um agrupamento de programadas',
  description:
    'Nada muda. Responde com as mesmas recusas do agrupamento ou com o antes e o depois: paradas, km, minutos e ' +
    'valor, a nova ordem das paradas e o caminho conjunto. Um gerente simula com as programadas da própria empresa.',
  who: watchers,
  limit: 'operations',
  refusals: scheduledGroupingRefusals.filter((kind) => kind !== 'not-saved'),
  body: Type.Object({ programadas_agrupadas: groupedScheduled }),
  bodyExample: { programadas_agrupadas: [312] },
  answer: dataAnswer(GroupPreviewSchema),
  answerExample: { success: true, data: groupPreviewExample },
  async handle({ needs, caller, params, body }) {
    const preview = await previewGroup(needs, caller, {
      grouper: { noun: 'scheduled', id: params.id! },
      scheduledIds: body.programadas_agrupadas,
    });
    return { data: formatGroupPreview(preview) };
  },
});
