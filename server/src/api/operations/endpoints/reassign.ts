import Type from 'typebox';
import { findDelivery } from '../../deliveries/deliveryStore.ts';
import { listDriversAtWork } from '../../deliveries/driverStore.ts';
import { previewReassignment, rankCandidates } from '../../deliveries/previewReassignment.ts';
import { reassignDelivery } from '../../deliveries/reassignDelivery.ts';
import { findRun } from '../../deliveries/runStore.ts';
import { describeFailure } from '../../http/answerError.ts';
import { endpoint } from '../../http/endpoint.ts';
import { fullStatusCode, statusCode } from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable } from '../../wire/values.ts';
import { instantShown, recordId, requiredText } from '../wire/fields.ts';

const shared = { tag: 'Operação: etapas da entrega', permission: 'dispatch', limit: 'operations' } as const;

const driverRefusals = [
  'driver-not-found',
  'driver-inactive',
  'driver-of-other-companies',
  'driver-carries-it',
  'driver-has-current',
] as const;

export const reassignDeliveryEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/reatribuir',
  summary: 'Passar a entrega para outro entregador',
  description: [
    'A qualquer momento até o fim de uma entrega que um entregador leva. As paradas concluídas seguem com o primeiro entregador; as demais passam, com tudo o que foi agrupado na entrega, e são reordenadas a partir da posição do novo entregador. Valor e reserva não mudam.',
    'Antes do início, a entrega espera (S) enquanto o novo entregador tem outra. Já iniciada, só passa para quem está livre. Os dois telefones são avisados, e o evento é `entrega.condutor_alterado`. `motivo` fica só para a central.',
  ].join('\n\n'),
  refusals: [
    'delivery-not-found',
    'delivery-grouped',
    'delivery-over',
    'delivery-without-driver',
    ...driverRefusals,
  ],
  body: Type.Object({ condutor_id: recordId, motivo: requiredText(300) }),
  bodyExample: { condutor_id: 2, motivo: 'Pneu furado' },
  answer: dataAnswer(Type.Object({ id_mch: Type.String(), status: Type.Enum(['A', 'S', 'E']) })),
  answerExample: { success: true, data: { id_mch: '1042', status: 'E' } },
  async handle({ deps, caller, params, body }) {
    const reassignment = { driverId: body.condutor_id, reason: body.motivo.trim() };
    const status = await reassignDelivery(deps, caller, params.id!, reassignment);
    return { data: { id_mch: String(params.id!), status: statusCode[status] as 'A' | 'S' | 'E' } };
  },
});

export const previewReassignmentEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/entregas/:id/reatribuir/previa',
  summary: 'Ver o que mudaria ao passar a entrega para um entregador',
  description:
    'Nada muda. Uma entrega que ninguém leva é vista como se o entregador a aceitasse. Traz a previsão de cada parada hoje e com o novo entregador, na ordem que teria, ou em `recusa` por que não pode ser feito. `metros` é a distância em linha reta até a coleta ou, depois do início, até quem leva a entrega.',
  refusals: ['delivery-not-found', 'driver-not-found'],
  query: Type.Object({ condutor_id: recordId }),
  queryExample: { condutor_id: 2 },
  answer: dataAnswer(
    Type.Object({
      condutor: Type.Object({ id: Type.String(), nome: Type.String() }),
      recusa: nullable(Type.String({ description: 'em palavras; nula quando pode ser feito' })),
      status: nullable(Type.Enum(['A', 'S', 'E'], { description: 'o que a entrega teria' })),
      metros: nullable(Type.Integer()),
      paradas: Type.Array(
        Type.Object({
          id: Type.String(),
          endereco: Type.String(),
          previsao_atual: nullable(instantShown),
          previsao_nova: instantShown,
        }),
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      condutor: { id: '2', nome: 'Ana Souza' },
      recusa: null,
      status: 'E',
      metros: 1840,
      paradas: [
        {
          id: '2077',
          endereco: 'Avenida Ipiranga, 1',
          previsao_atual: '2026-11-16T15:20:00Z',
          previsao_nova: '2026-11-16T15:28:00Z',
        },
      ],
    },
  },
  async handle({ deps, caller, params, query, language }) {
    const preview = await previewReassignment(deps, caller, params.id!, query.condutor_id);
    const { driver, refusal, status, metres, stops } = preview;
    return {
      data: {
        condutor: { id: String(driver.id), nome: driver.name },
        recusa: refusal && describeFailure(refusal.kind, refusal.details, language).message,
        status: status && (statusCode[status] as 'A' | 'S' | 'E'),
        metros: metres,
        paradas: stops.map((stop) => ({
          id: String(stop.id),
          endereco: stop.address,
          previsao_atual: stop.now && formatUtc(stop.now),
          previsao_nova: formatUtc(stop.after),
        })),
      },
    };
  },
});

/** More than a dispatcher reads, with the soonest included. */
const CANDIDATES_MAX = 50;
const DRIVERS_MAX = 2_000;

export const listCandidatesEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/entregas/:id/candidatos',
  summary: 'Ver quem poderia levar a entrega',
  description: `Os entregadores em serviço ou com entregas, menos quem já a leva, do que chegaria antes para o que chegaria depois ao próximo ponto da entrega, até ${CANDIDATES_MAX}. A estimativa é em linha reta e conta o que cada um ainda tem a fazer.`,
  refusals: ['delivery-not-found'],
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        condutor: Type.Object({ id: Type.String(), nome: Type.String() }),
        em_servico: Type.Boolean(),
        atende_categoria: Type.Boolean(),
        entregas: Type.Array(Type.String(), { description: 'o que já leva; a atual primeiro' }),
        atual: nullable(Type.Enum(Object.values(fullStatusCode), { description: 'status da atual' })),
        livre_em: instantShown,
        chega_em: nullable(Type.String({ description: 'ao próximo ponto; nulo sem posição conhecida' })),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        condutor: { id: '2', nome: 'Ana Souza' },
        em_servico: true,
        atende_categoria: true,
        entregas: [],
        atual: null,
        livre_em: '2026-11-16T15:00:00Z',
        chega_em: '2026-11-16T15:06:00Z',
      },
    ],
  },
  async handle({ deps, caller, params }) {
    const { db, clock } = deps;
    const now = clock.now();
    const delivery = await findDelivery(db, caller, params.id!);
    const run =
      delivery.status === 'in_progress' ? await findRun(db, caller.centralId, delivery.id) : undefined;
    const next = run?.stops.find(({ concluded }) => !concluded) ?? delivery.pickup.position;
    const drivers = (await listDriversAtWork(db, caller, now, DRIVERS_MAX)).filter(
      ({ id }) => id !== delivery.driverId,
    );
    const candidates = await rankCandidates(
      deps,
      caller,
      next,
      drivers.map(({ id, lat, lng }) => ({
        id,
        position: lat === null || lng === null ? null : { lat, lng },
      })),
    );
    return {
      data: candidates.slice(0, CANDIDATES_MAX).map((candidate) => {
        const driver = drivers.find(({ id }) => id === candidate.driverId)!;
        const { secondsUntilFree, secondsUntilThere, runs } = candidate;
        return {
          condutor: { id: String(driver.id), nome: driver.name },
          em_servico: driver.available,
          atende_categoria: driver.categoryIds.includes(delivery.categoryId),
          entregas: runs.map(({ id }) => String(id)),
          atual: runs[0] ? fullStatusCode[runs[0].status] : null,
          livre_em: formatUtc(now.add({ seconds: secondsUntilFree })),
          chega_em: secondsUntilThere === null ? null : formatUtc(now.add({ seconds: secondsUntilThere })),
        };
      }),
    };
  },
});
