import Type from 'typebox';
import {
  holdDeliveries,
  offerDeliveries,
  releaseDeliveries,
  withdrawOffersOf,
} from '../../../deliveries/deliveries/manySteps.ts';
import { postponeDeliveries } from '../../../deliveries/deliveries/postponeDeliveries.ts';
import type { Status } from '../../../deliveries/deliveries/status.ts';
import type { Outcome } from '../../../platform/kernel/outcome.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { statusCode } from '../../json/codes.ts';
import { answerItems, ITEMS_MAX, itemsAnswer } from '../../json/itemsAnswer.ts';
import { requiredText, sentId } from '../wire/fields.ts';

const idsField = Type.Array(Type.Integer({ minimum: 1 }), {
  minItems: 1,
  maxItems: ITEMS_MAX,
  uniqueItems: true,
  description: 'ids das entregas',
});

const shared = {
  method: 'POST',
  tag: 'Operação: etapas da entrega',
  permission: 'dispatch',
  limit: 'operations',
  countsItems: true,
  isHeavy: true,
  answer: itemsAnswer(Type.Object({ status: Type.Enum(['D', 'G', 'P']) }), { id: Type.Integer() }),
} as const;

const EACH =
  'Cada uma tem o seu próprio resultado, na ordem da requisição, com as regras de uma só: uma recusada não impede as ' +
  'outras. O limite de requisições conta os ids.';

const example = (status: 'D' | 'G' | 'P') => ({
  success: true,
  recusados: 1,
  data: [
    { indice: 0, id: 1042, success: true, data: { status } },
    {
      indice: 1,
      id: 1043,
      success: false,
      status: 406,
      kind: 'delivery-over',
      errors: [{ code: 0, message: 'a entrega já foi finalizada, cancelada ou não atendida' }],
    },
  ],
});

const answered = (
  outcomes: readonly Outcome<null>[],
  ids: readonly number[],
  status: Status,
  language: Language,
) =>
  answerItems(
    outcomes,
    language,
    () => ({ status: statusCode[status] }),
    (index) => ({ id: ids[index]! }),
  );

const holdManyEndpoint = endpoint({
  ...shared,
  path: '/entregas/segurar',
  summary: 'Segurar até 500 entregas que ainda não começaram',
  description: `Segura cada entrega, com o mesmo motivo. As que nenhum entregador aceitou são seguradas juntas; uma aceita é segurada por si e deixa o entregador livre. ${EACH}`,
  body: Type.Object({ ids: idsField, motivo: requiredText(300) }),
  bodyExample: { ids: [1042, 1043], motivo: 'A loja parou a cozinha' },
  answerExample: example('P'),
  async handle({ deps, caller, body: { ids, motivo }, language, admitItems }) {
    admitItems(ids.length);
    const outcomes = await holdDeliveries(deps, caller, ids, motivo.trim());
    return answered(outcomes, ids, 'awaiting_release', language);
  },
});

const releaseManyEndpoint = endpoint({
  ...shared,
  path: '/entregas/liberar',
  summary: 'Liberar até 500 entregas para distribuição',
  description: `Libera as que aguardam liberação e as que a central segurou. ${EACH}`,
  body: Type.Object({ ids: idsField }),
  bodyExample: { ids: [1042, 1043] },
  answerExample: example('D'),
  async handle({ deps, caller, body: { ids }, language, admitItems }) {
    admitItems(ids.length);
    return answered(await releaseDeliveries(deps, caller, ids), ids, 'distributing', language);
  },
});

const offerManyEndpoint = endpoint({
  ...shared,
  path: '/entregas/atribuir',
  summary: 'Oferecer até 500 entregas a um entregador',
  description: `Cada entrega passa a aguardar o aceite deste entregador; ofertas abertas a outros são retiradas. ${EACH}`,
  refusals: ['driver-not-found', 'driver-inactive'],
  body: Type.Object({ ids: idsField, condutor_id: sentId('id do entregador') }),
  bodyExample: { ids: [1042, 1043], condutor_id: 1 },
  answerExample: example('G'),
  async handle({ deps, caller, body: { ids, condutor_id }, language, admitItems }) {
    admitItems(ids.length);
    return answered(await offerDeliveries(deps, caller, ids, condutor_id), ids, 'offered', language);
  },
});

const withdrawOffersEndpoint = endpoint({
  ...shared,
  path: '/entregas/retirar-ofertas',
  summary: 'Retirar as ofertas de até 500 entregas',
  description: `As ofertas sem resposta são retiradas e as entregas voltam para distribuição. Para o entregador não conta como recusa. ${EACH}`,
  body: Type.Object({ ids: idsField }),
  bodyExample: { ids: [1042, 1043] },
  answerExample: example('D'),
  async handle({ deps, caller, body: { ids }, language, admitItems }) {
    admitItems(ids.length);
    return answered(await withdrawOffersOf(deps, caller, ids), ids, 'distributing', language);
  },
});

const MINUTES_MAX = 240;

const postponeEndpoint = endpoint({
  ...shared,
  path: '/entregas/adiar',
  summary: 'Adiar o que foi prometido em até 500 entregas',
  description: `O prometido de cada parada ainda a visitar muda de tantos minutos; um número negativo antecipa. Quem acompanha o pedido vê o novo horário. Uma janela não se fecha antes de abrir. ${EACH}`,
  body: Type.Object({
    ids: idsField,
    minutos: Type.Integer({ minimum: -MINUTES_MAX, maximum: MINUTES_MAX }),
  }),
  bodyExample: { ids: [1042, 1043], minutos: 15 },
  answer: itemsAnswer(Type.Object({ minutos: Type.Integer() }), { id: Type.Integer() }),
  answerExample: {
    ...example('P'),
    data: [{ ...example('P').data[0]!, data: { minutos: 15 } }, example('P').data[1]!],
  },
  async handle({ deps, caller, body: { ids, minutos }, language, admitItems }) {
    admitItems(ids.length);
    const outcomes = await postponeDeliveries(deps, caller, ids, minutos);
    return answerItems(
      outcomes,
      language,
      () => ({ minutos }),
      (index) => ({ id: ids[index]! }),
    );
  },
});

export const manyStepEndpoints = [
  holdManyEndpoint,
  releaseManyEndpoint,
  offerManyEndpoint,
  withdrawOffersEndpoint,
  postponeEndpoint,
];
