import type { Static } from 'typebox';
import Type from 'typebox';
import { cancelDelivery } from '../../../deliveries/deliveries/cancelDelivery.ts';
import { createDelivery } from '../../../deliveries/deliveries/createDelivery.ts';
import { findStatus } from '../../../deliveries/deliveries/deliveryStore.ts';
import { findCarrierPosition } from '../../../deliveries/deliveries/driverWorkStore.ts';
import { editDelivery } from '../../../deliveries/deliveries/editDelivery.ts';
import { removeStop } from '../../../deliveries/deliveries/removeStop.ts';
import { locateAddresses } from '../../../deliveries/orders/locateAddresses.ts';
import { readTracking } from '../../../deliveries/tracking/readTracking.ts';
import type { Estimate } from '../../../money/pricing/estimateTrip.ts';
import { centsToDecimal } from '../../../platform/kernel/money.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { endpoint } from '../../http/endpoint.ts';
import { JsonText, type Language, listOfJson } from '../../http/envelope.ts';
import {
  type PaymentCode,
  paymentByCode,
  paymentCode,
  type StatusFilter,
  statusCode,
  statusFilter,
} from '../../json/codes.ts';
import { deliveryAnswer } from '../../json/deliveryJson.ts';
import {
  CREATION_WITH_KEY,
  coordinateProblems,
  creationAnswer,
  creationFields,
  creationProblems,
  externalIdField,
  formatCreation,
  locatingRefusals,
  newOrderFields,
  orderExample,
  parseCreation,
  quoteRefusals,
} from '../../json/orderBody.ts';
import {
  answerWith,
  dataAnswer,
  formatDegrees,
  messageAnswer,
  nullable,
  pageFields,
  parsePage,
} from '../../json/values.ts';
import { findDeliveryDocument, findDeliveryPage, findDeliveryTexts } from '../deliveryJsonStore.ts';
import { answerWithWalk, isWalk, walk, walkFields, walkProblems } from '../lists/walk.ts';

/** Contract 4.12. */
export const removalAnswer = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    status: Type.Literal('OK'),
    estimativa: nullable(
      Type.Object({
        estimativa_km: Type.Number(),
        estimativa_tempo_minutos: Type.Integer(),
        estimativa_valor: Type.String(),
      }),
    ),
  }),
  message: Type.String(),
});

export const formatRemoval = (
  estimate: Estimate | null,
  language: Language,
): Omit<Static<typeof removalAnswer>, 'success'> => ({
  data: { status: 'OK', estimativa: estimate && formatRemaining(estimate) },
  message: language === 'en' ? 'stop removed' : 'parada excluída',
});

/** The value is text here, though a number in 4.1. */
const formatRemaining = (estimate: Estimate) => ({
  estimativa_km: Math.round(estimate.metres / 10) / 100,
  estimativa_tempo_minutos: Math.ceil(estimate.seconds / 60),
  estimativa_valor: centsToDecimal(estimate.netCents),
});

export const removalExample = {
  success: true,
  data: {
    status: 'OK',
    estimativa: { estimativa_km: 4.21, estimativa_tempo_minutos: 11, estimativa_valor: '14.35' },
  },
  message: 'parada excluída',
};

/** Contract 4.4. */
export const queryDeliveriesEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/consultar',
  readOnly: true,
  operation: 'consultarEntregas',
  section: '4.4',
  tag: 'Entregas',
  summary: 'Consultar entregas',
  description:
    'Da mais nova para a mais antiga. Um corpo vazio é a primeira página sem filtros. Com `cursor` (na primeira vez ' +
    '`inicio`) ou um dos filtros de data, empresa e pedido, a resposta traz `proximo_cursor`: nada falta nem se repete ' +
    'enquanto chegam entregas. Uma página pode vir curta, ou vazia, sem ser a última. Com `alteradas_desde` as entregas ' +
    'vêm na ordem em que mudaram, e o `proximo_cursor` continua de onde a leitura parou, também dias depois.',
  permission: 'watch',
  limit: 'deliveries',
  body: Type.Object({
    ...pageFields,
    status_solicitacao: Type.Optional(Type.Enum(Object.keys(statusFilter) as StatusFilter[])),
    tipo_pagamento: Type.Optional(Type.Enum(Object.values(paymentCode) as PaymentCode[])),
    condutor_id: Type.Optional(Type.Integer({ minimum: 1 })),
    id_externo: Type.Optional(externalIdField),
    ...walkFields.deliveries,
  }),
  furtherProblems: walkProblems,
  bodyExample: { status_solicitacao: 'F', pagina: 1, limite: 20 },
  ...answerWithWalk(deliveryAnswer),
  async handle({ deps, caller, body }) {
    const { timeZone } = caller.central;
    const filter = {
      statuses: body.status_solicitacao && statusFilter[body.status_solicitacao],
      payment: body.tipo_pagamento && paymentByCode[body.tipo_pagamento],
      driverId: body.condutor_id,
      externalId: body.id_externo,
    };
    if (isWalk(body))
      return walk(deps, caller, body, {
        noun: 'deliveries',
        also: filter,
        write: (ids) => findDeliveryTexts(deps.db, deps.rowTexts, caller, timeZone, ids),
      });
    return listOfJson(
      await findDeliveryPage(deps.db, deps.rowTexts, caller, timeZone, filter, parsePage(body)),
    );
  },
});

/** Contract 4.20. */
export const getDeliveryEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id',
  operation: 'obterEntrega',
  tag: 'Entregas',
  summary: 'Ler uma entrega',
  permission: 'watch',
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  ...answerWith(deliveryAnswer),
  async handle({ deps, caller, params }) {
    const document = await findDeliveryDocument(deps.db, caller, caller.central.timeZone, params.id!);
    if (!document) throw new Refusal('delivery-not-found');
    return new JsonText(`{"success":true,"data":${document}}`);
  },
});

/** Contract 4.16. */
export const getStatusEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/status',
  operation: 'obterStatus',
  section: '4.16',
  tag: 'Entregas',
  summary: 'Consultar o status',
  permission: 'watch',
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(Type.Object({ status: Type.Enum(['D', 'G', 'A', 'S', 'E', 'F', 'N', 'C', 'P']) })),
  answerExample: { success: true, data: { status: 'E' } },
  async handle({ deps, caller, params }) {
    const status = await findStatus(deps.db, caller, params.id!);
    return { data: { status: statusCode[status] } };
  },
});

/** Contract 4.17. */
export const createDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas',
  operation: 'criarEntrega',
  tag: 'Entregas',
  summary: 'Abrir uma entrega imediata',
  description: CREATION_WITH_KEY,
  permission: 'order',
  limit: 'deliveries',
  refusals: [
    'company-not-found',
    'company-inactive',
    'category-not-found',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'insufficient-balance',
    'wallet-needs-company',
    'estimate-impossible',
    ...quoteRefusals,
    'external-id-taken',
  ],
  body: Type.Object(newOrderFields),
  furtherProblems: creationProblems,
  bodyExample: orderExample,
  answer: creationAnswer,
  answerExample: { success: true, data: { id_mch: '1042' } },
  async handle({ deps, caller, body }) {
    return formatCreation(await createDelivery(deps, caller, parseCreation(body, caller)));
  },
});

/** Contract 4.22. */
export const editDeliveryEndpoint = endpoint({
  method: 'PUT',
  path: '/entregas/:id',
  operation: 'editarEntrega',
  tag: 'Entregas',
  summary: 'Editar uma entrega (substituição total)',
  description:
    'Com os campos e as regras da criação, até que a entrega esteja em andamento: o que não for enviado fica como em ' +
    'uma entrega criada sem ele. Somente a empresa não muda, e o cliente fica se não for enviado. Todas as paradas ' +
    'recebem novos ids; uma que volta com o mesmo id_externo mantém o link de rastreio e o código de confirmação. Se ' +
    'a partida ou a categoria muda, as ofertas são retiradas, o condutor é liberado e a busca recomeça. Com ' +
    'pagamento R a reserva acompanha o novo valor.',
  permission: 'order',
  limit: 'deliveries',
  refusals: [
    'delivery-not-found',
    'company-not-found',
    'category-not-found',
    'delivery-grouped',
    'delivery-over',
    'delivery-started',
    'delivery-carries-others',
    'company-fixed',
    'company-inactive',
    'category-mismatch',
    'category-missing',
    'outside-operating-areas',
    ...locatingRefusals,
    'no-tariff',
    'coupon-invalid',
    'too-many-wrong-coupons',
    'insufficient-balance',
    'wallet-needs-company',
    'estimate-impossible',
  ],
  body: Type.Object(creationFields),
  furtherProblems: coordinateProblems,
  bodyExample: orderExample,
  answer: Type.Object({ success: Type.Literal(true), id_mch: Type.Integer() }),
  answerExample: { success: true, id_mch: 1042 },
  async handle({ deps, caller, params, body }) {
    const order = await locateAddresses(deps, caller.central, parseCreation(body, caller));
    await editDelivery(deps, caller, params.id!, order);
    return { id_mch: params.id! };
  },
});

/** Contract 4.23. */
export const removeStopEndpoint = endpoint({
  method: 'DELETE',
  path: '/entregas/:id/paradas/:parada_id',
  operation: 'removerParadaEntrega',
  tag: 'Entregas',
  summary: 'Excluir uma parada de uma entrega',
  description:
    'Enquanto a entrega não terminou; em andamento, somente uma parada ainda não concluída. Ao menos uma parada a ' +
    'visitar permanece. As demais mantêm ids e ordem; valor e reserva de créditos acompanham. A estimativa é das ' +
    'paradas que restam, e nula quando não pôde ser calculada: nesse caso o valor não muda. Códigos de erro: 33 ' +
    'última parada, 135 situação não permite, 136 parada não encontrada.',
  permission: 'order',
  limit: 'deliveries',
  refusals: [
    'delivery-not-found',
    'removed-stop-not-found',
    'removed-stop-grouped',
    'removed-stop-over',
    'removed-stop-concluded',
    'removed-stop-last',
  ],
  answer: removalAnswer,
  answerExample: removalExample,
  async handle({ deps, caller, params, language }) {
    const estimate = await removeStop(deps, caller, params.id!, params.parada_id!);
    return formatRemoval(estimate, language);
  },
});

/** Contract 4.8. */
export const cancelDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/cancelar',
  operation: 'cancelarEntrega',
  section: '4.8',
  tag: 'Entregas',
  summary: 'Cancelar uma entrega',
  description:
    'O que estava reservado na carteira de créditos volta ao saldo; com uma parada já concluída, o que foi percorrido é cobrado (taxas_cancelamento). As entregas agrupadas nesta são canceladas com ela. Uma entrega agrupada em outra é cancelada sozinha: suas paradas não concluídas saem da outra, que é planejada e calculada de novo.',
  permission: 'order',
  limit: 'deliveries',
  refusals: ['delivery-not-found', 'reason-not-found', 'delivery-over'],
  body: Type.Object({
    motivo_id: Type.Integer({ minimum: 1, description: 'motivo do cancelamento' }),
  }),
  bodyExample: { motivo_id: 2 },
  answer: messageAnswer,
  answerExample: { success: true, message: 'entrega cancelada' },
  async handle({ deps, caller, params, body, language }) {
    await cancelDelivery(deps, caller, params.id!, body.motivo_id);
    return { message: language === 'en' ? 'delivery cancelled' : 'entrega cancelada' };
  },
});

/**
 * Contract 4.25: the position of the driver. Coordinates are decimal strings like those of a delivery's pickup and stops
 * (contract 2.1, 2.3), so that an integrator reads all points of a delivery in the same way.
 */
export const getDriverPositionEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/condutor/posicao',
  operation: 'obterPosicaoCondutor',
  tag: 'Entregas',
  summary: 'Consultar a posição do condutor',
  description:
    'A última posição conhecida, enquanto a entrega está aceita, em espera ou em andamento; senão, nulos.',
  permission: 'watch',
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(
    Type.Object({ lat_condutor: nullable(Type.String()), lng_condutor: nullable(Type.String()) }),
  ),
  answerExample: { success: true, data: { lat_condutor: '-30.0312', lng_condutor: '-51.2289' } },
  async handle({ deps, caller, params }) {
    const position = await findCarrierPosition(deps.db, caller, params.id!);
    return {
      data: {
        lat_condutor: position && formatDegrees(position.lat),
        lng_condutor: position && formatDegrees(position.lng),
      },
    };
  },
});

/** Contract 4.11. */
export const getTrackingLinksEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/links-rastreio',
  operation: 'obterLinksRastreio',
  section: '4.11',
  tag: 'Entregas',
  summary: 'Obter os links de rastreio',
  description:
    'Um link por pedido (parada) da entrega: os que ela leva, também os recebidos por agrupamento, e os feitos com ela, também depois de agrupada em outra. O código de confirmação é gerado na primeira leitura quando a central o exige e não muda depois; sem essa configuração é nulo. Um código enviado com a parada é mantido; como inteiro, "0123" aparece como 123.',
  permission: 'watch',
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        parada_id: Type.String(),
        link_rastreio: Type.String(),
        codigo_confirmacao: nullable(Type.Integer()),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        parada_id: '2077',
        link_rastreio: 'https://malote.example/rastreio/1.Zk3vXoQ1sT9bYw5uE2hRaA',
        codigo_confirmacao: 4821,
      },
    ],
  },
  async handle({ deps, caller, params, publicUrl }) {
    const stops = await readTracking(deps, caller, params.id!);
    return {
      data: stops.map(({ id, token, code }) => ({
        parada_id: String(id),
        link_rastreio: `${publicUrl}/rastreio/${token}`,
        codigo_confirmacao: code,
      })),
    };
  },
});
