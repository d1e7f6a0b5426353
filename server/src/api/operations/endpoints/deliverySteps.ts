import Type from 'typebox';
import { acceptDelivery } from '../../../deliveries/deliveries/acceptDelivery.ts';
import { arriveAtStop } from '../../../deliveries/deliveries/concludeStop.ts';
import { holdDelivery } from '../../../deliveries/deliveries/holdDelivery.ts';
import type { Status } from '../../../deliveries/deliveries/status.ts';
import {
  arriveAtPickup,
  assignDelivery,
  finishDelivery,
  giveUpDelivery,
  refuseDelivery,
  releaseDelivery,
  startDelivery,
} from '../../../deliveries/deliveries/steps.ts';
import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { actingDriver } from '../../../registers/drivers/reportPosition.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { invalid } from '../../http/invalidInput.ts';
import { refusalReasonByCode, refusalReasonCode, statusCode } from '../../json/codes.ts';
import { dataAnswer, nullable } from '../../json/values.ts';
import { given, optionalText, requiredText, sentId } from '../wire/fields.ts';

/** The answer of every step: the delivery and its new status, in the letters of contract 4.16. */
const stepAnswer = dataAnswer(
  Type.Object({ id_mch: Type.String(), status: Type.Enum(['D', 'G', 'A', 'S', 'E', 'F', 'N', 'C', 'P']) }),
);

const stepAnswerExample = (status: string) => ({ success: true, data: { id_mch: '1042', status } });

const stepTaken = (id: number, status: Status) => ({
  data: { id_mch: String(id), status: statusCode[status] },
});

const stepRefusals: readonly RefusalKind[] = [
  'delivery-not-found',
  'delivery-grouped',
  'step-out-of-order',
  'delivery-over',
];

/** For steps of drivers: a phone that was offline may not know that the delivery was reassigned. */
export const drivenStepRefusals: readonly RefusalKind[] = [...stepRefusals, 'delivery-handed-over'];

const LATE_HOURS_MAX = 72;

/** For each step that a phone may take offline. */
export const occurredField = {
  ocorrido_em: Type.Optional(
    nullable(
      formatted(
        'instant',
        `quando aconteceu no telefone, até ${LATE_HOURS_MAX} horas atrás; ausente: agora. Um horário no futuro vale como agora, e um anterior à etapa anterior, como o dela`,
      ),
    ),
  ),
};
/**
 * Used by each step of a visit to a stop, because two phones, or a phone and an operator, may report the same visit.
 */
export const visitField = {
  tentativa: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        description:
          'qual visita à parada é esta: uma a mais que as `tentativas` em `trabalho`. Uma que já falhou é recusada; ausente: a seguinte',
      }),
    ),
  ),
};
const occurredBody = Type.Object(occurredField);
export const occurredExample = { ocorrido_em: '2026-11-16T15:04:30Z' };

export function parseOccurred(
  text: string | null | undefined,
  now: Temporal.Instant,
): Temporal.Instant | null {
  if (text === null || text === undefined) return null;
  const at = Temporal.Instant.from(text);
  if (Temporal.Instant.compare(at, now.subtract({ hours: LATE_HOURS_MAX })) < 0)
    throw invalid(
      'ocorrido_em',
      `deve ser de no máximo ${LATE_HOURS_MAX} horas atrás`,
      `must be at most ${LATE_HOURS_MAX} hours ago`,
    );
  return at;
}

const driverField = sentId('id do entregador');

export const acceptDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/aceitar',
  tag: 'Operação: etapas da entrega',
  summary: 'Aceitar uma entrega',
  description:
    'O entregador aceita por si o que lhe foi oferecido; o resto é para ele como se não existisse (404). Se a central permite pegar da lista, também o que está em distribuição em uma de suas categorias: em serviço, perto da partida e até o máximo em espera. Um operador informa condutor_id. Enquanto o entregador tem outra entrega, a aceita fica em espera (S). De dois aceites simultâneos, o primeiro vale e o outro recebe 409.',
  permission: 'drive',
  limit: 'operations',
  refusals: [
    ...stepRefusals,
    'driver-not-found',
    'delivery-taken',
    'offer-not-open',
    'driver-inactive',
    'driver-of-other-companies',
    'driver-off-duty',
    'driver-too-far',
    'driver-busy',
  ],
  body: Type.Object({ condutor_id: Type.Optional(driverField) }),
  bodyExample: { condutor_id: 1 },
  answer: stepAnswer,
  answerExample: stepAnswerExample('A'),
  async handle({ deps, caller, params, body }) {
    const driverId = actingDriver(caller, body.condutor_id);
    if (driverId === null) throw invalid('condutor_id', 'é obrigatório', 'is required');
    return stepTaken(params.id!, await acceptDelivery(deps, caller, params.id!, driverId));
  },
});

export const refuseDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/recusar',
  tag: 'Operação: etapas da entrega',
  summary: 'Recusar uma entrega oferecida',
  description:
    'O entregador recusa por si; um operador recusa por condutor_id ou, sem ele, todas as ofertas abertas. Sem oferta aberta, a entrega volta para distribuição. `motivo` e `observacao` ficam na história da entrega, para a central.',
  permission: 'drive',
  limit: 'operations',
  refusals: [...drivenStepRefusals, 'offer-not-open'],
  body: Type.Object({
    condutor_id: Type.Optional(driverField),
    motivo: Type.Optional(nullable(Type.Enum(Object.values(refusalReasonCode)))),
    observacao: optionalText(300),
  }),
  bodyExample: { motivo: 'longe' },
  answer: stepAnswer,
  answerExample: stepAnswerExample('D'),
  async handle({ deps, caller, params, body }) {
    const driverId = actingDriver(caller, body.condutor_id);
    const why = {
      reason: body.motivo ? refusalReasonByCode[body.motivo] : null,
      note: given(body.observacao),
    };
    return stepTaken(params.id!, await refuseDelivery(deps, caller, params.id!, driverId, why));
  },
});

export const arriveAtPickupEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/chegar',
  tag: 'Operação: etapas da entrega',
  summary: 'Registrar a chegada do entregador na coleta',
  description: 'A chegada é um horário, não um status: a entrega segue aceita. Só é registrada uma vez.',
  permission: 'drive',
  limit: 'operations',
  refusals: drivenStepRefusals,
  body: occurredBody,
  bodyExample: occurredExample,
  answer: stepAnswer,
  answerExample: stepAnswerExample('A'),
  async handle({ deps, caller, params, body }) {
    const occurredAt = parseOccurred(body.ocorrido_em, deps.clock.now());
    await arriveAtPickup(deps, caller, params.id!, occurredAt);
    return stepTaken(params.id!, 'accepted');
  },
});

export const startDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/iniciar',
  tag: 'Operação: etapas da entrega',
  summary: 'Iniciar a entrega',
  description:
    'O entregador saiu da coleta. Uma entrega em espera só pode ser iniciada depois que a anterior do mesmo entregador termina.',
  permission: 'drive',
  limit: 'operations',
  refusals: drivenStepRefusals,
  body: occurredBody,
  bodyExample: occurredExample,
  answer: stepAnswer,
  answerExample: stepAnswerExample('E'),
  async handle({ deps, caller, params, body }) {
    const occurredAt = parseOccurred(body.ocorrido_em, deps.clock.now());
    await startDelivery(deps, caller, params.id!, occurredAt);
    return stepTaken(params.id!, 'in_progress');
  },
});

export const arriveAtStopEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/paradas/:parada_id/chegar',
  tag: 'Operação: etapas da entrega',
  summary: 'Registrar a chegada do entregador em uma parada',
  description: 'A chegada é um horário, não um status. Só é registrada uma vez, antes da conclusão.',
  permission: 'drive',
  limit: 'operations',
  refusals: [...drivenStepRefusals, 'stop-not-found'],
  body: Type.Object({ ...visitField, ...occurredField }),
  bodyExample: { tentativa: 1, ...occurredExample },
  answer: dataAnswer(
    Type.Object({ id_mch: Type.String(), parada_id: Type.String(), status: Type.Literal('E') }),
  ),
  answerExample: { success: true, data: { id_mch: '1042', parada_id: '2077', status: 'E' } },
  async handle({ deps, caller, params, body }) {
    const [id, stopId] = [params.id!, params.parada_id!];
    const occurredAt = parseOccurred(body.ocorrido_em, deps.clock.now());
    await arriveAtStop(deps, caller, id, stopId, occurredAt, body.tentativa ?? null);
    return { data: { id_mch: String(id), parada_id: String(stopId), status: 'E' as const } };
  },
});

export const finishDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/finalizar',
  tag: 'Operação: etapas da entrega',
  summary: 'Finalizar a entrega',
  description:
    'O entregador de uma entrega com retorno voltou à partida; todas as paradas devem estar concluídas. O que foi pago com a carteira de créditos é lançado agora. Uma entrega sem retorno termina com a última parada: finalizar depois responde 200 e não muda nada.',
  permission: 'drive',
  limit: 'operations',
  refusals: [...drivenStepRefusals, 'stops-not-concluded'],
  body: occurredBody,
  bodyExample: occurredExample,
  answer: stepAnswer,
  answerExample: stepAnswerExample('F'),
  async handle({ deps, caller, params, body }) {
    const occurredAt = parseOccurred(body.ocorrido_em, deps.clock.now());
    await finishDelivery(deps, caller, params.id!, occurredAt);
    return stepTaken(params.id!, 'finished');
  },
});

export const giveUpDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/desistir',
  tag: 'Operação: etapas da entrega',
  summary: 'Desistir da entrega antes do início',
  description: 'A entrega volta para distribuição, sem entregador.',
  permission: 'drive',
  limit: 'operations',
  refusals: drivenStepRefusals,
  body: occurredBody,
  bodyExample: occurredExample,
  answer: stepAnswer,
  answerExample: stepAnswerExample('D'),
  async handle({ deps, caller, params, body }) {
    const occurredAt = parseOccurred(body.ocorrido_em, deps.clock.now());
    await giveUpDelivery(deps, caller, params.id!, occurredAt);
    return stepTaken(params.id!, 'distributing');
  },
});

export const releaseDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/liberar',
  tag: 'Operação: etapas da entrega',
  summary: 'Liberar uma entrega para distribuição',
  permission: 'dispatch',
  limit: 'operations',
  refusals: stepRefusals,
  answer: stepAnswer,
  answerExample: stepAnswerExample('D'),
  async handle({ deps, caller, params }) {
    await releaseDelivery(deps, caller, params.id!);
    return stepTaken(params.id!, 'distributing');
  },
});

export const holdDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/segurar',
  tag: 'Operação: etapas da entrega',
  summary: 'Segurar uma entrega que ainda não começou',
  description:
    'A entrega volta a aguardar a liberação da central: ofertas são retiradas, o entregador que a aceitou fica livre, e ninguém mais a recebe até que seja retomada. O status é o de aguardando liberação, que o contrato mostra como P; em espera (S) segue sendo a do entregador que termina outra antes. O que está reservado segue reservado. `motivo` fica só para a central.',
  permission: 'dispatch',
  limit: 'operations',
  refusals: stepRefusals,
  body: Type.Object({ motivo: requiredText(300) }),
  bodyExample: { motivo: 'A loja ainda não terminou o pedido' },
  answer: stepAnswer,
  answerExample: stepAnswerExample('P'),
  async handle({ deps, caller, params, body }) {
    await holdDelivery(deps, caller, params.id!, body.motivo.trim());
    return stepTaken(params.id!, 'awaiting_release');
  },
});

export const resumeDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/retomar',
  tag: 'Operação: etapas da entrega',
  summary: 'Retomar uma entrega que a central segurou',
  description: 'O mesmo que liberar: a busca por um entregador começa de novo, com todo o seu tempo.',
  permission: 'dispatch',
  limit: 'operations',
  refusals: stepRefusals,
  answer: stepAnswer,
  answerExample: stepAnswerExample('D'),
  async handle({ deps, caller, params }) {
    await releaseDelivery(deps, caller, params.id!);
    return stepTaken(params.id!, 'distributing');
  },
});

export const assignDeliveryEndpoint = endpoint({
  method: 'POST',
  path: '/entregas/:id/atribuir',
  tag: 'Operação: etapas da entrega',
  summary: 'Oferecer a entrega a um entregador',
  description:
    'A entrega passa a aguardar o aceite deste entregador; ofertas abertas a outros são retiradas.',
  permission: 'dispatch',
  limit: 'operations',
  refusals: [...stepRefusals, 'driver-not-found', 'driver-inactive', 'driver-of-other-companies'],
  body: Type.Object({ condutor_id: driverField }),
  bodyExample: { condutor_id: 1 },
  answer: stepAnswer,
  answerExample: stepAnswerExample('G'),
  async handle({ deps, caller, params, body }) {
    await assignDelivery(deps, caller, params.id!, body.condutor_id);
    return stepTaken(params.id!, 'offered');
  },
});
