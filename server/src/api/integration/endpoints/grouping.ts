import Type from 'typebox';
import { groupIntoDelivery } from '../../../dispatch/grouping/groupIntoDelivery.ts';
import { groupScheduled } from '../../../dispatch/grouping/groupScheduled.ts';
import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { endpoint } from '../../http/endpoint.ts';
import { messageAnswer } from '../../json/values.ts';

/** Repeated ids count once, so a list may be longer than what fits a group. */
const IDS_MAX = 1_000;

const idList = (description: string, minItems: number) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    minItems,
    maxItems: IDS_MAX,
    description,
  });

export const groupedScheduled = idList('entregas programadas a agrupar', 1);
const groupedDeliveries = idList('entregas em andamento a agrupar', 1);
export const alsoGroupedScheduled = Type.Optional(idList('entregas programadas a agrupar', 0));
export const alsoGroupedDeliveries = Type.Optional(idList('entregas em andamento a agrupar também', 0));

/** Contract 7.2 for scheduled deliveries that await dispatch. */
const ofScheduled: readonly RefusalKind[] = [
  'scheduled-not-found',
  'merge-in-progress',
  'grouped-automatically',
  'not-awaiting-dispatch',
  'too-close-to-dispatch',
];

/** Contract 7.2 for deliveries in progress. */
const ofDeliveries: readonly RefusalKind[] = ['delivery-not-found', 'not-in-progress'];

/** The refusals of every grouping. */
const ofAll: readonly RefusalKind[] = [
  'grouping-in-progress',
  'too-few-orders',
  'different-companies',
  'different-pickups',
  'too-many-stops',
  'estimate-impossible',
  'insufficient-balance',
  'not-saved',
];

export const scheduledGroupingRefusals = [...ofScheduled, ...ofAll];
const deliveryGroupingRefusals = [...ofDeliveries, ...ofAll];
export const mixedGroupingRefusals = [...ofScheduled, ...ofDeliveries, ...ofAll];

/** Contract 4.2. */
export const groupScheduledEndpoint = endpoint({
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
  permission: 'order',
  limit: 'scheduled',
  refusals: scheduledGroupingRefusals,
  body: Type.Object({ programadas_agrupadas: groupedScheduled }),
  bodyExample: { programadas_agrupadas: [312, 315] },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entregas programadas agrupadas' },
  async handle({ deps, caller, params, body, language }) {
    await groupScheduled(deps, caller, { grouperId: params.id!, scheduledIds: body.programadas_agrupadas });
    return {
      message: language === 'en' ? 'scheduled deliveries grouped' : 'entregas programadas agrupadas',
    };
  },
});

/** Contract 4.6. */
export const groupScheduledIntoDeliveryEndpoint = endpoint({
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
  permission: 'order',
  limit: 'deliveries',
  refusals: mixedGroupingRefusals,
  body: Type.Object({
    programadas_agrupadas: groupedScheduled,
    solicitacoes_agrupadas: alsoGroupedDeliveries,
  }),
  bodyExample: { programadas_agrupadas: [312, 315], solicitacoes_agrupadas: [1043] },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entregas agrupadas' },
  async handle({ deps, caller, params, body, language }) {
    await groupIntoDelivery(deps, caller, {
      grouperId: params.id!,
      scheduledIds: body.programadas_agrupadas,
      deliveryIds: body.solicitacoes_agrupadas ?? [],
    });
    return { message: language === 'en' ? 'deliveries grouped' : 'entregas agrupadas' };
  },
});

/** Contract 4.7. */
export const groupDeliveriesEndpoint = endpoint({
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
  permission: 'order',
  limit: 'deliveries',
  refusals: deliveryGroupingRefusals,
  body: Type.Object({ solicitacoes_agrupadas: groupedDeliveries }),
  bodyExample: { solicitacoes_agrupadas: [1043, 1047] },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entregas agrupadas' },
  async handle({ deps, caller, params, body, language }) {
    await groupIntoDelivery(deps, caller, {
      grouperId: params.id!,
      scheduledIds: [],
      deliveryIds: body.solicitacoes_agrupadas,
    });
    return { message: language === 'en' ? 'deliveries grouped' : 'entregas agrupadas' };
  },
});
