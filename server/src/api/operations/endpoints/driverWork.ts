import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Caller } from '../../../centrals/caller.ts';
import type { Settings } from '../../../centrals/central.ts';
import { failureRulesOf } from '../../../centrals/failureRules.ts';
import { isLocked } from '../../../deliveries/deliveries/concludeStop.ts';
import type { DetailPlace } from '../../../deliveries/deliveries/deliveryDetailStore.ts';
import {
  type DriverWork,
  findDriverWork,
  type WorkingDriver,
  type WorkOffer,
  type WorkRun,
  type WorkShare,
  type WorkStop,
} from '../../../deliveries/deliveries/driverWorkStore.ts';
import { expectedAt } from '../../../deliveries/deliveries/runArrivals.ts';
import type { LiveEvent } from '../../../events/record/liveStore.ts';
import { estimatorFor } from '../../../geo/routing/routers.ts';
import { type Earnings, findEarnings, localDay } from '../../../money/earnings/earningStore.ts';
import { centralShare, driverShare } from '../../../money/pricing/share.ts';
import { haversineMetres, type Position } from '../../../platform/kernel/position.ts';
import type { Deps } from '../../../platform/postgres/deps.ts';
import { type OwnProofRules, type ProofRules, proofRules } from '../../../registers/companies/proofRules.ts';
import { actingDriver } from '../../../registers/drivers/reportPosition.ts';
import { endpoint } from '../../http/endpoint.ts';
import { TaggedAnswer } from '../../http/envelope.ts';
import { LiveAnswer, sseMessage } from '../../http/eventStreams.ts';
import { paymentCode, proofDemandCode, statusCode } from '../../json/codes.ts';
import { demandsOfAll, demandsOfStop } from '../../json/demandJson.ts';
import { dataAnswer, formatUtc, nullable } from '../../json/values.ts';
import {
  cents,
  code,
  flag,
  id,
  instant,
  integer,
  lastInExample,
  list,
  one,
  text,
  textIfAny,
  view,
} from '../../json/view.ts';
import { addressFields, named, positionFields, stateOf } from '../wire/commonFields.ts';
import { failureRules } from '../wire/failureRulesView.ts';
import { instantShown } from '../wire/fields.ts';
import { WORK_MOTIVES, type WorkMotive, workMotive } from '../wire/workMotive.ts';
import { earningsShown } from './earnings.ts';

/** What formatting a driver's work needs besides the deliveries. */
interface Reader {
  central: { name: string; settings: Settings };
  position: Position | null;
  /** When the driver is expected at each stop of the current run. */
  expected: ReadonlyMap<number, Temporal.Instant>;
}

const pickupExample = {
  endereco: 'Rua dos Andradas, 1001',
  bairro: 'Centro Histórico',
  lat: -30.0305,
  lng: -51.2303,
};
const placeFields = (example: typeof pickupExample & { complemento?: string }) => ({
  ...addressFields(example),
  uf: stateOf,
  ...positionFields(example),
});
const pickup = view<DetailPlace>()(placeFields(pickupExample));

interface ShownRules extends ProofRules {
  confirmationCode: boolean;
}
const shownRules = (settings: Settings, own: OwnProofRules | null): ShownRules => ({
  ...proofRules(settings, own),
  confirmationCode: settings.confirmationCode,
});
const demand = code(proofDemandCode);
const proofRulesShown = view<ShownRules>()({
  foto: demand((rules) => rules.proofPhoto, 'opcional'),
  assinatura: demand((rules) => rules.proofSignature, 'nao'),
  nome: demand((rules) => rules.proofName, 'obrigatorio'),
  codigo: flag((rules) => rules.confirmationCode, true),
  valor: flag(
    (rules) => rules.proofAmount,
    true,
    'se o valor recebido é registrado ao concluir, onde há valor a cobrar',
  ),
});

/** The driver's pay by the agreed share, or by the share that would be agreed now. */
const payCents = (
  { share, grossCents, metres }: WorkShare & { metres: number },
  stops: number,
  { central: { settings } }: Reader,
): number | null => driverShare(share ?? centralShare(settings), { grossCents, metres, stops });

const PAY = 'o que o entregador ganha; nulo onde a central não o calcula';

const offer = view<WorkOffer, Reader>()({
  id_mch: id((offer) => offer.deliveryId, '1043'),
  oferecida_em: instant((offer) => offer.offeredAt, '2026-11-16T15:11:48Z'),
  expira_em: instant.orNull(
    (offer) => offer.expiresAt,
    '2026-11-16T15:12:18Z',
    'nulo: um operador a atribuiu, e ela não expira',
  ),
  corrida: textIfAny(
    ({ planId }: WorkOffer) => (planId === null ? null : String(planId)),
    '17',
    'ofertas com a mesma corrida são aceitas juntas, e seguem na ordem em que vêm; ausente nas demais',
  ),
  coleta: one(pickup, (offer) => offer.pickup),
  paradas: integer((offer) => offer.stopCount, 2, 'quantas'),
  metros_ate_coleta: integer.orNull(
    (offer, { position }) => position && Math.round(haversineMetres(position, offer.pickup)),
    840,
    'em linha reta; nulo sem posição conhecida',
  ),
  metros: integer((offer) => offer.metres, 5210, 'metros'),
  segundos: integer((offer) => offer.seconds, 960, 'segundos'),
  ganho: cents.orNull((offer, reader) => payCents(offer, offer.stopCount, reader), '12.60', PAY),
  com_retorno: flag((offer) => offer.returning, false),
  exigencias: demandsOfAll<WorkOffer>(),
});

const situationOfStop = { waiting: 'pendente', concluded: 'concluida', failed: 'nao_entregue' } as const;

const stop = view<WorkStop, Reader>()({
  id: id((stop) => stop.id, '2077'),
  ordem: integer((stop) => stop.order, 0),
  situacao: code(situationOfStop)(
    (stop) => (stop.isNotDelivered ? 'failed' : stop.concludedAt === null ? 'waiting' : 'concluded'),
    'pendente',
  ),
  tentativas: integer((stop) => stop.attempts, 0, 'as que falharam nesta corrida'),
  ...placeFields({
    endereco: 'Avenida Ipiranga, 1200',
    complemento: 'apto 302',
    bairro: 'Azenha',
    lat: -30.0468,
    lng: -51.2171,
  }),
  numero_pedido: text.orNull((stop) => stop.orderNumber, 'P-881'),
  destinatario: text.orNull((stop) => stop.recipientName, 'Ana Souza'),
  telefone: text.orNull((stop) => stop.recipientPhone, '51999990000'),
  observacao: text.orNull((stop) => stop.note, 'portão azul'),
  valor_a_receber: cents.orNull(
    (stop) => stop.collectCents,
    '42.90',
    'decimal; o que se cobra do destinatário',
  ),
  forma_pagamento: code(paymentCode)((stop) => stop.payment, 'D'),
  exige_codigo: flag((_, { central }) => central.settings.confirmationCode, true),
  codigo_bloqueado: flag(
    (stop) => isLocked(stop.wrongCodes),
    false,
    'códigos incorretos demais: só a central a conclui',
  ),
  chegou_em: instant.orNull((stop) => stop.arrivedAt, null),
  concluida_em: instant.orNull((stop) => stop.concludedAt, null, 'quando foi encerrada, entregue ou não'),
  previsao: instant.orNull((stop, { expected }) => expected.get(stop.id), null),
  agrupada: flag((stop) => stop.grouped, false, 'pedida com outra entrega e agrupada nesta'),
  exigencias: demandsOfStop<WorkStop>(),
});

const { accepted, on_hold, in_progress } = statusCode;

const run = lastInExample(
  view<WorkRun, Reader>()({
    id_mch: id((run) => run.id, '1042'),
    status: code({ accepted, on_hold, in_progress })((run) => run.status, 'E'),
    empresa: text.orNull((run) => run.companyName, 'Farmácia Exemplo'),
    comprovante: one(
      proofRulesShown,
      (run, { central: { settings } }) => shownRules(settings, run.ownProofRules),
      {
        description: 'o que se pede nas paradas desta corrida: as regras da empresa ou, sem elas, da central',
        example: { ...proofRulesShown.example, foto: 'obrigatorio' },
      },
    ),
    observacao: text.orNull((run) => run.note, null),
    com_retorno: flag((run) => run.returning, false),
    coleta: one(pickup, (run) => run.pickup),
    chegou_em: instant.orNull((run) => run.arrivedAt, '2026-11-16T15:01:12Z'),
    iniciada_em: instant.orNull((run) => run.startedAt, '2026-11-16T15:04:30Z'),
    falha: one(failureRules, (run, { central: { settings } }) => failureRulesOf(settings, run.failureRules)),
    ganho: cents.orNull((run, reader) => payCents(run, run.stops.length, reader), '9.80', PAY),
    valor_a_receber: cents.orNull(
      (run) => run.cashCents,
      null,
      'o preço, a receber em dinheiro pela entrega inteira; nulo quando não se aplica',
    ),
    metros: integer((run) => run.metres, 3120, 'metros'),
    segundos: integer((run) => run.seconds, 610, 'segundos'),
    versao: integer((run) => run.version, 5),
    exigencias: demandsOfAll<WorkRun>(),
    paradas: list(stop, (run) => run.stops),
  }),
  'falha',
  'metros',
  'segundos',
  'versao',
  'paradas',
);

const driver = view<WorkingDriver>()({
  id: id((driver) => driver.id, '1'),
  nome: text((driver) => driver.name, 'João Silva'),
  veiculo: text((driver) => driver.vehicle, 'Honda CG 160'),
  placa: text((driver) => driver.plate, 'IXA1B23'),
  disponivel: flag((driver) => driver.available, true),
  categorias: list(named, (driver) => driver.categories),
});

const centralShown = view<Reader['central']>()({
  nome: text((central) => central.name, 'Central Demonstração'),
  telefone_ajuda: text.orNull(({ settings }) => phoneIn(settings.supportText), '(51) 3333-0000'),
});

const rulesOfCentral = view<Settings>()({
  comprovante: one(proofRulesShown, (settings) => shownRules(settings, null)),
  falha: one(failureRules, (settings) => failureRulesOf(settings, null)),
});

const content = view<DriverWork & { earnings: Earnings }, Reader>()({
  condutor: one(driver, (work) => work.driver),
  central: one(centralShown, (_, { central }) => central),
  regras: one(rulesOfCentral, (_, { central }) => central.settings),
  ofertas: list(offer, (work) => work.offers),
  corridas: list(run, (work) => work.runs, { description: 'a atual primeiro, depois as que esperam' }),
  ganhos: one(earningsShown, (work) => work.earnings),
});

const WorkSchema = Type.Object({
  agora: instantShown,
  versao: Type.String({ description: 'muda quando muda algo abaixo; também no cabeçalho ETag' }),
  ...content.schema.properties,
});

const workExample: Static<typeof WorkSchema> = {
  agora: '2026-11-16T15:12:00Z',
  versao: 'q3Jx0b1mY2k9aVhTz8LwRg',
  ...content.example,
};

/** The support text of a central is a phone number or a sentence; only a number can be called. */
const phoneIn = (supportText: string): string | null =>
  /^[\d\s()+.-]{8,25}$/.test(supportText.trim()) ? supportText.trim() : null;

/**
 * Short enough for a header, and different for any two states that a driver can see. Expected arrivals are left out,
 * because they change every second, and a phone that waits for a change would read them continuously.
 */
const versionOf = (content: object): string =>
  hash('sha256', JSON.stringify(content, withoutExpected), 'base64url').slice(0, 22);

const withoutExpected = (key: string, value: unknown): unknown => (key === 'previsao' ? undefined : value);

async function expectedOf({ driver, runs }: DriverWork, settings: Settings, now: Temporal.Instant) {
  const [current] = runs;
  if (!current) return new Map<number, Temporal.Instant>();
  const run = {
    status: current.status,
    hasArrived: current.arrivedAt !== null,
    pickup: current.pickup,
    returning: current.returning,
    plannedSeconds: current.seconds,
    stops: current.stops.map((stop) => ({ ...stop, concluded: stop.concludedAt !== null })),
  };
  return expectedAt(estimatorFor(settings), run, driver.position, now);
}

export const getDriverWorkEndpoint = endpoint({
  method: 'GET',
  path: '/condutores/:id/trabalho',
  tag: 'Operação: aplicativo do entregador',
  summary: 'Ler o trabalho de um entregador',
  description: [
    'Tudo o que o aplicativo do entregador mostra, em uma requisição: ofertas abertas, a corrida atual e as que esperam, com suas paradas. O entregador lê o próprio; um operador, o de qualquer um. Dados de destinatários vêm apenas nas corridas, nunca nas ofertas.',
    '`versao` e o cabeçalho `ETag` mudam quando algo muda, salvo `previsao`, que muda com o tempo. Com `If-None-Match`, o que não mudou é respondido com 304, sem corpo; a hora do serviço está então no cabeçalho `Date`.',
  ].join('\n\n'),
  permission: 'drive',
  limit: 'operations',
  refusals: ['driver-not-found'],
  isTagged: true,
  answer: dataAnswer(WorkSchema),
  answerExample: { success: true, data: workExample },
  async handle({ deps: { db, clock }, caller, params }) {
    actingDriver(caller, params.id!);
    const work = await readWork({ db, clock }, caller, params.id!);
    return new TaggedAnswer(work.versao, { data: work }, Temporal.Instant.from(work.agora));
  },
});

async function readWork(
  { db, clock }: Deps,
  { centralId, central }: Caller,
  driverId: number,
): Promise<Static<typeof WorkSchema>> {
  const now = clock.now();
  const [work, earnings] = await Promise.all([
    findDriverWork(db, centralId, driverId, now),
    findEarnings(db, centralId, driverId, localDay(now, central.timeZone)),
  ]);
  const expected = await expectedOf(work, central.settings, now);
  const reader = { central, position: work.driver.position, expected };
  const shown = content.show({ ...work, earnings }, reader);
  return { agora: formatUtc(now), versao: versionOf(shown), ...shown };
}

export const watchDriverWorkEndpoint = endpoint({
  method: 'GET',
  path: '/condutores/:id/trabalho/eventos',
  tag: 'Operação: aplicativo do entregador',
  summary: 'Acompanhar o trabalho de um entregador ao vivo',
  description: [
    'Server-sent events: uma mensagem `trabalho` a cada mudança no trabalho do entregador, com a nova `versao` e o `motivo`; leia então o trabalho. A primeira mensagem, ao conectar, diz a versão atual com `motivo` nulo: se é outra que a conhecida, algo mudou antes.',
    'O que muda só com a passagem do tempo, como uma oferta que expira sem outra consequência, não é avisado. A conexão é encerrada a cada 15 minutos, quando o leitor é lento demais e quando o usuário, a chave ou a sessão deixam de valer.',
  ].join('\n\n'),
  permission: 'drive',
  limit: 'operations',
  refusals: ['driver-not-found', 'too-many-listeners'],
  isLive: true,
  answer: Type.Object({ versao: Type.String(), motivo: nullable(Type.Enum([...WORK_MOTIVES])) }),
  answerExample: { versao: 'q3Jx0b1mY2k9aVhTz8LwRg', motivo: 'oferta' },
  async handle({ deps, caller, params }) {
    const driverId = params.id!;
    actingDriver(caller, driverId);
    return new LiveAnswer(async (stream) => {
      let offered: ReadonlySet<number> = new Set();
      const sendVersion = async (motives: readonly (WorkMotive | null)[]): Promise<void> => {
        const { versao, ofertas } = await readWork(deps, caller, driverId);
        offered = new Set(ofertas.map(({ id_mch }) => Number(id_mch)));
        for (const motivo of motives) stream.send(sseMessage({ versao, motivo }, { event: 'trabalho' }));
      };
      // One after another, so that the version sent last is the newest.
      let sending = Promise.resolve();
      const follow = (batch: readonly LiveEvent[]): void => {
        sending = sending
          .then(async () => {
            const motives = new Set(batch.map((event) => workMotive(event, driverId, offered)));
            motives.delete(null);
            // Other motives already imply a change of the account.
            if (motives.size > 1) motives.delete('conta');
            if (motives.size > 0) await sendVersion([...motives]);
          })
          // The client reconnects and receives the version it missed.
          .catch(() => stream.close());
      };
      const leave = await deps.live.join({
        centralId: caller.centralId,
        onEvents: follow,
        onPositions: () => undefined,
      });
      try {
        await sendVersion([null]);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    });
  },
});
