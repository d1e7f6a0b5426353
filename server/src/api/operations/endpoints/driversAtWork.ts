import Type from 'typebox';
import type { Settings } from '../../../centrals/central.ts';
import { listDevicesInUse } from '../../../centrals/deviceStore.ts';
import {
  type DeliveryDriver,
  type DriverAtWork,
  findDeliveryDriver,
  listDriversAtWork,
  listRuns,
  type Run,
} from '../../../deliveries/deliveries/driverWorkStore.ts';
import { expectedAt, workLeft } from '../../../deliveries/deliveries/runArrivals.ts';
import type { Router } from '../../../geo/routing/router.ts';
import { estimatorFor } from '../../../geo/routing/routers.ts';
import { betweenPieces } from '../../../platform/kernel/inSlices.ts';
import type { Position } from '../../../platform/kernel/position.ts';
import {
  actingDriver,
  reportPosition,
  reportPositions,
  setAvailability,
} from '../../../registers/drivers/reportPosition.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { invalid } from '../../http/invalidInput.ts';
import { parseScript, scriptWord } from '../../json/orderBody.ts';
import { answerWith, answerWithList, dataAnswer, nullable } from '../../json/values.ts';
import { code, flag, id, instant, integer, list, one, text, view } from '../../json/view.ts';
import { carriedStatus, oneId, positionFields, stepStatus } from '../wire/commonFields.ts';
import { given, sentId } from '../wire/fields.ts';

export const reportPositionEndpoint = endpoint({
  method: 'POST',
  path: '/condutores/:id/posicao',
  tag: 'Operação: entregadores',
  summary: 'Informar a posição de um entregador',
  description: 'O entregador informa a própria posição; um operador, a de qualquer entregador.',
  permission: 'drive',
  limit: 'positions',
  isRepeatable: true,
  refusals: ['driver-not-found'],
  body: Type.Object({
    lat: Type.Number({ minimum: -90, maximum: 90 }),
    lng: Type.Number({ minimum: -180, maximum: 180 }),
  }),
  bodyExample: { lat: -30.0305, lng: -51.2303 },
  answer: Type.Object({ success: Type.Literal(true) }),
  answerExample: { success: true },
  async handle({ deps, caller, params, body }) {
    await reportPosition(deps, caller, params.id!, body);
    return {};
  },
});

/** Eight minutes without network at one position a second. */
const POSITIONS_MAX = 500;
const POSITIONS_BYTES_MAX = 128 * 1024;

export const reportPositionsEndpoint = endpoint({
  method: 'POST',
  path: '/condutores/posicoes',
  tag: 'Operação: aplicativo do entregador',
  summary: 'Informar as posições guardadas de um entregador',
  description: [
    `De 1 a ${POSITIONS_MAX} posições, como o telefone as guardou enquanto não tinha rede, em qualquer ordem. A última posição do entregador passa a ser a mais recente pelo próprio horário \`em\`, se nenhuma mais recente já é conhecida; um horário no futuro vale como agora. Repetições não mudam nada.`,
    '`bateria` e `versao` ficam no aparelho que enviou. O entregador informa as próprias; um operador, as de `condutor_id`.',
  ].join('\n\n'),
  permission: 'drive',
  limit: 'positions',
  isRepeatable: true,
  refusals: ['driver-not-found'],
  body: Type.Object({
    condutor_id: Type.Optional(sentId('somente de um operador')),
    posicoes: Type.Array(
      Type.Object({
        lat: Type.Number({ minimum: -90, maximum: 90 }),
        lng: Type.Number({ minimum: -180, maximum: 180 }),
        em: formatted('instant', 'quando o entregador esteve ali; ISO 8601 com fuso'),
        precisao: Type.Optional(Type.Number({ minimum: 0, maximum: 1e7, description: 'metros' })),
      }),
      { minItems: 1, maxItems: POSITIONS_MAX },
    ),
    bateria: Type.Optional(nullable(Type.Integer({ minimum: 0, maximum: 100, description: 'em %' }))),
    versao: Type.Optional(nullable(Type.String({ maxLength: 20, description: 'do aplicativo' }))),
  }),
  bodyBytesMax: POSITIONS_BYTES_MAX,
  bodyExample: {
    condutor_id: 1,
    posicoes: [
      { lat: -30.0305, lng: -51.2303, em: '2026-11-16T15:00:00Z', precisao: 8 },
      { lat: -30.0311, lng: -51.2296, em: '2026-11-16T15:00:05Z', precisao: 6 },
    ],
    bateria: 64,
    versao: '1.4.0',
  },
  answer: dataAnswer(Type.Object({ recebidas: Type.Integer() })),
  answerExample: { success: true, data: { recebidas: 2 } },
  async handle({ deps, caller, body }) {
    const driverId = actingDriver(caller, body.condutor_id);
    if (driverId === null) throw invalid('condutor_id', 'é obrigatório', 'is required');
    const [first, ...rest] = body.posicoes.map(({ lat, lng, em }) => ({
      position: { lat, lng },
      at: Temporal.Instant.from(em),
    }));
    const phone = { appVersion: given(body.versao), battery: body.bateria ?? null };
    await reportPositions(deps, caller, driverId, [first!, ...rest], phone);
    return { data: { recebidas: body.posicoes.length } };
  },
});

export const setAvailabilityEndpoint = endpoint({
  method: 'POST',
  path: '/condutores/:id/disponibilidade',
  tag: 'Operação: entregadores',
  summary: 'Informar se um entregador está disponível',
  description:
    'O que lhe foi oferecido e ele não respondeu segue para outro entregador, salvo o que um operador lhe atribuiu; o ' +
    'que já carrega segue com ele.',
  permission: 'drive',
  limit: 'operations',
  refusals: ['driver-not-found', 'driver-inactive'],
  body: Type.Object({ disponivel: Type.Boolean() }),
  bodyExample: { disponivel: true },
  answer: dataAnswer(Type.Object({ condutor_id: Type.String(), disponivel: Type.Boolean() })),
  answerExample: { success: true, data: { condutor_id: '1', disponivel: true } },
  async handle({ deps, caller, params, body }) {
    await setAvailability(deps, caller, params.id!, body.disponivel);
    return { data: { condutor_id: String(params.id!), disponivel: body.disponivel } };
  },
});

const SEEN_HOURS = 12;
/** More than a map can show; each is still found in the register. */
const LISTED_MAX = 2_000;

/** What only the central sees. */
interface Work {
  phone: string;
  freeAt: Temporal.Instant | null;
  stopsToVisit: number;
  next: NextVisit | null;
  device: DeviceInUse | undefined;
}

type Shown = DriverAtWork & { work: Work | null };

interface NextVisit {
  run: Run;
  address: string;
  at: Temporal.Instant | null;
  stopsLeft: number;
}

const nextVisit = view<NextVisit>()({
  id_mch: id(({ run }) => run.id, '1042'),
  status: carriedStatus(({ run }) => run.status, 'E'),
  endereco: text(
    (next) => next.address,
    'Avenida Ipiranga, 1',
    'da coleta, ou da próxima parada depois do início',
  ),
  previsao: instant.orNull((next) => next.at, '2026-11-16T15:12:00Z'),
  paradas_restantes: integer((next) => next.stopsLeft, 2),
});

type DeviceInUse = Awaited<ReturnType<typeof listDevicesInUse>>[number];

const device = view<DeviceInUse>()({
  visto_em: instant((used) => used.seenAt, '2026-11-16T14:59:40Z'),
  versao: text.orNull((used) => used.appVersion, '1.4.0', 'do aplicativo'),
  bateria: integer.orNull((used) => used.battery, 64, 'em %'),
});

const lastPosition = view<Position & { seenAt: Temporal.Instant }>()({
  ...positionFields({ lat: -30.0305, lng: -51.2303 }),
  em: instant((at) => at.seenAt, '2026-11-16T15:00:00Z'),
});

const positionOf = ({ lat, lng }: DriverAtWork): Position | null =>
  lat === null || lng === null ? null : { lat, lng };

const driverAtWork = view<Shown>()({
  condutor_id: id((driver) => driver.id, '1'),
  nome: text((driver) => driver.name, 'João Silva'),
  veiculo: text((driver) => driver.vehicle, 'Honda CG 160'),
  placa: text((driver) => driver.plate, 'IXA1B23'),
  disponivel: flag((driver) => driver.available, true),
  simulado: flag((driver) => driver.simulated, false),
  categorias: list(oneId, (driver) => driver.categoryIds, { example: ['1'] }),
  posicao: one.orNull(lastPosition, (driver) => {
    const at = positionOf(driver);
    return at && driver.seenAt && { ...at, seenAt: driver.seenAt };
  }),
  entregas: list(oneId, (driver) => driver.deliveryIds, { description: 'a atual primeiro' }),
  telefone: text.orNull(({ work }) => work?.phone, '51999990001', 'só para a central, como o que segue'),
  livre_em: instant.orNull(
    ({ work }) => work?.freeAt,
    '2026-11-16T15:32:00Z',
    'quando deve terminar tudo o que leva; nulo se não leva nada',
  ),
  paradas_a_visitar: integer.orNull(({ work }) => work?.stopsToVisit, 2, 'em todas as entregas que leva'),
  proxima: one.orNull(nextVisit, ({ work }) => work?.next ?? null, { description: 'para onde vai agora' }),
  aparelho: one.orNull(device, ({ work }) => work?.device ?? null, {
    description: 'o telefone usado por último, se o entregador entrou no aplicativo',
  }),
});

export const listDriversAtWorkEndpoint = endpoint({
  method: 'GET',
  path: '/condutores/posicoes',
  tag: 'Operação: ao vivo',
  summary: 'Ver onde estão os entregadores',
  description: `Os entregadores disponíveis, os que levam entregas e os vistos nas últimas ${SEEN_HOURS} horas, com a última posição e o que levam, até ${LISTED_MAX}. Um gerente vê apenas quem leva entregas da própria empresa.`,
  permission: 'watch',
  limit: 'operations',
  isShared: true,
  ...answerWithList(driverAtWork),
  async handle({ deps: { db, clock }, caller }) {
    const now = clock.now();
    const { central, centralId } = caller;
    const drivers = await listDriversAtWork(db, caller, now.subtract({ hours: SEEN_HOURS }), LISTED_MAX);
    // A company does not see a driver's work for others, nor its phone.
    if (caller.companyId !== null)
      return { data: drivers.map((driver) => driverAtWork.show({ ...driver, work: null }, undefined)) };
    const devices = new Map(
      (await listDevicesInUse(db, centralId, now)).map((device) => [device.driverId, device]),
    );
    const runs = Map.groupBy(await listRuns(db, centralId, null), ({ driverId }) => driverId);
    const estimator = estimatorFor(central.settings);
    return {
      data: await Array.fromAsync(drivers, async (driver) => {
        await betweenPieces();
        const carried = runs.get(driver.id) ?? [];
        const at = positionOf(driver);
        const left = carried.length > 0 ? await workLeft(estimator, carried, at) : null;
        const work = {
          phone: driver.phone,
          freeAt: left && now.add({ seconds: left.seconds }),
          stopsToVisit: carried.flatMap(({ stops }) => stops).filter(({ concluded }) => !concluded).length,
          next: carried[0] ? await nextOf(estimator, carried[0], at, now) : null,
          device: devices.get(driver.id),
        };
        return driverAtWork.show({ ...driver, work }, undefined);
      }),
    };
  },
});

async function nextOf(
  estimator: Router,
  run: Run,
  driverAt: Position | null,
  now: Temporal.Instant,
): Promise<NextVisit> {
  const open = run.stops.filter(({ concluded }) => !concluded);
  const isStarted = run.status === 'in_progress';
  const expected = await expectedAt(estimator, run, driverAt, now);
  return {
    run,
    address: (isStarted && open[0]?.address) || run.pickupAddress,
    at: (isStarted && open[0] && expected.get(open[0].id)) || null,
    stopsLeft: open.length,
  };
}

interface CurrentRun extends DeliveryDriver {
  id: number;
  settings: Settings;
}

const carrier = view<NonNullable<DeliveryDriver['driver']>>()({
  id: id((driver) => driver.id, '1'),
  nome: text((driver) => driver.name, 'João Silva'),
  simulado: flag((driver) => driver.simulated, true),
});

const currentRun = view<CurrentRun>()({
  id_mch: id((run) => run.id, '1042'),
  status: stepStatus((run) => run.status, 'E'),
  simulada: flag(({ driver }) => driver?.simulated ?? false, true, 'levada por um entregador simulado'),
  roteiro: code(scriptWord).orNull(
    ({ settings, note }) => (settings.simulatedCouriers ? parseScript(note) : null),
    'sucesso',
  ),
  condutor: one.orNull(carrier, ({ driver }) => driver),
});

export const getCurrentRunEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/condutor',
  tag: 'Operação: etapas da entrega',
  summary: 'Saber quem leva a entrega',
  description:
    'O entregador da entrega, e se ele é simulado: então ninguém de verdade a leva. O roteiro é o que a observação da entrega pede aos entregadores simulados; nulo quando a central não os usa.',
  permission: 'internals',
  limit: 'operations',
  refusals: ['delivery-not-found'],
  ...answerWith(currentRun),
  async handle({ deps, caller, params }) {
    const found = await findDeliveryDriver(deps.db, caller, params.id!);
    const { settings } = caller.central;
    return { data: currentRun.show({ ...found, id: params.id!, settings }, undefined) };
  },
});
