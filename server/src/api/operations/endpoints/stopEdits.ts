import Type, { type Static } from 'typebox';
import { findRun } from '../../../deliveries/deliveries/driverWorkStore.ts';
import {
  editStops,
  type PlannedEdit,
  planStopsEdit,
  type StopsEdit,
  type WantedStop,
} from '../../../deliveries/deliveries/editStops.ts';
import { arrivalsOf, expectedAt } from '../../../deliveries/deliveries/runArrivals.ts';
import { type Demands, NO_DEMANDS, orNone } from '../../../deliveries/orders/demands.ts';
import type { SentAddress } from '../../../deliveries/orders/locateAddresses.ts';
import type { OrderedStop } from '../../../deliveries/orders/request.ts';
import { estimatorFor } from '../../../geo/routing/routers.ts';
import { STOPS_MAX } from '../../../money/pricing/stopOrder.ts';
import { decimalToCents } from '../../../platform/kernel/money.ts';
import type { Position } from '../../../platform/kernel/position.ts';
import type { RefusalKind } from '../../../platform/kernel/refusal.ts';
import { findPosition } from '../../../registers/drivers/positionStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { invalid } from '../../http/invalidInput.ts';
import {
  orderDemandsField,
  parseOrderDemands,
  parseStopDemands,
  stopDemandsField,
} from '../../json/demandBody.ts';
import { locatingRefusals } from '../../json/orderBody.ts';
import { answerWith, dataAnswer, nullable } from '../../json/values.ts';
import { id, instant, integer, list, one, text, view } from '../../json/view.ts';
import { positionFields, type Trip, tripFields } from '../wire/commonFields.ts';
import { given, optionalId, optionalText } from '../wire/fields.ts';

const shared = { tag: 'Operação: etapas da entrega', permission: 'dispatch', limit: 'operations' } as const;

const StopBody = Type.Object({
  id: optionalId,
  endereco: optionalText(),
  bairro: optionalText(),
  cidade: optionalText(),
  estado: optionalText(2),
  complemento: optionalText(),
  referencia: optionalText(),
  lat: Type.Optional(nullable(Type.Number({ minimum: -90, maximum: 90 }))),
  lng: Type.Optional(nullable(Type.Number({ minimum: -180, maximum: 180 }))),
  numero_pedido: optionalText(100),
  nome_cliente: optionalText(),
  telefone_cliente: optionalText(30),
  observacao: optionalText(1000),
  valor_cobrar: Type.Optional(nullable(formatted('money'))),
  exigencias: stopDemandsField,
});

const EditStopsBody = Type.Object({
  versao: Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'a da ficha que o operador viu' }),
  paradas: Type.Array(StopBody, {
    minItems: 1,
    maxItems: STOPS_MAX,
    description: 'todas as que ainda serão visitadas, na ordem; as que faltam são excluídas',
  }),
  exigencias: orderDemandsField,
  otimizar: Type.Optional(Type.Boolean({ description: 'o servidor escolhe a ordem; falso: a enviada' })),
});

const bodyExample = {
  versao: 6,
  paradas: [
    { id: 2078, observacao: 'Deixar com o porteiro' },
    { endereco: 'Rua da Praia, 30', bairro: 'Centro Histórico', lat: -30.0302, lng: -51.2311 },
  ],
};

const refusals: readonly RefusalKind[] = [
  'delivery-not-found',
  'delivery-grouped',
  'delivery-over',
  'delivery-changed',
  'edited-stop-concluded',
  'removed-stop-not-found',
  'removed-stop-last',
  'too-many-stops',
  'outside-operating-areas',
  'estimate-impossible',
  'insufficient-balance',
  ...locatingRefusals.filter((kind) => !kind.startsWith('pickup-')),
];

type Sent = Static<typeof StopBody>;

function parseWanted(sent: Sent, index: number, order: Partial<Demands>): WantedStop {
  const field = (name: string) => `paradas[${index}].${name}`;
  const { lat, lng } = sent;
  if (((lat ?? null) === null) !== ((lng ?? null) === null))
    throw invalid(field(lat == null ? 'lat' : 'lng'), 'é obrigatório', 'is required');
  const position = lat == null || lng == null ? null : { lat, lng };
  const demands = { ...order, ...(sent.exigencias && parseStopDemands(sent.exigencias)) };
  if (sent.id != null)
    return {
      id: sent.id,
      changes: { ...changesIn(sent), ...(position && { position }) },
      demands: Object.keys(demands).length > 0 ? demands : null,
    };
  for (const name of ['endereco', 'bairro'] as const)
    if (!given(sent[name])) throw invalid(field(name), 'é obrigatório', 'is required');
  const stop = { ...NOTHING_KNOWN, ...changesIn(sent), position };
  return { id: null, stop: { ...stop, demands: orNone({ ...NO_DEMANDS, ...demands }) } };
}

const NOTHING_KNOWN: SentAddress<OrderedStop> = {
  address: '',
  district: '',
  city: '',
  state: '',
  complement: null,
  reference: null,
  position: null,
  orderNumber: null,
  externalId: null,
  recipientName: null,
  recipientPhone: null,
  note: null,
  collectCents: null,
  confirmationCode: null,
  demands: null,
};

/** Only fields that are sent change. An empty text, except an address, and an amount of zero remove the value. */
function changesIn(sent: Sent): Partial<SentAddress<OrderedStop>> {
  const address = {
    address: given(sent.endereco),
    district: given(sent.bairro),
    city: given(sent.cidade),
    state: given(sent.estado),
  };
  const others = {
    complement: sent.complemento,
    reference: sent.referencia,
    orderNumber: sent.numero_pedido,
    recipientName: sent.nome_cliente,
    recipientPhone: sent.telefone_cliente,
    note: sent.observacao,
  };
  return {
    ...Object.fromEntries(Object.entries(address).filter(([, value]) => value !== null)),
    ...Object.fromEntries(
      Object.entries(others).flatMap(([name, value]) => (value == null ? [] : [[name, given(value)]])),
    ),
    ...(sent.valor_cobrar != null && { collectCents: decimalToCents(sent.valor_cobrar) || null }),
  };
}

function parseEdit(body: Static<typeof EditStopsBody>): StopsEdit {
  const order = body.exigencias ? parseOrderDemands(body.exigencias) : {};
  return {
    version: body.versao,
    stops: body.paradas.map((stop, index) => parseWanted(stop, index, order)),
    optimise: body.otimizar ?? false,
  };
}

export const editStopsEndpoint = endpoint({
  ...shared,
  method: 'PUT',
  path: '/entregas/:id/paradas',
  summary: 'Editar as paradas que ainda serão visitadas',
  description: [
    'Inclui, muda, exclui e reordena as paradas não concluídas de uma entrega, a qualquer momento até o fim. Uma parada com `id` é uma que a entrega já tem: o que não vem fica como está; um texto vazio ou um valor zero apaga o que havia, e `exigencias` substitui as que havia, inteiras. Sem `id`, é nova. Um endereço diferente sem coordenadas é procurado.',
    'Valor, quilômetros e reserva seguem as paradas, como em um agrupamento. `versao` é a da ficha: se a entrega mudou desde então, a resposta é 409 e nada muda. O aplicativo do entregador mostra o que mudou.',
  ].join('\n\n'),
  refusals,
  body: EditStopsBody,
  bodyExample,
  answer: dataAnswer(Type.Object({ id_mch: Type.String() })),
  answerExample: { success: true, data: { id_mch: '1042' } },
  async handle({ deps, caller, params, body }) {
    await editStops(deps, caller, params.id!, parseEdit(body));
    return { data: { id_mch: String(params.id!) } };
  },
});

const side = view<Trip & { stops: number }>()({
  paradas: integer((each) => each.stops, 2),
  ...tripFields({ minutos: 22, km: 8.06, valor: '29.35' }),
});

interface PreviewedStop extends Position {
  id: number | null;
  address: string;
  now: Temporal.Instant | null;
  after: Temporal.Instant | null;
}
const previewedStop = view<PreviewedStop>()({
  id: id.orNull((stop) => stop.id, '2078', 'nulo: uma parada nova'),
  endereco: text((stop) => stop.address, 'Avenida Ipiranga, 1'),
  ...positionFields({ lat: -30.0489, lng: -51.2158 }),
  previsao_atual: instant.orNull((stop) => stop.now, '2026-11-16T15:20:00Z'),
  previsao_nova: instant.orNull((stop) => stop.after, '2026-11-16T15:20:00Z'),
});

interface Previewed {
  before: Trip & { stops: number };
  after: Trip & { stops: number };
  stops: PreviewedStop[];
}
const stopsPreview = view<Previewed>()({
  antes: one(side, (preview) => preview.before),
  depois: one(side, (preview) => preview.after, {
    example: { paradas: 3, minutos: 27, km: 9.4, valor: '33.10' },
  }),
  paradas: list(previewedStop, (preview) => preview.stops),
});

export const previewStopsEditEndpoint = endpoint({
  ...shared,
  method: 'POST',
  path: '/entregas/:id/paradas/previa',
  readOnly: true,
  summary: 'Ver o que uma edição das paradas mudaria',
  description:
    'Nada muda. Responde com as mesmas recusas da edição ou com o antes e o depois: quilômetros, minutos e valor da entrega inteira, e a previsão de cada parada.',
  refusals,
  body: EditStopsBody,
  bodyExample,
  ...answerWith(stopsPreview),
  async handle({ deps, caller, params, body }) {
    const { db, clock } = deps;
    const plan = await planStopsEdit(deps, caller, params.id!, parseEdit(body));
    const { before, stopsBefore, done, toVisit, estimate, netCents } = plan;
    const { plannedMetres, plannedSeconds } = before;
    const run = await findRun(db, caller.centralId, before.id);
    const driverAt = run && (await findPosition(db, caller.centralId, run.driverId));
    const estimator = estimatorFor(caller.central.settings);
    const now = clock.now();
    const expected = run ? await expectedAt(estimator, run, driverAt ?? null, now) : new Map();
    const arrivals =
      run && run.status !== 'on_hold'
        ? await arrivalsOf(estimator, { ...run, ...runAfter(plan) }, driverAt ?? null)
        : null;
    const after = estimate
      ? { plannedMetres: estimate.metres, plannedSeconds: estimate.seconds }
      : { plannedMetres, plannedSeconds };
    const preview = {
      before: { stops: stopsBefore.length, plannedMetres, plannedSeconds, netCents: before.netCents },
      after: { stops: done.length + toVisit.length, ...after, netCents },
      stops: toVisit.map(({ id, address, position }, index) => ({
        id,
        address,
        ...position,
        now: (id === null ? undefined : expected.get(id)) ?? null,
        after: arrivals && now.add({ seconds: arrivals.toStops[index]! }),
      })),
    };
    return { data: stopsPreview.show(preview, undefined) };
  },
});

/** The run after the edit, with the fields from which times are estimated. */
const runAfter = ({ before, done, toVisit, estimate }: PlannedEdit) => ({
  plannedSeconds: estimate?.seconds ?? before.plannedSeconds,
  stops: [
    ...done.map((stop) => ({ id: stop.id, address: stop.address, concluded: true, ...stop.position })),
    ...toVisit.map((stop) => ({
      id: stop.id ?? 0,
      address: stop.address,
      concluded: false,
      ...stop.position,
    })),
  ],
});
