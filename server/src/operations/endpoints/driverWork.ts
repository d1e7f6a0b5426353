import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import type { Caller } from '../../centrals/caller.ts';
import type { Settings } from '../../centrals/central.ts';
import { failureRulesOf } from '../../centrals/failureRules.ts';
import { type OwnProofRules, proofRules } from '../../companies/proofRules.ts';
import { expectedAt } from '../../deliveries/arrivals.ts';
import { isLocked } from '../../deliveries/concludeStop.ts';
import type { DetailPlace } from '../../deliveries/deliveryDetailStore.ts';
import {
  type DriverWork,
  findDriverWork,
  type WorkOffer,
  type WorkRun,
  type WorkShare,
  type WorkStop,
} from '../../deliveries/driverWorkStore.ts';
import { actingDriver } from '../../drivers/reportPosition.ts';
import { type Earnings, findEarnings, localDay } from '../../earnings/earningStore.ts';
import { centralShare, driverShare } from '../../estimates/share.ts';
import type { LiveEvent } from '../../events/liveStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import { TaggedAnswer } from '../../http/envelope.ts';
import { LiveAnswer, sseMessage } from '../../http/eventStreams.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { haversineMetres, type Position } from '../../kernel/position.ts';
import type { Deps } from '../../postgres/deps.ts';

import { estimatorFor } from '../../routing/router.ts';
import { paymentCode, proofDemandCode, statusCode } from '../../wire/codes.ts';
import { dataAnswer, formatUtc, nullable } from '../../wire/values.ts';
import { driverWorkExample } from '../wire/driverWorkExample.ts';
import { FailureRulesSchema, formatFailureRules } from '../wire/failureRules.ts';
import { instantShown } from '../wire/fields.ts';
import { WORK_MOTIVES, type WorkMotive, workMotive } from '../wire/workMotive.ts';
import { EarningsSchema, formatEarnings } from './earnings.ts';

const text = Type.String();
const textOrNull = nullable(Type.String());
const moment = nullable(instantShown);
const metres = Type.Integer({ description: 'metros' });
const seconds = Type.Integer({ description: 'segundos' });
const pay = nullable(
  Type.String({ description: 'o que o entregador ganha; nulo onde a central não o calcula' }),
);

const place = {
  endereco: text,
  complemento: textOrNull,
  referencia: textOrNull,
  bairro: text,
  cidade: text,
  uf: text,
  lat: Type.Number(),
  lng: Type.Number(),
};

const proofRule = Type.Enum(Object.values(proofDemandCode));

const ProofRulesSchema = Type.Object({
  foto: proofRule,
  assinatura: proofRule,
  nome: proofRule,
  codigo: Type.Boolean(),
  valor: Type.Boolean({
    description: 'se o valor recebido é registrado ao concluir, onde há valor a cobrar',
  }),
});

const OfferSchema = Type.Object({
  id_mch: text,
  oferecida_em: instantShown,
  expira_em: nullable(Type.String({ description: 'nulo: um operador a atribuiu, e ela não expira' })),
  coleta: Type.Object(place),
  paradas: Type.Integer({ description: 'quantas' }),
  metros_ate_coleta: nullable(Type.Integer({ description: 'em linha reta; nulo sem posição conhecida' })),
  metros: metres,
  segundos: seconds,
  ganho: pay,
  com_retorno: Type.Boolean(),
});

const StopSchema = Type.Object({
  id: text,
  ordem: Type.Integer(),
  situacao: Type.Enum(['pendente', 'concluida', 'nao_entregue']),
  tentativas: Type.Integer({ description: 'as que falharam nesta corrida' }),
  ...place,
  numero_pedido: textOrNull,
  destinatario: textOrNull,
  telefone: textOrNull,
  observacao: textOrNull,
  valor_a_receber: nullable(Type.String({ description: 'decimal; o que se cobra do destinatário' })),
  forma_pagamento: Type.Enum(Object.values(paymentCode)),
  exige_codigo: Type.Boolean(),
  codigo_bloqueado: Type.Boolean({ description: 'códigos incorretos demais: só a central a conclui' }),
  chegou_em: moment,
  concluida_em: nullable(Type.String({ description: 'quando foi encerrada, entregue ou não' })),
  previsao: moment,
  agrupada: Type.Boolean({ description: 'pedida com outra entrega e agrupada nesta' }),
});

const RunSchema = Type.Object({
  id_mch: text,
  status: Type.Enum(['A', 'S', 'E']),
  empresa: textOrNull,
  comprovante: Type.Object(ProofRulesSchema.properties, {
    description: 'o que se pede nas paradas desta corrida: as regras da empresa ou, sem elas, da central',
  }),
  observacao: textOrNull,
  com_retorno: Type.Boolean(),
  coleta: Type.Object(place),
  chegou_em: moment,
  iniciada_em: moment,
  falha: FailureRulesSchema,
  ganho: pay,
  valor_a_receber: nullable(
    Type.String({
      description: 'o preço, a receber em dinheiro pela entrega inteira; nulo quando não se aplica',
    }),
  ),
  metros: metres,
  segundos: seconds,
  versao: Type.Integer(),
  paradas: Type.Array(StopSchema),
});

const WorkSchema = Type.Object({
  agora: instantShown,
  versao: Type.String({ description: 'muda quando muda algo abaixo; também no cabeçalho ETag' }),
  condutor: Type.Object({
    id: text,
    nome: text,
    veiculo: text,
    placa: text,
    disponivel: Type.Boolean(),
    categorias: Type.Array(Type.Object({ id: text, nome: text })),
  }),
  central: Type.Object({ nome: text, telefone_ajuda: textOrNull }),
  regras: Type.Object({
    comprovante: ProofRulesSchema,
    falha: FailureRulesSchema,
  }),
  ofertas: Type.Array(OfferSchema),
  corridas: Type.Array(RunSchema, { description: 'a atual primeiro, depois as que esperam' }),
  ganhos: EarningsSchema,
});

type Work = Static<typeof WorkSchema>;

const formatMoment = (at: string | null): string | null => at && formatUtc(Temporal.Instant.from(at));

const formatPlace = (at: DetailPlace): Static<typeof OfferSchema>['coleta'] => ({
  endereco: at.address,
  complemento: at.complement,
  referencia: at.reference,
  bairro: at.district,
  cidade: at.city,
  uf: at.state,
  lat: at.lat,
  lng: at.lng,
});

const formatOffer = (
  offer: WorkOffer,
  position: Position | null,
  settings: Settings,
): Static<typeof OfferSchema> => ({
  id_mch: String(offer.deliveryId),
  oferecida_em: formatMoment(offer.offeredAt)!,
  expira_em: formatMoment(offer.expiresAt),
  coleta: formatPlace(offer.pickup),
  paradas: offer.stopCount,
  metros_ate_coleta: position && Math.round(haversineMetres(position, offer.pickup)),
  metros: offer.metres,
  segundos: offer.seconds,
  ganho: formatPay(offer, settings),
  com_retorno: offer.returning,
});

/** The driver's pay by the agreed share, or by the share that would be agreed now. */
function formatPay(
  { share, grossCents, metres, stopCount }: WorkShare & { metres: number; stopCount: number },
  settings: Settings,
): string | null {
  const cents = driverShare(share ?? centralShare(settings), { grossCents, metres, stops: stopCount });
  return cents === null ? null : centsToDecimal(cents);
}

type Expected = ReadonlyMap<number, Temporal.Instant>;

const formatStop = (
  stop: WorkStop,
  { confirmationCode }: Settings,
  expected: Expected,
): Static<typeof StopSchema> => ({
  id: String(stop.id),
  ordem: stop.order,
  situacao: stop.isNotDelivered ? 'nao_entregue' : stop.concludedAt === null ? 'pendente' : 'concluida',
  tentativas: stop.attempts,
  ...formatPlace(stop),
  numero_pedido: stop.orderNumber,
  destinatario: stop.recipientName,
  telefone: stop.recipientPhone,
  observacao: stop.note,
  valor_a_receber: stop.collectCents === null ? null : centsToDecimal(stop.collectCents),
  forma_pagamento: paymentCode[stop.payment],
  exige_codigo: confirmationCode,
  codigo_bloqueado: isLocked(stop.wrongCodes),
  chegou_em: formatMoment(stop.arrivedAt),
  concluida_em: formatMoment(stop.concludedAt),
  previsao: formatExpected(expected.get(stop.id)),
  agrupada: stop.grouped,
});

function formatProofRules(settings: Settings, own: OwnProofRules | null): Static<typeof ProofRulesSchema> {
  const rules = proofRules(settings, own);
  return {
    foto: proofDemandCode[rules.proofPhoto],
    assinatura: proofDemandCode[rules.proofSignature],
    nome: proofDemandCode[rules.proofName],
    codigo: settings.confirmationCode,
    valor: rules.proofAmount,
  };
}

const formatExpected = (at: Temporal.Instant | undefined): string | null => (at ? formatUtc(at) : null);

const formatRun = (run: WorkRun, settings: Settings, expected: Expected): Static<typeof RunSchema> => ({
  id_mch: String(run.id),
  status: statusCode[run.status],
  empresa: run.companyName,
  comprovante: formatProofRules(settings, run.ownProofRules),
  observacao: run.note,
  com_retorno: run.returning,
  coleta: formatPlace(run.pickup),
  chegou_em: formatMoment(run.arrivedAt),
  iniciada_em: formatMoment(run.startedAt),
  ganho: formatPay({ ...run, stopCount: run.stops.length }, settings),
  valor_a_receber: run.cashCents === null ? null : centsToDecimal(run.cashCents),
  falha: formatFailureRules(failureRulesOf(settings, run.failureRules)),
  metros: run.metres,
  segundos: run.seconds,
  versao: run.version,
  paradas: run.stops.map((stop) => formatStop(stop, settings, expected)),
});

const formatWork = (
  { driver, offers, runs }: DriverWork,
  { name, settings }: { name: string; settings: Settings },
  earnings: Earnings,
  expected: Expected,
): Omit<Work, 'agora' | 'versao'> => ({
  condutor: {
    id: String(driver.id),
    nome: driver.name,
    veiculo: driver.vehicle,
    placa: driver.plate,
    disponivel: driver.available,
    categorias: driver.categories.map((category) => ({ id: String(category.id), nome: category.name })),
  },
  central: { nome: name, telefone_ajuda: phoneIn(settings.supportText) },
  regras: {
    comprovante: formatProofRules(settings, null),
    falha: formatFailureRules(failureRulesOf(settings, null)),
  },
  ofertas: offers.map((offer) => formatOffer(offer, driver.position, settings)),
  corridas: runs.map((run) => formatRun(run, settings, expected)),
  ganhos: formatEarnings(earnings),
});

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
  answerExample: { success: true, data: driverWorkExample },
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
): Promise<Work> {
  const now = clock.now();
  const [work, earnings] = await Promise.all([
    findDriverWork(db, centralId, driverId, now),
    findEarnings(db, centralId, driverId, localDay(now, central.timeZone)),
  ]);
  const expected = await expectedOf(work, central.settings, now);
  const content = formatWork(work, central, earnings, expected);
  return { agora: formatUtc(now), versao: versionOf(content), ...content };
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
      const tell = async (motives: readonly (WorkMotive | null)[]): Promise<void> => {
        const { versao, ofertas } = await readWork(deps, caller, driverId);
        offered = new Set(ofertas.map(({ id_mch }) => Number(id_mch)));
        for (const motivo of motives) stream.send(sseMessage({ versao, motivo }, { event: 'trabalho' }));
      };
      // One after another, so that the version sent last is the newest.
      let telling = Promise.resolve();
      const follow = (batch: readonly LiveEvent[]): void => {
        telling = telling
          .then(async () => {
            const motives = new Set(batch.map((event) => workMotive(event, driverId, offered)));
            motives.delete(null);
            // Other motives already imply a change of the account.
            if (motives.size > 1) motives.delete('conta');
            if (motives.size > 0) await tell([...motives]);
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
        await tell([null]);
      } catch (error) {
        leave();
        throw error;
      }
      return leave;
    });
  },
});
