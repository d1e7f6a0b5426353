import Type from 'typebox';
import { failStop } from '../../../deliveries/deliveries/failStop.ts';
import { listFailures, type UnresolvedFailure } from '../../../deliveries/deliveries/openDeliveriesStore.ts';
import { redeliverStop, reopenStop, resolveFailure } from '../../../deliveries/deliveries/resolveFailure.ts';
import { endpoint } from '../../http/endpoint.ts';
import {
  decisionCode,
  failureReasonByCode,
  failureReasonCode,
  fullStatusCode,
  statusCode,
} from '../../json/codes.ts';
import { answerWithList, dataAnswer } from '../../json/values.ts';
import { code, id, instant, integer, text, view } from '../../json/view.ts';
import { given, optionalText, requiredText } from '../wire/fields.ts';
import {
  drivenStepRefusals,
  occurredExample,
  occurredField,
  parseOccurred,
  visitField,
} from './deliverySteps.ts';

const NOTE_LENGTH_MAX = 300;
const LISTED_MAX = 100;
const shared = { tag: 'Operação: paradas não entregues', limit: 'operations' } as const;

const reason = Type.Enum(Object.values(failureReasonCode));
const decision = code(
  decisionCode,
  'tentar_depois: a parada vai para o fim da corrida; retornar: o pedido volta à partida; deixar_no_fim: fica com o entregador até a central decidir',
);
const stopAnswer = { id_mch: Type.String(), parada_id: Type.String() };
const stopIds = (id: number, stopId: number) => ({ id_mch: String(id), parada_id: String(stopId) });

export const failStopEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/falhar',
  summary: 'Registrar que uma parada não pôde ser entregue',
  description:
    'O que segue está nas configurações da central (`falha_ausente` etc.) ou da empresa. `tentar_depois` leva a parada ao fim da ordem, enquanto há outra a visitar e o limite de tentativas permite; depois vale `falha_apos_tentativas`. As outras decisões a encerram como não entregue. Com `retornar` a entrega ganha o retorno à partida, se não o tinha: o caminho de volta entra no valor pelo fator de retorno da tarifa, e `finalizar` a termina. Sem retorno, a última parada a finaliza, como ao concluir.',
  permission: 'drive',
  refusals: [...drivenStepRefusals, 'stop-not-found'],
  body: Type.Object({
    motivo: reason,
    observacao: optionalText(NOTE_LENGTH_MAX),
    ...visitField,
    ...occurredField,
  }),
  bodyExample: { motivo: 'ausente', observacao: 'Toquei duas vezes', tentativa: 1, ...occurredExample },
  answer: dataAnswer(
    Type.Object({
      ...stopAnswer,
      decisao: decision.schema,
      paradas_restantes: Type.Integer({ description: 'paradas que ainda faltam visitar' }),
      status: Type.Enum(['E', 'F']),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      id_mch: '1042',
      parada_id: '2077',
      decisao: 'tentar_depois',
      paradas_restantes: 2,
      status: 'E',
    },
  },
  async handle({ deps, caller, params, body }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    const failure = {
      reason: failureReasonByCode[body.motivo],
      note: given(body.observacao),
      visit: body.tentativa ?? null,
    };
    const occurredAt = parseOccurred(body.ocorrido_em, deps.clock.now());
    const failed = await failStop(deps, caller, id, stopId, failure, occurredAt, deps.proofLinks);
    return {
      data: {
        ...stopIds(id, stopId),
        decisao: decisionCode[failed.decision],
        paradas_restantes: failed.left,
        status: statusCode[failed.status],
      },
    };
  },
});

export const reopenStopEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/retomar',
  summary: 'Devolver à corrida uma parada não entregue',
  description:
    'Enquanto a entrega está em andamento. A parada é visitada por último. Um retorno que só existia por causa dela sai da entrega e do valor.',
  permission: 'dispatch',
  refusals: ['delivery-not-found', 'stop-not-found', 'delivery-grouped', 'delivery-over', 'failure-not-open'],
  answer: dataAnswer(
    Type.Object({ ...stopAnswer, paradas_restantes: Type.Integer(), status: Type.Literal('E') }),
  ),
  answerExample: {
    success: true,
    data: { id_mch: '1042', parada_id: '2077', paradas_restantes: 1, status: 'E' },
  },
  async handle({ deps, caller, params }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    const left = await reopenStop(deps, caller, id, stopId);
    return { data: { ...stopIds(id, stopId), paradas_restantes: left, status: 'E' as const } };
  },
});

export const redeliverStopEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/nova-entrega',
  summary: 'Abrir uma nova entrega para uma parada não entregue',
  description:
    'Com a mesma partida, empresa ou cliente, categoria e pagamento, pelo valor de agora e sem cupom. A falha fica resolvida e nomeia a nova entrega.',
  permission: 'dispatch',
  refusals: [
    'delivery-not-found',
    'stop-not-found',
    'failure-not-open',
    'company-inactive',
    'category-not-found',
    'no-tariff',
    'outside-operating-areas',
    'estimate-impossible',
    'insufficient-balance',
  ],
  answer: dataAnswer(
    Type.Object({ ...stopAnswer, nova_entrega: Type.String({ description: 'id_mch da nova entrega' }) }),
  ),
  answerExample: { success: true, data: { id_mch: '1042', parada_id: '2077', nova_entrega: '1051' } },
  async handle({ deps, caller, params }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    const created = await redeliverStop(deps, caller, id, stopId);
    return { data: { ...stopIds(id, stopId), nova_entrega: String(created) } };
  },
});

export const resolveFailureEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/resolver',
  summary: 'Dar por resolvida uma parada não entregue',
  description: 'O que foi feito fica na ficha da entrega, com a tentativa.',
  permission: 'dispatch',
  refusals: ['delivery-not-found', 'stop-not-found', 'failure-not-open'],
  body: Type.Object({ motivo: requiredText(NOTE_LENGTH_MAX) }),
  bodyExample: { motivo: 'O cliente retirou na loja' },
  answer: dataAnswer(Type.Object(stopAnswer)),
  answerExample: { success: true, data: { id_mch: '1042', parada_id: '2077' } },
  async handle({ deps, caller, params, body }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    await resolveFailure(deps, caller, id, stopId, body.motivo.trim());
    return { data: stopIds(id, stopId) };
  },
});

const failure = view<UnresolvedFailure>()({
  id_mch: id((each) => each.deliveryId, '1042'),
  parada_id: id((each) => each.stopId, '2077'),
  status: code(fullStatusCode)((each) => each.status, 'E'),
  nome_cliente: text((each) => each.customerName, 'Padaria Moinhos'),
  destinatario: text.orNull((each) => each.recipientName, 'Maria'),
  telefone: text.orNull((each) => each.recipientPhone, '51999990000'),
  endereco: text((each) => each.address, 'Avenida Ipiranga, 1200'),
  bairro: text((each) => each.district, 'Azenha'),
  condutor: text.orNull((each) => each.driverName, 'Carlos Lima'),
  motivo: code(failureReasonCode)((each) => each.reason, 'ausente'),
  observacao: text.orNull((each) => each.note, 'Toquei duas vezes'),
  tentativa: integer((each) => each.attempt, 2),
  decisao: decision((each) => each.decision, 'retornar'),
  em: instant((each) => each.happenedAt, '2026-11-16T15:31:05Z'),
});

export const listFailuresEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/falhas',
  summary: 'Listar as paradas não entregues que esperam por alguém',
  description: `As mais antigas primeiro, até ${LISTED_MAX}. Saem da lista quando voltam à corrida, ganham nova entrega ou são dadas por resolvidas.`,
  permission: 'watch',
  ...answerWithList(failure),
  async handle({ deps: { db }, caller }) {
    const failures = await listFailures(db, caller, LISTED_MAX);
    return { data: failures.map((each) => failure.show(each, undefined)) };
  },
});
