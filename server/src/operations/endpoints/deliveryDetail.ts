import type { Static } from 'typebox';
import Type from 'typebox';
import { isLocked } from '../../deliveries/concludeStop.ts';
import { isLate } from '../../deliveries/deadlineStore.ts';
import {
  type DeliveryDetail,
  type DetailPlace,
  type DetailStop,
  findDeliveryDetail,
} from '../../deliveries/deliveryDetailStore.ts';
import { findExpected } from '../../deliveries/expectedArrivals.ts';
import { isOver } from '../../deliveries/status.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import type { AttemptShown } from '../../requests/attemptStore.ts';
import {
  decisionCode,
  failureReasonCode,
  fullStatusCode,
  paymentCode,
  precisionCode,
} from '../../wire/codes.ts';
import { ProofSchema, type ProofsOfStop, proofsOfStops, type StopProofs } from '../../wire/proof.ts';
import { dataAnswer, formatKm, formatUtc, nullable } from '../../wire/values.ts';
import { deliveryDetailExample } from '../wire/deliveryDetailExample.ts';
import { instantShown } from '../wire/fields.ts';
import { statusField } from './overview.ts';

const text = Type.String();
const textOrNull = nullable(Type.String());
const moment = nullable(instantShown);

const place = {
  endereco: text,
  complemento: textOrNull,
  referencia: textOrNull,
  bairro: text,
  cidade: text,
  estado: text,
  lat: Type.Number(),
  lng: Type.Number(),
  localizacao: nullable(
    Type.Object(
      {
        fonte: text,
        precisao: Type.Enum(Object.values(precisionCode)),
        conferir: Type.Boolean({ description: 'encontrado com menos precisão do que a central pede' }),
      },
      { description: 'como as coordenadas foram encontradas; nulo quando vieram no pedido' },
    ),
  ),
};

const AttemptSchema = Type.Object({
  numero: Type.Integer(),
  condutor: textOrNull,
  motivo: Type.Enum(Object.values(failureReasonCode)),
  observacao: textOrNull,
  decisao: Type.Enum(Object.values(decisionCode)),
  em: instantShown,
  registrada_em: instantShown,
  desfeita_em: moment,
  resolvida_em: moment,
  resolucao: textOrNull,
  nova_entrega: textOrNull,
  comprovantes: Type.Array(ProofSchema, {
    description: 'as imagens que o entregador enviou desta tentativa',
  }),
});

const DeliveryDetailSchema = Type.Object({
  id: text,
  status: statusField,
  versao: Type.Integer({ description: 'cresce a cada mudança; enviada ao editar as paradas' }),
  retida: nullable(
    Type.Object(
      { motivo: text, em: instantShown },
      { description: 'por que a central a segura; só para a central, e nulo se não a segura' },
    ),
  ),
  atrasada: Type.Boolean(),
  previsao: nullable(
    Type.String({ description: 'até quando a etapa atual deveria terminar; nulo depois do fim' }),
  ),
  prometida_para: nullable(
    Type.String({ description: 'até quando o pedido prometeu a última parada; nulo nas mais antigas' }),
  ),
  empresa_id: textOrNull,
  nome_cliente: text,
  telefone_cliente: textOrNull,
  categoria: Type.Object({ id: text, nome: text }),
  tarifa: text,
  tipo_pagamento: text,
  com_retorno: Type.Boolean(),
  retorno_por_falha: Type.Boolean({ description: 'o retorno não foi pedido: leva de volta o não entregue' }),
  observacao: textOrNull,
  codigo_cupom: textOrNull,
  desconto: text,
  valor: text,
  valor_original: text,
  taxa_cancelamento: textOrNull,
  dinheiro_recebido: nullable(
    Type.String({
      description:
        'o dinheiro que os entregadores receberam, como está em suas contas, também onde nenhum valor foi registrado',
    }),
  ),
  km: text,
  minutos: Type.Integer(),
  km_percorridos: text,
  condutor: nullable(
    Type.Object({
      id: text,
      nome: text,
      telefone: text,
      veiculo: text,
      placa: text,
      cor: textOrNull,
      simulado: Type.Boolean(),
    }),
  ),
  condutor_especificado: Type.Boolean(),
  id_mch_programada: textOrNull,
  agrupada_em: textOrNull,
  agrupadas: Type.Array(text),
  motivo_cancelamento: nullable(Type.Object({ id: Type.Integer(), nome: text })),
  solicitada_em: instantShown,
  pendente_em: moment,
  aceita_em: moment,
  chegou_em: moment,
  iniciada_em: moment,
  finalizada_em: moment,
  nao_atendida_em: moment,
  pedida_de_novo_como: nullable(
    Type.String({ description: 'a entrega aberta no lugar de uma não atendida' }),
  ),
  dispensada: nullable(
    Type.Object(
      { motivo: text, em: instantShown, autor: textOrNull },
      { description: 'a não atendida que a central deixou de esperar; só para a central' },
    ),
  ),
  cancelada_em: moment,
  partida: Type.Object(place),
  paradas: Type.Array(
    Type.Object({
      id: text,
      ordem: Type.Integer(),
      ...place,
      pedida_com: Type.String({ description: 'a entrega com a qual foi pedida' }),
      numero_pedido: textOrNull,
      nome_cliente: textOrNull,
      telefone_cliente: textOrNull,
      observacao: textOrNull,
      valor_cobrar: textOrNull,
      concluida_em: moment,
      nao_entregue_em: nullable(
        Type.String({ description: 'desde quando está encerrada sem entrega; nulo se não está' }),
      ),
      tentativas: Type.Array(AttemptSchema, { description: 'as que falharam, da primeira à última' }),
      concluida_por: nullable(
        Type.Object(
          { id: text, nome: text },
          { description: 'o entregador que a concluiu, também depois que a entrega passou para outro' },
        ),
      ),
      previsao: nullable(
        Type.String({
          description: 'quando o entregador deve chegar; nula sem entregador a caminho ou concluída',
        }),
      ),
      recebido_por: textOrNull,
      valor_recebido: textOrNull,
      forma_recebimento: textOrNull,
      comprovantes: Type.Array(ProofSchema, { description: 'as imagens da última visita' }),
      codigo_bloqueado: Type.Boolean({ description: 'códigos incorretos demais: só sem código, com motivo' }),
    }),
  ),
});

type Shown = Static<typeof DeliveryDetailSchema>;

interface Reader {
  now: Temporal.Instant;
  language: Language;
  /** Whether the caller may read data that only the central sees. */
  isCentral: boolean;
}

const formatDeliveryDetail = (
  detail: DeliveryDetail,
  expected: ReadonlyMap<number, Temporal.Instant>,
  proofsOf: ProofsOfStop,
  { now, language, isCentral }: Reader,
): Shown => ({
  id: String(detail.id),
  status: fullStatusCode[detail.status],
  versao: detail.version,
  retida:
    detail.held && isCentral
      ? { motivo: detail.held.reason, em: formatUtc(Temporal.Instant.from(detail.held.at)) }
      : null,
  atrasada: !isOver(detail.status) && isLate(detail, now),
  previsao: isOver(detail.status) ? null : formatUtc(detail.dueAt),
  prometida_para: momentOrNull(detail.promisedAt),
  empresa_id: idOrNull(detail.companyId),
  nome_cliente: detail.customerName,
  telefone_cliente: detail.customerPhone,
  categoria: { id: String(detail.categoryId), nome: detail.categoryName },
  tarifa: detail.tariffName,
  tipo_pagamento: paymentCode[detail.payment],
  com_retorno: detail.returning,
  retorno_por_falha: detail.returnAdded,
  observacao: detail.note,
  codigo_cupom: detail.couponCode,
  desconto: detail.discountPercent,
  // The price of a grouped delivery is part of its carrier's.
  valor: centsToDecimal(detail.groupedInto === null ? detail.netCents : 0),
  valor_original: centsToDecimal(detail.groupedInto === null ? detail.grossCents : 0),
  taxa_cancelamento: moneyOrNull(detail.cancellationFeeCents),
  dinheiro_recebido: moneyOrNull(detail.cashCents),
  km: formatKm(detail.plannedMetres),
  minutos: Math.ceil(detail.plannedSeconds / 60),
  km_percorridos: formatKm(detail.travelledMetres),
  condutor: formatDriver(detail.driver),
  condutor_especificado: detail.driverSpecified,
  id_mch_programada: idOrNull(detail.scheduledId),
  agrupada_em: idOrNull(detail.groupedInto),
  agrupadas: detail.grouped.map(String),
  motivo_cancelamento:
    detail.reasonId === null
      ? null
      : { id: detail.reasonId, nome: (language === 'en' ? detail.reasonNameEn : detail.reasonName) ?? '' },
  solicitada_em: formatUtc(detail.requestedAt),
  pendente_em: momentOrNull(detail.pendingAt),
  aceita_em: momentOrNull(detail.acceptedAt),
  chegou_em: momentOrNull(detail.arrivedAt),
  iniciada_em: momentOrNull(detail.startedAt),
  finalizada_em: momentOrNull(detail.finishedAt),
  nao_atendida_em: momentOrNull(detail.notAttendedAt),
  pedida_de_novo_como: detail.orderedAgainAs === null ? null : String(detail.orderedAgainAs),
  dispensada:
    detail.dismissed && isCentral
      ? {
          motivo: detail.dismissed.reason,
          em: formatUtc(Temporal.Instant.from(detail.dismissed.at)),
          autor: detail.dismissed.by,
        }
      : null,
  cancelada_em: momentOrNull(detail.cancelledAt),
  partida: formatPlace(detail.pickup),
  paradas: detail.stops.map((stop) => formatStop(stop, proofsOf(stop), expected.get(stop.id) ?? null)),
});

const formatDriver = (driver: DeliveryDetail['driver']): Shown['condutor'] =>
  driver && {
    id: String(driver.id),
    nome: driver.name,
    telefone: driver.phone,
    veiculo: driver.vehicle,
    placa: driver.plate,
    cor: driver.color,
    simulado: driver.simulated,
  };

const formatPlace = (at: DetailPlace): Shown['partida'] => ({
  endereco: at.address,
  complemento: at.complement,
  referencia: at.reference,
  bairro: at.district,
  cidade: at.city,
  estado: at.state,
  lat: at.lat,
  lng: at.lng,
  localizacao: at.located && {
    fonte: at.located.by,
    precisao: precisionCode[at.located.precision],
    conferir: at.located.toCheck,
  },
});

const formatStop = (
  stop: DetailStop,
  proofs: StopProofs,
  expectedAt: Temporal.Instant | null,
): Shown['paradas'][number] => ({
  id: String(stop.id),
  ordem: stop.order,
  ...formatPlace(stop),
  pedida_com: String(stop.orderedWith),
  numero_pedido: stop.orderNumber,
  nome_cliente: stop.recipientName,
  telefone_cliente: stop.recipientPhone,
  observacao: stop.note,
  valor_cobrar: moneyOrNull(stop.collectCents),
  concluida_em: stop.isNotDelivered ? null : textMoment(stop.concludedAt),
  nao_entregue_em: stop.isNotDelivered ? textMoment(stop.concludedAt) : null,
  tentativas: stop.attempts.map((attempt) => formatAttempt(attempt, proofs.attempt(attempt.number))),
  concluida_por: stop.concludedBy && { id: String(stop.concludedBy.id), nome: stop.concludedBy.name },
  previsao: momentOrNull(expectedAt),
  recebido_por: stop.receivedBy,
  valor_recebido: moneyOrNull(stop.receivedCents),
  forma_recebimento: stop.receivedPayment && paymentCode[stop.receivedPayment],
  comprovantes: proofs.lastVisit,
  codigo_bloqueado: isLocked(stop.wrongCodes),
});

const formatAttempt = (
  attempt: AttemptShown,
  proofs: Static<typeof ProofSchema>[],
): Static<typeof AttemptSchema> => ({
  numero: attempt.number,
  condutor: attempt.driverName,
  motivo: failureReasonCode[attempt.reason],
  observacao: attempt.note,
  decisao: decisionCode[attempt.decision],
  em: textMoment(attempt.happenedAt)!,
  registrada_em: textMoment(attempt.recordedAt)!,
  desfeita_em: textMoment(attempt.undoneAt),
  resolvida_em: textMoment(attempt.resolvedAt),
  resolucao: attempt.resolution,
  nova_entrega: idOrNull(attempt.newDeliveryId),
  comprovantes: proofs,
});

const textMoment = (at: string | null): string | null => at && formatUtc(Temporal.Instant.from(at));
const idOrNull = (id: number | null): string | null => (id === null ? null : String(id));
const moneyOrNull = (cents: number | null): string | null => (cents === null ? null : centsToDecimal(cents));
const momentOrNull = (instant: Temporal.Instant | null): string | null => instant && formatUtc(instant);

export const getDeliveryDetailEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id',
  tag: 'Operação: ao vivo',
  summary: 'Ler a ficha de uma entrega',
  description:
    'Tudo o que a central sabe da entrega: paradas com destinatário e conclusão, entregador, valores, momentos. De uma entrega agrupada em outra, as paradas pedidas com ela.',
  permission: 'watch',
  limit: 'operations',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(DeliveryDetailSchema),
  answerExample: { success: true, data: deliveryDetailExample },
  async handle({ deps, caller, params, language, publicUrl }) {
    const { db, clock } = deps;
    const now = clock.now();
    const { central } = caller;
    const detail = await findDeliveryDetail(db, caller, params.id!);
    const expected = await findExpected(db, central, detail.groupedInto ?? detail.id, now);
    const proofsOf = await proofsOfStops(deps, caller.centralId, detail.stops, publicUrl);
    const isCentral = caller.companyId === null;
    return { data: formatDeliveryDetail(detail, expected, proofsOf, { now, language, isCentral }) };
  },
});
