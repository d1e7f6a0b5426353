import Type, { type TObject } from 'typebox';
import type { Central } from '../../../centrals/central.ts';
import { may } from '../../../centrals/permissions.ts';
import { listActiveReasons } from '../../../centrals/reasonStore.ts';
import { isLate, willBeLate } from '../../../deliveries/deliveries/deadlineStore.ts';
import { expectedAtLast, soonestAtLast } from '../../../deliveries/deliveries/openArrivals.ts';
import {
  countFailures,
  countOpen,
  listIdle,
  listOpen,
  type OpenDelivery,
  type OpenStop,
} from '../../../deliveries/deliveries/openDeliveriesStore.ts';
import { countAwaiting, countFailed } from '../../../deliveries/scheduled/scheduledStore.ts';
import { countTroubledWebhooks } from '../../../events/webhooks/webhookStore.ts';
import { estimatorFor } from '../../../geo/routing/routers.ts';
import type { Category } from '../../../money/pricing/tariffStore.ts';
import { inSlices } from '../../../platform/kernel/inSlices.ts';
import { boundingBox, type OperatingArea } from '../../../registers/areas/area.ts';
import { listActiveCompanies } from '../../../registers/companies/companyStore.ts';
import { type HelpRequest, listHelpRequests } from '../../../registers/drivers/helpStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listOfJson } from '../../http/envelope.ts';
import { fullStatusCode, paymentCode } from '../../json/codes.ts';
import { answerWith, answerWithList } from '../../json/values.ts';
import {
  cents,
  flag,
  id,
  instant,
  integer,
  kind,
  list,
  one,
  text,
  type View,
  view,
} from '../../json/view.ts';
import {
  named,
  namedBy,
  namedDriver,
  namedLike,
  positionFields,
  shortPlaceFields,
  status,
} from '../wire/commonFields.ts';

const OPEN_LETTERS = ['L', 'D', 'G', 'P', 'A', 'S', 'E'] as const;
const count = kind(
  (options) => Type.Integer({ minimum: 0, ...options }),
  (value: number) => value,
);
const HELP_SHOWN_MAX = 50;

const openLetters: View<Summary, unknown, TObject> = {
  schema: Type.Object(Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, count.schema]))),
  example: { L: 0, D: 2, G: 1, P: 0, A: 3, S: 1, E: 5 },
  show({ open }) {
    const counts = Object.fromEntries(OPEN_LETTERS.map((letter) => [letter, 0]));
    for (const each of open) counts[fullStatusCode[each.status]] = each.count;
    return counts;
  },
};

const helpRequest = view<HelpRequest>()({
  id: id((request) => request.id, '81273640219'),
  condutor: one(namedDriver, ({ driverId, driverName }) => ({ id: driverId, name: driverName })),
  id_mch: id.orNull((request) => request.deliveryId, '1042'),
  texto: text((request) => request.text, 'A rua está interditada'),
  em: instant((request) => request.createdAt, '2026-11-16T14:58:00Z'),
});

interface Summary {
  now: Temporal.Instant;
  open: Awaited<ReturnType<typeof countOpen>>;
  awaiting: number;
  failed: number;
  notDelivered: number;
  troubled: number;
  help: readonly HelpRequest[];
}

const summary = view<Summary>()({
  agora: instant(({ now }) => now, '2026-11-16T15:00:00Z'),
  entregas: openLetters,
  atrasadas: count(({ open }) => open.reduce((sum, { late }) => sum + late, 0), 1),
  enderecos_a_conferir: count(
    ({ open }) => open.reduce((sum, { unsure }) => sum + unsure, 0),
    0,
    'entregas em curso com um endereço encontrado com menos precisão do que a central pede',
  ),
  programadas_aguardando: count(({ awaiting }) => awaiting, 8),
  programadas_com_falha: count(({ failed }) => failed, 0),
  paradas_nao_entregues: count(({ notDelivered }) => notDelivered, 0),
  webhooks_com_problema: count(({ troubled }) => troubled, 0),
  pedidos_ajuda: list(helpRequest, ({ help }) => help, {
    description: `o que entregadores pedem à central, até ${HELP_SHOWN_MAX}; só para operadores`,
  }),
});

export const getSummaryEndpoint = endpoint({
  method: 'GET',
  path: '/resumo',
  tag: 'Operação: ao vivo',
  summary: 'Ver o dia em números',
  description:
    'Quantas entregas estão em cada status vivo, quantas passaram do que o pedido prometeu ou da previsão da etapa em que estão, quantas têm um endereço a conferir, quantas programadas aguardam, o disparo de quantas falhou sem que fossem canceladas e quantos webhooks não recebem. O histórico não é contado. Um gerente vê a própria empresa.',
  permission: 'watch',
  limit: 'operations',
  isShared: true,
  ...answerWith(summary),
  async handle({ deps: { db, clock }, caller }) {
    const now = clock.now();
    const [open, awaiting, failed, notDelivered, troubled, help] = await Promise.all([
      countOpen(db, caller, now),
      countAwaiting(db, caller),
      countFailed(db, caller),
      countFailures(db, caller),
      countTroubledWebhooks(db, caller),
      may(caller, 'internals') ? listHelpRequests(db, caller.centralId, HELP_SHOWN_MAX) : [],
    ]);
    return { data: summary.show({ now, open, awaiting, failed, notDelivered, troubled, help }, undefined) };
  },
});

type Company = Awaited<ReturnType<typeof listActiveCompanies>>[number];

interface Options {
  categories: readonly Category[];
  companies: readonly Company[];
  reasons: readonly { id: number; name: string }[];
  central: Central;
  area: OperatingArea | undefined;
}

const options = view<Options>()({
  categorias: list(named, ({ categories }) => categories),
  empresas: list(
    view<Company>()({
      id: id((company) => company.id, '1'),
      nome: text((company) => company.name, 'Padaria Central'),
      categoria_padrao_id: id.orNull((company) => company.defaultCategoryId, '1'),
    }),
    ({ companies }) => companies,
  ),
  motivos_cancelamento: list(namedLike({ id: '2', nome: 'Mudança de planos' }), ({ reasons }) => reasons),
  codigo_confirmacao: flag(
    ({ central }) => central.settings.confirmationCode,
    false,
    'se a central pede código para concluir paradas',
  ),
  limites: kind(
    (options) => Type.Array(Type.Number(), { minItems: 4, maxItems: 4, ...options }),
    ({ shape }: OperatingArea): number[] => boundingBox(shape),
  ).orNull(({ area }) => area, [-51.3, -30.2, -51.05, -29.95], 'oeste, sul, leste, norte'),
});

export const listOptionsEndpoint = endpoint({
  method: 'GET',
  path: '/opcoes',
  tag: 'Operação: ao vivo',
  summary: 'Saber o que se pode escolher',
  description:
    'O que preenche as escolhas de quem abre, acompanha ou cancela entregas: categorias ativas, empresas ativas (um gerente vê a própria), motivos de cancelamento e os limites da área padrão.',
  permission: 'watch',
  limit: 'operations',
  ...answerWith(options),
  async handle({ deps: { db, priceBooks }, caller, language }) {
    const [book, companies, reasons] = await Promise.all([
      priceBooks.of(caller.centralId),
      listActiveCompanies(db, caller),
      listActiveReasons(db, caller.centralId),
    ]);
    const chosen: Options = {
      categories: book.categories.filter(({ active }) => active),
      companies,
      reasons: reasons.map(({ id, name, nameEn }) => ({ id, name: language === 'en' ? nameEn : name })),
      central: caller.central,
      area: book.areas.areas.find(({ isDefault }) => isDefault),
    };
    return { data: options.show(chosen, undefined) };
  },
});

interface Clocked {
  now: Temporal.Instant;
  expected: ReadonlyMap<number, Temporal.Instant>;
  soonest: ReadonlyMap<number, Temporal.Instant>;
}

const openStop = view<OpenStop>()({
  id: id((stop) => stop.id, '2077'),
  ...shortPlaceFields({ endereco: 'Avenida Ipiranga, 1', bairro: 'Azenha' }),
  ...positionFields({ lat: -30.0489, lng: -51.2158 }),
  concluida: flag((stop) => stop.concluded, false),
  conferir: flag((stop) => stop.isUnsure, false),
  nao_entregue: flag((stop) => stop.notDelivered, false),
  numero_pedido: text.orNull((stop) => stop.orderNumber, 'A-1'),
  nome_cliente: text.orNull((stop) => stop.recipientName, 'Maria'),
});

/** Negative when it is late. */
function slackOf({ id, promisedAt }: OpenDelivery, { expected, soonest }: Clocked): number | null {
  const arrivesAt = expected.get(id) ?? soonest.get(id);
  return arrivesAt && promisedAt ? Math.round(arrivesAt.until(promisedAt).total('seconds')) : null;
}

const pickup = view<OpenDelivery>()({
  ...shortPlaceFields({ endereco: 'Rua dos Andradas, 1001', bairro: 'Centro Histórico' }),
  ...positionFields({ lat: -30.0305, lng: -51.2303 }),
  conferir: flag((delivery) => delivery.isPickupUnsure, false),
});

const openDelivery = view<OpenDelivery, Clocked>()({
  id: id((delivery) => delivery.id, '1042'),
  status: status((delivery) => delivery.status, 'E'),
  empresa_id: id.orNull((delivery) => delivery.companyId, '1'),
  nome_cliente: text((delivery) => delivery.customerName, 'Padaria Central'),
  categoria: text((delivery) => delivery.categoryName, 'Moto'),
  condutor: one.orNull(namedDriver, ({ driverId, driverName }) => namedBy(driverId, driverName)),
  tipo_pagamento: text((delivery) => paymentCode[delivery.payment], 'D'),
  valor_corrida: cents((delivery) => delivery.netCents, '19.43'),
  solicitada_em: instant((delivery) => delivery.requestedAt, '2026-11-16T15:00:00Z'),
  previsao: instant(
    (delivery) => delivery.dueAt,
    '2026-11-16T15:45:00Z',
    'até quando a etapa atual deveria terminar; ISO 8601 em UTC',
  ),
  prometida_para: instant.orNull(
    (delivery) => delivery.promisedAt,
    '2026-11-16T15:34:00Z',
    'até quando o pedido prometeu a última parada; nulo nas abertas antes que promessas fossem guardadas',
  ),
  chegada_prevista: instant.orNull(
    ({ id }, { expected }) => expected.get(id),
    '2026-11-16T15:29:00Z',
    'na última parada que falta; nulo enquanto não se sabe quem a leva',
  ),
  atrasada: flag(
    (delivery, { now }) => isLate(delivery, now),
    false,
    'passou do que o pedido prometeu, ou da previsão da etapa',
  ),
  vai_atrasar: flag(
    (delivery, { now, expected }) => willBeLate(delivery, expected.get(delivery.id) ?? null, now),
    false,
    'ainda no prazo, e a chegada prevista é depois do prometido',
  ),
  conferir_endereco: flag(
    (delivery) => delivery.hasUnsureAddress,
    false,
    'um endereço ainda a visitar foi encontrado com menos precisão do que a central pede',
  ),
  desde: instant(
    (delivery) => delivery.statusSince,
    '2026-11-16T15:00:00Z',
    'desde quando aguarda a liberação, está com quem a leva ou, sem entregador, foi pedida',
  ),
  folga_segundos: integer.orNull(
    slackOf,
    300,
    'o prometido menos a chegada prevista, negativa se vai atrasar; sem entregador, como se quem pode chegar primeiro à coleta a levasse agora; nulo sem promessa, ou enquanto a chegada não se pode prever',
  ),
  partida: one(pickup, (delivery) => delivery),
  paradas: list(openStop, (delivery) => delivery.stops),
});

/** The maximum of deliveries in the list, more than a person can handle. `GET /resumo` counts all open deliveries. */
const LISTED_MAX = 500;
/** Drivers without a delivery that are compared for each that waits. */
const DRIVERS_MAX = 500;

export const listOpenDeliveriesEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/abertas',
  tag: 'Operação: ao vivo',
  summary: 'Listar as entregas em curso',
  description: `As entregas que ainda não terminaram, da mais antiga para a mais nova, até ${LISTED_MAX}. As agrupadas em outra aparecem nela. Um gerente vê a própria empresa.`,
  permission: 'watch',
  limit: 'operations',
  isShared: true,
  ...answerWithList(openDelivery),
  async handle({ deps: { db, clock }, caller }) {
    const { settings } = caller.central;
    const open = await listOpen(db, caller, LISTED_MAX);
    const now = clock.now();
    const isWholeCentral = caller.companyId === null;
    const estimator = estimatorFor(settings);
    const { expected, busy } = await expectedAtLast(estimator, open, now, { isWholeCentral });
    // A company does not see the drivers' work for others.
    const idle = isWholeCentral ? await listIdle(db, caller.centralId, DRIVERS_MAX) : [];
    const free = idle.map(({ categoryIds, ...at }) => ({ inSeconds: 0, at, categoryIds }));
    const soonest = isWholeCentral
      ? await soonestAtLast(estimator, open, [...free, ...busy], now)
      : new Map<number, Temporal.Instant>();
    return listOfJson(await inSlices(writeEach(open, { now, expected, soonest })));
  },
});

function* writeEach(open: readonly OpenDelivery[], clocked: Clocked): Generator<void, Buffer[], void> {
  const texts: Buffer[] = [];
  for (const delivery of open) {
    texts.push(Buffer.from(JSON.stringify(openDelivery.show(delivery, clocked))));
    yield;
  }
  return texts;
}
