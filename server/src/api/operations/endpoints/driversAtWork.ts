import Type from 'typebox';
import { listDevicesInUse } from '../../centrals/deviceStore.ts';
import { findCurrentRun } from '../../couriers/courierStore.ts';
import { expectedAt, workLeft } from '../../deliveries/arrivals.ts';
import { type DriverAtWork, listDriversAtWork } from '../../deliveries/driverStore.ts';
import { listRuns, type Run } from '../../deliveries/runStore.ts';
import {
  actingDriver,
  reportPosition,
  reportPositions,
  setAvailability,
} from '../../drivers/reportPosition.ts';
import { endpoint } from '../../http/endpoint.ts';
import { formatted } from '../../http/formats.ts';
import { invalid } from '../../http/invalidInput.ts';
import type { Position } from '../../kernel/position.ts';
import { estimatorFor, type Router } from '../../routing/router.ts';
import { statusCode } from '../../wire/codes.ts';
import { parseScript, scriptWord } from '../../wire/orderBody.ts';
import { dataAnswer, formatUtc, nullable } from '../../wire/values.ts';
import { given, instantShown, recordId } from '../wire/fields.ts';

export const reportPositionEndpoint = endpoint({
  method: 'POST',
  path: '/condutores/:id/posicao',
  tag: 'Operação: entregadores',
  summary: 'Informar a posição de um entregador',
  description: 'O entregador informa a própria posição; um operador, a de qualquer entregador.',
  permission: 'drive',
  limit: 'positions',
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
  refusals: ['driver-not-found'],
  body: Type.Object({
    condutor_id: Type.Optional(Type.Integer({ minimum: 1, description: 'somente de um operador' })),
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

export const listDriversAtWorkEndpoint = endpoint({
  method: 'GET',
  path: '/condutores/posicoes',
  tag: 'Operação: ao vivo',
  summary: 'Ver onde estão os entregadores',
  description: `Os entregadores disponíveis, os que levam entregas e os vistos nas últimas ${SEEN_HOURS} horas, com a última posição e o que levam, até ${LISTED_MAX}. Um gerente vê apenas quem leva entregas da própria empresa.`,
  permission: 'watch',
  limit: 'operations',
  answer: dataAnswer(
    Type.Array(
      Type.Object({
        condutor_id: Type.String(),
        nome: Type.String(),
        veiculo: Type.String(),
        placa: Type.String(),
        disponivel: Type.Boolean(),
        simulado: Type.Boolean(),
        categorias: Type.Array(recordId),
        posicao: nullable(Type.Object({ lat: Type.Number(), lng: Type.Number(), em: instantShown })),
        entregas: Type.Array(Type.String(), { description: 'a atual primeiro' }),
        telefone: nullable(Type.String({ description: 'só para a central, como o que segue' })),
        livre_em: nullable(
          Type.String({ description: 'quando deve terminar tudo o que leva; nulo se não leva nada' }),
        ),
        paradas_a_visitar: nullable(Type.Integer({ description: 'em todas as entregas que leva' })),
        proxima: nullable(
          Type.Object(
            {
              id_mch: Type.String(),
              status: Type.Enum(['A', 'S', 'E']),
              endereco: Type.String({ description: 'da coleta, ou da próxima parada depois do início' }),
              previsao: nullable(instantShown),
              paradas_restantes: Type.Integer(),
            },
            { description: 'para onde vai agora' },
          ),
        ),
        aparelho: nullable(
          Type.Object(
            {
              visto_em: instantShown,
              versao: nullable(Type.String({ description: 'do aplicativo' })),
              bateria: nullable(Type.Integer({ description: 'em %' })),
            },
            { description: 'o telefone usado por último, se o entregador entrou no aplicativo' },
          ),
        ),
      }),
    ),
  ),
  answerExample: {
    success: true,
    data: [
      {
        condutor_id: '1',
        nome: 'João Silva',
        veiculo: 'Honda CG 160',
        placa: 'IXA1B23',
        disponivel: true,
        simulado: false,
        categorias: [1],
        posicao: { lat: -30.0305, lng: -51.2303, em: '2026-11-16T15:00:00Z' },
        entregas: ['1042'],
        telefone: '51999990001',
        livre_em: '2026-11-16T15:32:00Z',
        paradas_a_visitar: 2,
        proxima: {
          id_mch: '1042',
          status: 'E',
          endereco: 'Avenida Ipiranga, 1',
          previsao: '2026-11-16T15:12:00Z',
          paradas_restantes: 2,
        },
        aparelho: { visto_em: '2026-11-16T14:59:40Z', versao: '1.4.0', bateria: 64 },
      },
    ],
  },
  async handle({ deps: { db, clock }, caller }) {
    const now = clock.now();
    const { central, centralId } = caller;
    const drivers = await listDriversAtWork(db, caller, now.subtract({ hours: SEEN_HOURS }), LISTED_MAX);
    // A company does not see a driver's work for others, nor its phone.
    if (caller.companyId !== null)
      return { data: drivers.map((driver) => ({ ...formatDriver(driver), ...NOT_SHOWN })) };
    const devices = new Map(
      (await listDevicesInUse(db, centralId, now)).map((device) => [device.driverId, device]),
    );
    const runs = Map.groupBy(await listRuns(db, centralId, null), ({ driverId }) => driverId);
    const estimator = estimatorFor(central.settings);
    return {
      data: await Promise.all(
        drivers.map(async (driver) => {
          const carried = runs.get(driver.id) ?? [];
          const { lat, lng } = driver;
          const at = lat === null || lng === null ? null : { lat, lng };
          const left = carried.length > 0 ? await workLeft(estimator, carried, at) : null;
          return {
            ...formatDriver(driver),
            telefone: driver.phone,
            livre_em: left && formatUtc(now.add({ seconds: left.seconds })),
            paradas_a_visitar: carried.flatMap(({ stops }) => stops).filter(({ concluded }) => !concluded)
              .length,
            proxima: carried[0] ? await formatNext(estimator, carried[0], at, now) : null,
            aparelho: formatPhone(devices.get(driver.id)),
          };
        }),
      ),
    };
  },
});

const NOT_SHOWN = { telefone: null, livre_em: null, paradas_a_visitar: null, proxima: null, aparelho: null };

async function formatNext(estimator: Router, run: Run, driverAt: Position | null, now: Temporal.Instant) {
  const open = run.stops.filter(({ concluded }) => !concluded);
  const isStarted = run.status === 'in_progress';
  const expected = await expectedAt(estimator, run, driverAt, now);
  const first = isStarted && open[0] ? expected.get(open[0].id) : undefined;
  return {
    id_mch: String(run.id),
    status: runStatusCode[run.status],
    endereco: (isStarted && open[0]?.address) || run.pickupAddress,
    previsao: first ? formatUtc(first) : null,
    paradas_restantes: open.length,
  };
}

const runStatusCode = { accepted: 'A', on_hold: 'S', in_progress: 'E' } as const;

type InUse = Awaited<ReturnType<typeof listDevicesInUse>>[number];

const formatPhone = (device: InUse | undefined) =>
  device ? { visto_em: formatUtc(device.seenAt), versao: device.appVersion, bateria: device.battery } : null;

const formatDriver = ({ lat, lng, seenAt, ...driver }: DriverAtWork) => ({
  condutor_id: String(driver.id),
  nome: driver.name,
  veiculo: driver.vehicle,
  placa: driver.plate,
  disponivel: driver.available,
  simulado: driver.simulated,
  categorias: [...driver.categoryIds],
  posicao: lat === null || lng === null || seenAt === null ? null : { lat, lng, em: formatUtc(seenAt) },
  entregas: driver.deliveryIds.map(String),
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
  answer: dataAnswer(
    Type.Object({
      id_mch: Type.String(),
      status: Type.Enum(['D', 'G', 'A', 'S', 'E', 'F', 'N', 'C', 'P']),
      simulada: Type.Boolean({ description: 'levada por um entregador simulado' }),
      roteiro: nullable(Type.Enum(Object.values(scriptWord))),
      condutor: nullable(Type.Object({ id: Type.String(), nome: Type.String(), simulado: Type.Boolean() })),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      id_mch: '1042',
      status: 'E',
      simulada: true,
      roteiro: 'sucesso',
      condutor: { id: '1', nome: 'João Silva', simulado: true },
    },
  },
  async handle({ deps, caller, params }) {
    const { status, note, driver } = await findCurrentRun(deps.db, caller, params.id!);
    return {
      data: {
        id_mch: String(params.id!),
        status: statusCode[status],
        simulada: driver?.simulated ?? false,
        roteiro: caller.central.settings.simulatedCouriers ? scriptWord[parseScript(note)] : null,
        condutor: driver && { id: String(driver.id), nome: driver.name, simulado: driver.simulated },
      },
    };
  },
});
