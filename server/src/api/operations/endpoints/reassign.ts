import Type from 'typebox';
import { findDelivery } from '../../../deliveries/deliveries/deliveryStore.ts';
import {
  type DriverAtWork,
  findRun,
  listDriversAtWork,
  type Run,
} from '../../../deliveries/deliveries/driverWorkStore.ts';
import {
  type Candidate,
  previewReassignment,
  type ReassignmentPreview,
  rankCandidates,
} from '../../../deliveries/deliveries/previewReassignment.ts';
import { reassignDelivery } from '../../../deliveries/deliveries/reassignDelivery.ts';
import type { Status } from '../../../deliveries/deliveries/status.ts';
import { describeFailure } from '../../http/answerError.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { fullStatusCode } from '../../json/codes.ts';
import { answerWith, answerWithList } from '../../json/values.ts';
import { code, flag, id, instant, integer, list, one, text, view } from '../../json/view.ts';
import { carriedStatus, namedLike, oneId } from '../wire/commonFields.ts';
import { recordId, requiredText, sentId } from '../wire/fields.ts';

const shared = { tag: 'Operação: etapas da entrega', permission: 'dispatch', limit: 'operations' } as const;

const driverRefusals = [
  'driver-not-found',
  'driver-inactive',
  'driver-of-other-companies',
  'driver-carries-it',
  'driver-has-current',
] as const;

const reassigned = view<{ id: number; status: Status }>()({
  id_mch: id(({ id }) => id, '1042'),
  status: carriedStatus(({ status }) => status as Run['status'], 'E'),
});

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
  body: Type.Object({ condutor_id: sentId(), motivo: requiredText(300) }),
  bodyExample: { condutor_id: 2, motivo: 'Pneu furado' },
  ...answerWith(reassigned),
  async handle({ deps, caller, params, body }) {
    const reassignment = { driverId: body.condutor_id, reason: body.motivo.trim() };
    const status = await reassignDelivery(deps, caller, params.id!, reassignment);
    return { data: reassigned.show({ id: params.id!, status }, undefined) };
  },
});

const driver = namedLike({ id: '2', nome: 'Ana Souza' });

const stop = view<ReassignmentPreview['stops'][number]>()({
  id: id((each) => each.id, '2077'),
  endereco: text((each) => each.address, 'Avenida Ipiranga, 1'),
  previsao_atual: instant.orNull((each) => each.now, '2026-11-16T15:20:00Z'),
  previsao_nova: instant((each) => each.after, '2026-11-16T15:28:00Z'),
});

const previewShown = view<ReassignmentPreview, { language: Language }>()({
  condutor: one(driver, (preview) => preview.driver),
  recusa: text.orNull(
    ({ refusal }, { language }) =>
      refusal && describeFailure(refusal.kind, refusal.details, language).message,
    null,
    'em palavras; nula quando pode ser feito',
  ),
  status: carriedStatus.orNull(({ status }) => status as Run['status'] | null, 'E', 'o que a entrega teria'),
  metros: integer.orNull((preview) => preview.metres, 1840),
  paradas: list(stop, (preview) => preview.stops),
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
  ...answerWith(previewShown),
  async handle({ deps, caller, params, query, language }) {
    const preview = await previewReassignment(deps, caller, params.id!, query.condutor_id);
    return { data: previewShown.show(preview, { language }) };
  },
});

interface ShownCandidate extends Candidate {
  driver: DriverAtWork;
}

interface Need {
  categoryId: number;
  now: Temporal.Instant;
}

const candidateShown = view<ShownCandidate, Need>()({
  condutor: one(driver, (candidate) => candidate.driver),
  em_servico: flag((candidate) => candidate.driver.available, true),
  atende_categoria: flag(
    (candidate, { categoryId }) => candidate.driver.categoryIds.includes(categoryId),
    true,
  ),
  entregas: list(oneId, ({ runs }) => runs.map(({ id }) => id), {
    description: 'o que já leva; a atual primeiro',
    example: [],
  }),
  atual: code(fullStatusCode).orNull(({ runs }) => runs[0]?.status, null, 'status da atual'),
  livre_em: instant(
    ({ secondsUntilFree }, { now }) => now.add({ seconds: secondsUntilFree }),
    '2026-11-16T15:00:00Z',
  ),
  chega_em: instant.orNull(
    ({ secondsUntilThere }, { now }) =>
      secondsUntilThere === null ? null : now.add({ seconds: secondsUntilThere }),
    '2026-11-16T15:06:00Z',
    'ao próximo ponto; nulo sem posição conhecida',
  ),
});

/** The maximum of candidates in an answer: those who would arrive first. */
const CANDIDATES_MAX = 50;
/** The maximum of drivers whose arrivals are estimated and compared. */
const DRIVERS_MAX = 2_000;

export const listCandidatesEndpoint = endpoint({
  ...shared,
  method: 'GET',
  path: '/entregas/:id/candidatos',
  summary: 'Ver quem poderia levar a entrega',
  description: `Os entregadores em serviço ou com entregas, menos quem já a leva, do que chegaria antes para o que chegaria depois ao próximo ponto da entrega, até ${CANDIDATES_MAX}. A estimativa é em linha reta e conta o que cada um ainda tem a fazer.`,
  refusals: ['delivery-not-found'],
  ...answerWithList(candidateShown),
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
    const need = { categoryId: delivery.categoryId, now };
    return {
      data: candidates.slice(0, CANDIDATES_MAX).map((candidate) => {
        const driver = drivers.find(({ id }) => id === candidate.driverId)!;
        return candidateShown.show({ ...candidate, driver }, need);
      }),
    };
  },
});
