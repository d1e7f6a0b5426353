import type { Static } from 'typebox';
import Type from 'typebox';
import { writtenCode } from '../../../deliveries/deliveries/concludeStop.ts';
import {
  type DeliveryDetail,
  type DetailStop,
  findDeliveryDetail,
} from '../../../deliveries/deliveries/deliveryDetailStore.ts';
import { isOver } from '../../../deliveries/deliveries/status.ts';
import { readTracking } from '../../../deliveries/tracking/readTracking.ts';
import type { TrackedStop } from '../../../deliveries/tracking/trackedStopStore.ts';
import { listHistory, type PastEvent } from '../../../events/record/historyStore.ts';
import { centsToDecimal } from '../../../platform/kernel/money.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../../platform/kernel/retryOnConflict.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { decisionCode, failureReasonCode, paymentCode, statusCode } from '../../json/codes.ts';
import { decimal, deliveryAnswer, localTime, stopAnswer, utcTime } from '../../json/deliveryJson.ts';
import { demandsOfAll, demandsOfStop } from '../../json/demandJson.ts';
import { EVENT_TYPE_NAMES, eventTypes, formatEvent } from '../../json/eventTypes.ts';
import { type ProofsOfStop, proofShown, proofsOfStops } from '../../json/proofJson.ts';
import { dataAnswer, formatDegrees, formatKm, formatLocal, formatUtc, nullable } from '../../json/values.ts';
import { findDeliveryDocument } from '../deliveryJsonStore.ts';

const text = Type.String();
const textOrNull = nullable(Type.String());

const stopDemands = demandsOfStop<DetailStop>();
const allDemands = demandsOfAll<DeliveryDetail>();

const DetailedStopSchema = Type.Object({
  ...stopAnswer.schema.properties,
  referencia: textOrNull,
  nome_cliente: textOrNull,
  telefone_cliente: textOrNull,
  observacao: textOrNull,
  id_externo: textOrNull,
  valor_cobrar: nullable(decimal),
  entrega_pedida: Type.String({
    description: 'a entrega com que a parada foi pedida; outra depois de agrupada',
  }),
  status: Type.Enum(['pendente', 'concluida', 'nao_entregue', 'nao_realizada'], {
    description:
      'nao_entregue: o condutor esteve lá e não pôde entregar; nao_realizada: a entrega terminou sem ela',
  }),
  data_hora_conclusao: nullable(localTime),
  data_hora_conclusao_utc: nullable(utcTime),
  tentativas: Type.Array(
    Type.Object({
      numero: Type.Integer(),
      motivo: Type.Enum(Object.values(failureReasonCode)),
      decisao: Type.Enum(Object.values(decisionCode)),
      data_hora: localTime,
      data_hora_utc: utcTime,
      comprovantes: Type.Array(proofShown.schema, { description: 'as imagens desta tentativa' }),
    }),
    { description: 'as que falharam e não foram desfeitas' },
  ),
  recebido_por: textOrNull,
  valor_recebido: nullable(decimal),
  forma_recebimento: nullable(Type.Enum(Object.values(paymentCode))),
  comprovantes: Type.Array(proofShown.schema, {
    description: 'foto e assinatura da última visita, por links que expiram',
  }),
  link_rastreio: text,
  codigo_confirmacao: nullable(
    Type.String({
      description: '4 dígitos, também os zeros à esquerda; nulo se a central não exige códigos',
    }),
  ),
  exigencias: stopDemands.schema,
});

const PastEventSchema = Type.Object({
  id: Type.String({ description: 'o mesmo do webhook (webhook-id)' }),
  tipo: Type.Enum([...EVENT_TYPE_NAMES]),
  data_hora: localTime,
  data_hora_utc: utcTime,
  dados: Type.Object({}, { additionalProperties: true, description: 'como no webhook deste tipo' }),
});

/** Contract 4.21: the fields of 2.1 and further ones. */
export const DeliveryDetailSchema = Type.Object({
  ...deliveryAnswer.schema.properties,
  status: Type.Enum([...new Set(Object.values(statusCode))], {
    description: 'como em GET /entregas/{id}/status',
  }),
  telefone_cliente: textOrNull,
  observacao: textOrNull,
  valor_original: Type.String({ description: 'antes do desconto do cupom' }),
  distancia_prevista_km: decimal,
  duracao_prevista_minutos: Type.Integer(),
  id_mch_programada: nullable(Type.String({ description: 'a programada que a gerou' })),
  agrupada_em: nullable(Type.String({ description: 'a entrega que a leva, se foi agrupada' })),
  entregas_agrupadas: Type.Array(Type.String()),
  data_hora_nao_atendimento: nullable(localTime),
  data_hora_nao_atendimento_utc: nullable(utcTime),
  motivo_cancelamento: nullable(Type.Object({ id: Type.Integer(), nome: text })),
  exigencias: allDemands.schema,
  paradas: Type.Array(DetailedStopSchema),
  eventos: Type.Array(PastEventSchema, { description: 'o que aconteceu, do mais antigo ao mais novo' }),
});

/** The data of one delivery. */
export interface DetailSources {
  /** Contract 2.1, as JSON. */
  document: string;
  detail: DeliveryDetail;
  tracked: readonly TrackedStop[];
  events: readonly PastEvent[];
  proofsOf: ProofsOfStop;
}

interface Reader {
  timeZone: string;
  language: Language;
  publicUrl: string;
}

function formatDeliveryDetail(
  { document, detail, tracked, events, proofsOf }: DetailSources,
  { timeZone, language, publicUrl }: Reader,
): Static<typeof DeliveryDetailSchema> {
  const local = (instant: Temporal.Instant | null) => instant && formatLocal(instant, timeZone);
  const reasonName = language === 'en' ? detail.reasonNameEn : detail.reasonName;
  const trackedById = new Map(tracked.map((stop) => [stop.id, stop]));

  const formatStop = (stop: DetailStop) => {
    const concludedAt =
      stop.concludedAt === null || stop.isNotDelivered ? null : Temporal.Instant.from(stop.concludedAt);
    const attempts = stop.attempts.filter(({ undoneAt }) => undoneAt === null);
    const { token, code } = trackedById.get(stop.id)!;
    const proofs = proofsOf(stop);
    const demands = stopDemands.show(stop);
    return {
      id: String(stop.id),
      endereco: stop.address,
      complemento: stop.complement ?? '',
      bairro: stop.district,
      cidade: stop.city,
      uf: stop.state,
      lat: formatDegrees(stop.lat),
      lng: formatDegrees(stop.lng),
      ordem: stop.order,
      numero_pedido: stop.orderNumber ?? '',
      referencia: stop.reference,
      nome_cliente: stop.recipientName,
      telefone_cliente: stop.recipientPhone,
      observacao: stop.note,
      id_externo: stop.externalId,
      valor_cobrar: stop.collectCents === null ? null : centsToDecimal(stop.collectCents),
      entrega_pedida: String(stop.orderedWith),
      status: concludedAt
        ? ('concluida' as const)
        : stop.isNotDelivered
          ? ('nao_entregue' as const)
          : isOver(detail.status)
            ? ('nao_realizada' as const)
            : 'pendente',
      data_hora_conclusao: local(concludedAt),
      data_hora_conclusao_utc: concludedAt && formatUtc(concludedAt),
      tentativas: attempts.map(({ number, reason, decision, happenedAt }) => ({
        numero: number,
        motivo: failureReasonCode[reason],
        decisao: decisionCode[decision],
        data_hora: formatLocal(Temporal.Instant.from(happenedAt), timeZone),
        data_hora_utc: formatUtc(Temporal.Instant.from(happenedAt)),
        comprovantes: proofs.attempt(number),
      })),
      recebido_por: stop.receivedBy,
      valor_recebido: stop.receivedCents === null ? null : centsToDecimal(stop.receivedCents),
      forma_recebimento: stop.receivedPayment && paymentCode[stop.receivedPayment],
      comprovantes: proofs.lastVisit,
      link_rastreio: `${publicUrl}/rastreio/${token}`,
      codigo_confirmacao: code === null ? null : writtenCode(code),
      ...(demands && { exigencias: demands }),
    };
  };

  const demands = allDemands.show(detail);
  return {
    ...JSON.parse(document),
    status: statusCode[detail.status],
    telefone_cliente: detail.customerPhone,
    observacao: detail.note,
    valor_original: centsToDecimal(detail.groupedInto === null ? detail.grossCents : 0),
    distancia_prevista_km: formatKm(detail.plannedMetres),
    duracao_prevista_minutos: Math.ceil(detail.plannedSeconds / 60),
    id_mch_programada: idOrNull(detail.scheduledId),
    agrupada_em: idOrNull(detail.groupedInto),
    entregas_agrupadas: detail.grouped.map(String),
    data_hora_nao_atendimento: local(detail.notAttendedAt),
    data_hora_nao_atendimento_utc: detail.notAttendedAt && formatUtc(detail.notAttendedAt),
    motivo_cancelamento: detail.reasonId === null ? null : { id: detail.reasonId, nome: reasonName ?? '' },
    ...(demands && { exigencias: demands }),
    paradas: detail.stops.map(formatStop),
    eventos: events.map((event) => ({
      id: event.uid,
      tipo: eventTypes[event.type].name,
      data_hora: formatLocal(event.happenedAt ?? event.occurredAt, timeZone),
      data_hora_utc: formatUtc(event.happenedAt ?? event.occurredAt),
      dados: formatEvent({ ...event, timeZone }, { language, publicUrl }).data,
    })),
  };
}

const idOrNull = (id: number | null): string | null => (id === null ? null : String(id));

const deliveryDetailExample: Static<typeof DeliveryDetailSchema> = {
  ...deliveryAnswer.example,
  status: 'F',
  telefone_cliente: '5133330001',
  observacao: null,
  valor_original: '16.99',
  distancia_prevista_km: '4.31',
  duracao_prevista_minutos: 11,
  id_mch_programada: null,
  agrupada_em: null,
  entregas_agrupadas: [],
  data_hora_nao_atendimento: null,
  data_hora_nao_atendimento_utc: null,
  motivo_cancelamento: null,
  paradas: deliveryAnswer.example.paradas.map((stop) => ({
    ...stop,
    referencia: null,
    nome_cliente: 'Maria',
    telefone_cliente: '51999990000',
    observacao: null,
    id_externo: 'erp-991',
    valor_cobrar: null,
    entrega_pedida: deliveryAnswer.example.id,
    status: 'concluida',
    data_hora_conclusao: '2026-11-16 12:31:05',
    data_hora_conclusao_utc: '2026-11-16T15:31:05Z',
    tentativas: [],
    recebido_por: 'Maria Souza',
    valor_recebido: null,
    forma_recebimento: null,
    comprovantes: [proofShown.example],
    link_rastreio: 'https://malote.example/rastreio/1.Zk3vXoQ1sT9bYw5uE2hRaA',
    codigo_confirmacao: '0123',
  })),
  eventos: [
    {
      id: '5f0c1d0e-6a5b-4c7e-9a55-0d8a3f1f2b11',
      tipo: 'entrega.status',
      data_hora: '2026-11-16 12:00:00',
      data_hora_utc: '2026-11-16T15:00:00Z',
      dados: { id: '1042', sequencia: 1, status: 'D', status_anterior: null },
    },
  ],
};

/** More than any delivery of a day has. */
const EVENTS_MAX = 500;
const firstEvents = { limit: EVENTS_MAX, offset: 0 };

/** Contract 4.21. */
export const getDeliveryDetailEndpoint = endpoint({
  method: 'GET',
  path: '/entregas/:id/detalhes',
  operation: 'obterDetalhesEntrega',
  tag: 'Entregas',
  summary: 'Ler os detalhes de uma entrega',
  description:
    'Os campos da consulta (2.1) e ainda: quem recebe em cada parada, quando foi concluída, o link de rastreio e o ' +
    'código de confirmação (gerado como em links-rastreio), e os eventos da entrega e da programada de que veio (até ' +
    `${EVENTS_MAX}). De ` +
    'uma entrega agrupada em outra, as paradas são as pedidas com ela.',
  permission: 'watch',
  limit: 'deliveries',
  refusals: ['delivery-not-found'],
  answer: dataAnswer(DeliveryDetailSchema),
  answerExample: { success: true, data: deliveryDetailExample },
  async handle({ deps, caller, params, language, publicUrl }) {
    const id = params.id!;
    const { centralId, central } = caller;
    const detail = await retryOnConflict(async () => {
      const tracked = await readTracking(deps, caller, id);
      // One snapshot for all parts, so that no part shows a later state than the others.
      const read = await deps.db.beginIndependent(async (tx) => {
        await tx.write`set transaction isolation level repeatable read read only`;
        const document = await findDeliveryDocument(tx, caller, central.timeZone, id);
        if (document === undefined) throw new Refusal('delivery-not-found');
        const detail = await findDeliveryDetail(tx, caller, id);
        const events = await listHistory(tx, centralId, id, detail.scheduledId, firstEvents);
        return { document, detail, events };
      });
      const known = new Set(tracked.map((stop) => stop.id));
      if (!read.detail.stops.every((stop) => known.has(stop.id))) throw new ChangedMeanwhile();
      return { ...read, tracked };
    });
    const proofsOf = await proofsOfStops(deps, centralId, detail.detail.stops, publicUrl);
    return {
      data: formatDeliveryDetail(
        { ...detail, proofsOf },
        { timeZone: central.timeZone, language, publicUrl },
      ),
    };
  },
});
