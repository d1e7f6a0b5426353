import Type from 'typebox';
import { groupScheduled } from '../../grouping/groupScheduled.ts';
import { route } from '../../http/route.ts';
import { readers } from '../who.ts';
import { messageAnswer } from '../wire/answers.ts';
import { groupedScheduled, scheduledGroupingRefusals } from '../wire/groupingBody.ts';

/** Contract 4.2. */
export const groupScheduledRoute = route({
  method: 'POST',
  path: '/entregas/programadas/:id/agrupar',
  operation: 'agruparProgramadas',
  section: '4.2',
  tag: 'Agrupamento',
  summary: 'Agrupar programadas em uma programada',
  description:
    'A programada do caminho mantém seu id e recebe as paradas de todas as listadas, que passam a `agrupado`. ' +
    'Empresa, categoria, forma de pagamento, retorno e horário de disparo são os dela; a estimativa e a ordem das ' +
    'paradas são recalculadas. Todas devem aguardar disparo, ser da mesma empresa, partir do mesmo ponto de ' +
    'coleta e estar a mais de 60 segundos do disparo. Ids repetidos contam uma vez; o da própria agrupadora é ' +
    'descartado.',
  who: readers,
  limit: 'scheduled',
  refusals: scheduledGroupingRefusals,
  body: Type.Object({ programadas_agrupadas: groupedScheduled }),
  bodyExample: { programadas_agrupadas: [312, 315] },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entregas programadas agrupadas' },
  async handle({ needs, caller, params, body, language }) {
    await groupScheduled(needs, caller, { grouperId: params.id!, scheduledIds: body.programadas_agrupadas });
    return {
      message: language === 'en' ? 'scheduled deliveries grouped' : 'entregas programadas agrupadas',
    };
  },
});
