import { isLocked } from '../../../deliveries/deliveries/concludeStop.ts';
import { isLate } from '../../../deliveries/deliveries/deadlineStore.ts';
import {
  type DeliveryDetail,
  type DetailDriver,
  type DetailPlace,
  type DetailStop,
  findDeliveryDetail,
} from '../../../deliveries/deliveries/deliveryDetailStore.ts';
import { findExpected } from '../../../deliveries/deliveries/expectedArrivals.ts';
import { isOver } from '../../../deliveries/deliveries/status.ts';
import type { Located } from '../../../deliveries/orders/request.ts';
import type { AttemptShown } from '../../../deliveries/orders/visitStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { decisionCode, failureReasonCode, paymentCode, precisionCode } from '../../json/codes.ts';
import { demandsOfAll, demandsOfStop } from '../../json/demandJson.ts';
import { type ProofShown, type ProofsOfStop, proofShown, proofsOfStops } from '../../json/proofJson.ts';
import { dataAnswer } from '../../json/values.ts';
import {
  cents,
  code,
  flag,
  id,
  instant,
  integer,
  km,
  list,
  minutes,
  one,
  text,
  view,
} from '../../json/view.ts';
import { named, oneId, ownKey, type PlaceExample, placeFields, status } from '../wire/commonFields.ts';

interface Reader {
  now: Temporal.Instant;
  language: Language;
  /** Whether the caller may read data that only the central sees. */
  isCentral: boolean;
  expected: ReadonlyMap<number, Temporal.Instant>;
  proofsOf: ProofsOfStop;
}

const located = view<Located>()({
  fonte: text((at) => at.by, 'central'),
  precisao: code(precisionCode)((at) => at.precision, 'numero'),
  conferir: flag((at) => at.toCheck, false, 'encontrado com menos precisão do que a central pede'),
});

const locatedFields = (example: PlaceExample) => ({
  ...placeFields(example),
  localizacao: one.orNull(located, (at: DetailPlace) => at.located, {
    description: 'como as coordenadas foram encontradas; nulo quando vieram no pedido',
    example: null,
  }),
});

const pickup = view<DetailPlace>()(
  locatedFields({
    endereco: 'Rua dos Andradas, 1001',
    bairro: 'Centro Histórico',
    lat: -30.0305,
    lng: -51.2303,
  }),
);

const attempt = view<AttemptShown & { images: readonly ProofShown[] }>()({
  numero: integer((attempt) => attempt.number, 1),
  condutor: text.orNull((attempt) => attempt.driverName, 'Carlos Lima'),
  motivo: code(failureReasonCode)((attempt) => attempt.reason, 'ausente'),
  observacao: text.orNull((attempt) => attempt.note, null),
  decisao: code(decisionCode)((attempt) => attempt.decision, 'tentar_depois'),
  em: instant((attempt) => attempt.happenedAt, '2026-11-16T15:30:51Z'),
  registrada_em: instant((attempt) => attempt.recordedAt, '2026-11-16T15:30:52Z'),
  desfeita_em: instant.orNull((attempt) => attempt.undoneAt, null),
  resolvida_em: instant.orNull((attempt) => attempt.resolvedAt, null),
  resolucao: text.orNull((attempt) => attempt.resolution, null),
  nova_entrega: id.orNull((attempt) => attempt.newDeliveryId, null),
  comprovantes: list(proofShown, (attempt) => attempt.images, {
    description: 'as imagens que o entregador enviou desta tentativa',
  }),
});

const stop = view<DetailStop, Reader>()({
  id: id((stop) => stop.id, '2077'),
  ordem: integer((stop) => stop.order, 0),
  ...locatedFields({
    endereco: 'Avenida Ipiranga, 1200',
    bairro: 'Azenha',
    lat: -30.0489,
    lng: -51.2158,
  }),
  pedida_com: id((stop) => stop.orderedWith, '1042', 'a entrega com a qual foi pedida'),
  numero_pedido: text.orNull((stop) => stop.orderNumber, 'A-1'),
  nome_cliente: text.orNull((stop) => stop.recipientName, 'Maria'),
  telefone_cliente: text.orNull((stop) => stop.recipientPhone, '51999990000'),
  observacao: text.orNull((stop) => stop.note, null),
  valor_cobrar: cents.orNull((stop) => stop.collectCents, '25.00'),
  concluida_em: instant.orNull((stop) => (stop.isNotDelivered ? null : stop.concludedAt), null),
  nao_entregue_em: instant.orNull(
    (stop) => (stop.isNotDelivered ? stop.concludedAt : null),
    null,
    'desde quando está encerrada sem entrega; nulo se não está',
  ),
  tentativas: list(
    attempt,
    (stop, { proofsOf }) => {
      const proofs = proofsOf(stop);
      return stop.attempts.map((each) => ({ ...each, images: proofs.attempt(each.number) }));
    },
    { description: 'as que falharam, da primeira à última', example: [] },
  ),
  concluida_por: one.orNull(named, (stop) => stop.concludedBy, {
    description: 'o entregador que a concluiu, também depois que a entrega passou para outro',
    example: null,
  }),
  previsao: instant.orNull(
    (stop, { expected }) => expected.get(stop.id),
    '2026-11-16T15:24:30Z',
    'quando o entregador deve chegar; nula sem entregador a caminho ou concluída',
  ),
  recebido_por: text.orNull((stop) => stop.receivedBy, 'Maria Souza'),
  valor_recebido: cents.orNull((stop) => stop.receivedCents, '25.00'),
  forma_recebimento: text.orNull((stop) => stop.receivedPayment && paymentCode[stop.receivedPayment], 'D'),
  comprovantes: list(proofShown, (stop, { proofsOf }) => proofsOf(stop).lastVisit, {
    description: 'as imagens da última visita',
  }),
  codigo_bloqueado: flag(
    (stop) => isLocked(stop.wrongCodes),
    false,
    'códigos incorretos demais: só sem código, com motivo',
  ),
  exigencias: demandsOfStop<DetailStop>(),
});

const driver = view<DetailDriver>()({
  id: id((driver) => driver.id, '3'),
  nome: text((driver) => driver.name, 'Carlos Lima'),
  telefone: text((driver) => driver.phone, '51999990003'),
  veiculo: text((driver) => driver.vehicle, 'Honda Biz'),
  placa: text((driver) => driver.plate, 'IXC3D45'),
  cor: text.orNull((driver) => driver.color, 'branca'),
  simulado: flag((driver) => driver.simulated, false),
});

const hold = view<NonNullable<DeliveryDetail['held']>>()({
  motivo: text((held) => held.reason, 'falta o troco'),
  em: instant((held) => held.at, '2026-11-16T15:00:00Z'),
});

const dismissal = view<NonNullable<DeliveryDetail['dismissed']>>()({
  motivo: text((dismissed) => dismissed.reason, 'o cliente desistiu'),
  em: instant((dismissed) => dismissed.at, '2026-11-16T15:00:00Z'),
  autor: text.orNull((dismissed) => dismissed.by, 'operador'),
});

const reason = view<DeliveryDetail, Reader>()({
  id: id((delivery) => delivery.reasonId!, '1'),
  nome: text(
    ({ reasonName, reasonNameEn }, { language }) => (language === 'en' ? reasonNameEn : reasonName) ?? '',
    'Cliente desistiu',
  ),
});

// A published example: the order of its fields stays as it is.
const town = { complemento: null, referencia: null, localizacao: null, cidade: 'Porto Alegre', estado: 'RS' };

const deliveryDetail = view<DeliveryDetail, Reader>()({
  id: id((delivery) => delivery.id, '1042'),
  status: status((delivery) => delivery.status, 'E'),
  versao: integer((delivery) => delivery.version, 6, 'cresce a cada mudança; enviada ao editar as paradas'),
  retida: one.orNull(hold, ({ held }, { isCentral }) => (isCentral ? held : null), {
    description: 'por que a central a segura; só para a central, e nulo se não a segura',
    example: null,
  }),
  atrasada: flag((delivery, { now }) => !isOver(delivery.status) && isLate(delivery, now), false),
  previsao: instant.orNull(
    ({ status, dueAt }) => (isOver(status) ? null : dueAt),
    '2026-11-16T15:40:07Z',
    'até quando a etapa atual deveria terminar; nulo depois do fim',
  ),
  prometida_para: instant.orNull(
    (delivery) => delivery.promisedAt,
    '2026-11-16T15:42:00Z',
    'até quando o pedido prometeu a última parada; nulo nas mais antigas',
  ),
  empresa_id: id.orNull((delivery) => delivery.companyId, '1'),
  nome_cliente: text((delivery) => delivery.customerName, 'Padaria Moinhos'),
  telefone_cliente: text.orNull((delivery) => delivery.customerPhone, '5133331234'),
  categoria: one(named, ({ categoryId, categoryName }) => ({ id: categoryId, name: categoryName })),
  tarifa: text((delivery) => delivery.tariffName, 'Moto padrão'),
  tipo_pagamento: text((delivery) => paymentCode[delivery.payment], 'D'),
  com_retorno: flag((delivery) => delivery.returning, false),
  retorno_por_falha: flag(
    (delivery) => delivery.returnAdded,
    false,
    'o retorno não foi pedido: leva de volta o não entregue',
  ),
  observacao: text.orNull((delivery) => delivery.note, null),
  codigo_cupom: text.orNull((delivery) => delivery.couponCode, 'DEMO10'),
  desconto: text((delivery) => delivery.discountPercent, '10.00'),
  // The price of a grouped delivery is part of its carrier's.
  valor: cents(({ groupedInto, netCents }) => (groupedInto === null ? netCents : 0), '15.29'),
  valor_original: cents(({ groupedInto, grossCents }) => (groupedInto === null ? grossCents : 0), '16.99'),
  taxa_cancelamento: cents.orNull((delivery) => delivery.cancellationFeeCents, null),
  dinheiro_recebido: cents.orNull(
    (delivery) => delivery.cashCents,
    null,
    'o dinheiro que os entregadores receberam, como está em suas contas, também onde nenhum valor foi registrado',
  ),
  km: km((delivery) => delivery.plannedMetres, 4.31),
  minutos: minutes((delivery) => delivery.plannedSeconds, 14),
  km_percorridos: km((delivery) => delivery.travelledMetres, 1.2),
  condutor: one.orNull(driver, (delivery) => delivery.driver),
  condutor_especificado: flag((delivery) => delivery.driverSpecified, false),
  id_mch_programada: id.orNull((delivery) => delivery.scheduledId, null),
  id_externo: ownKey,
  agrupada_em: id.orNull((delivery) => delivery.groupedInto, null),
  agrupadas: list(oneId, (delivery) => delivery.grouped, { example: [] }),
  motivo_cancelamento: one.orNull(reason, (delivery) => (delivery.reasonId === null ? null : delivery), {
    example: null,
  }),
  solicitada_em: instant((delivery) => delivery.requestedAt, '2026-11-16T15:00:00Z'),
  pendente_em: instant.orNull((delivery) => delivery.pendingAt, null),
  aceita_em: instant.orNull((delivery) => delivery.acceptedAt, '2026-11-16T15:01:12Z'),
  chegou_em: instant.orNull((delivery) => delivery.arrivedAt, '2026-11-16T15:09:41Z'),
  iniciada_em: instant.orNull((delivery) => delivery.startedAt, '2026-11-16T15:11:43Z'),
  finalizada_em: instant.orNull((delivery) => delivery.finishedAt, null),
  nao_atendida_em: instant.orNull((delivery) => delivery.notAttendedAt, null),
  pedida_de_novo_como: id.orNull(
    (delivery) => delivery.orderedAgainAs,
    null,
    'a entrega aberta no lugar de uma não atendida',
  ),
  dispensada: one.orNull(dismissal, ({ dismissed }, { isCentral }) => (isCentral ? dismissed : null), {
    description: 'a não atendida que a central deixou de esperar; só para a central',
    example: null,
  }),
  cancelada_em: instant.orNull((delivery) => delivery.cancelledAt, null),
  partida: one(pickup, (delivery) => delivery.pickup, { example: { ...town, ...pickup.example } }),
  exigencias: demandsOfAll<DeliveryDetail>(),
  paradas: list(stop, (delivery) => delivery.stops, { example: [{ ...town, ...stop.example }] }),
});

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
  answer: dataAnswer(deliveryDetail.schema),
  answerExample: { success: true, data: deliveryDetail.example },
  async handle({ deps, caller, params, language, publicUrl }) {
    const { db, clock } = deps;
    const now = clock.now();
    const { central } = caller;
    const detail = await findDeliveryDetail(db, caller, params.id!);
    const expected = await findExpected(db, central, detail.groupedInto ?? detail.id, now);
    const proofsOf = await proofsOfStops(deps, caller.centralId, detail.stops, publicUrl);
    const isCentral = caller.companyId === null;
    return { data: deliveryDetail.show(detail, { now, language, isCentral, expected, proofsOf }) };
  },
});
