import Type, { type Static } from 'typebox';
import { nullable } from '../../contract/wire/answers.ts';
import { paymentCode } from '../../contract/wire/codes.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import { formatKm } from '../../contract/wire/measures.ts';
import { isLocked } from '../../deliveries/confirmation.ts';
import type { DeliverySheet, SheetPlace, SheetStop } from '../../deliveries/deliverySheetStore.ts';
import { isOver } from '../../deliveries/status.ts';
import type { Language } from '../../http/language.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { fullStatusCode } from './codes.ts';
import { instantShown } from './fields.ts';
import { statusField } from './openDelivery.ts';

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
};

export const DeliverySheetSchema = Type.Object({
  id: text,
  status: statusField,
  atrasada: Type.Boolean(),
  previsao: nullable(
    Type.String({ description: 'até quando a etapa atual deveria terminar; nulo depois do fim' }),
  ),
  empresa_id: textOrNull,
  nome_cliente: text,
  telefone_cliente: textOrNull,
  categoria: Type.Object({ id: text, nome: text }),
  tarifa: text,
  tipo_pagamento: text,
  com_retorno: Type.Boolean(),
  observacao: textOrNull,
  codigo_cupom: textOrNull,
  desconto: text,
  valor: text,
  valor_original: text,
  taxa_cancelamento: textOrNull,
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
      codigo_bloqueado: Type.Boolean({ description: 'códigos incorretos demais: só sem código, com motivo' }),
    }),
  ),
});

type Shown = Static<typeof DeliverySheetSchema>;

export const formatSheet = (sheet: DeliverySheet, now: Temporal.Instant, language: Language): Shown => ({
  id: String(sheet.id),
  status: fullStatusCode[sheet.status],
  atrasada: !isOver(sheet.status) && Temporal.Instant.compare(sheet.dueAt, now) < 0,
  previsao: isOver(sheet.status) ? null : formatUtc(sheet.dueAt),
  empresa_id: idOrNull(sheet.companyId),
  nome_cliente: sheet.customerName,
  telefone_cliente: sheet.customerPhone,
  categoria: { id: String(sheet.categoryId), nome: sheet.categoryName },
  tarifa: sheet.tariffName,
  tipo_pagamento: paymentCode[sheet.payment],
  com_retorno: sheet.returning,
  observacao: sheet.note,
  codigo_cupom: sheet.couponCode,
  desconto: sheet.discountPercent,
  // The price of one that was grouped has moved to the one that carries it.
  valor: centsToDecimal(sheet.groupedInto === null ? sheet.netCents : 0),
  valor_original: centsToDecimal(sheet.groupedInto === null ? sheet.grossCents : 0),
  taxa_cancelamento: moneyOrNull(sheet.cancellationFeeCents),
  km: formatKm(sheet.plannedMetres),
  minutos: Math.ceil(sheet.plannedSeconds / 60),
  km_percorridos: formatKm(sheet.travelledMetres),
  condutor: formatDriver(sheet.driver),
  condutor_especificado: sheet.driverSpecified,
  id_mch_programada: idOrNull(sheet.scheduledId),
  agrupada_em: idOrNull(sheet.groupedInto),
  agrupadas: sheet.grouped.map(String),
  motivo_cancelamento:
    sheet.reasonId === null
      ? null
      : { id: sheet.reasonId, nome: (language === 'en' ? sheet.reasonNameEn : sheet.reasonName) ?? '' },
  solicitada_em: formatUtc(sheet.requestedAt),
  pendente_em: momentOrNull(sheet.pendingAt),
  aceita_em: momentOrNull(sheet.acceptedAt),
  chegou_em: momentOrNull(sheet.arrivedAt),
  iniciada_em: momentOrNull(sheet.startedAt),
  finalizada_em: momentOrNull(sheet.finishedAt),
  nao_atendida_em: momentOrNull(sheet.notAttendedAt),
  cancelada_em: momentOrNull(sheet.cancelledAt),
  partida: formatPlace(sheet.pickup),
  paradas: sheet.stops.map(formatStop),
});

const formatDriver = (driver: DeliverySheet['driver']): Shown['condutor'] =>
  driver && {
    id: String(driver.id),
    nome: driver.name,
    telefone: driver.phone,
    veiculo: driver.vehicle,
    placa: driver.plate,
    cor: driver.color,
    simulado: driver.simulated,
  };

const formatPlace = (at: SheetPlace): Shown['partida'] => ({
  endereco: at.address,
  complemento: at.complement,
  referencia: at.reference,
  bairro: at.district,
  cidade: at.city,
  estado: at.state,
  lat: at.lat,
  lng: at.lng,
});

const formatStop = (stop: SheetStop): Shown['paradas'][number] => ({
  id: String(stop.id),
  ordem: stop.order,
  ...formatPlace(stop),
  pedida_com: String(stop.orderedWith),
  numero_pedido: stop.orderNumber,
  nome_cliente: stop.recipientName,
  telefone_cliente: stop.recipientPhone,
  observacao: stop.note,
  valor_cobrar: moneyOrNull(stop.collectCents),
  concluida_em: stop.concludedAt && formatUtc(Temporal.Instant.from(stop.concludedAt)),
  codigo_bloqueado: isLocked(stop.wrongCodes),
});

const idOrNull = (id: number | null): string | null => (id === null ? null : String(id));
const moneyOrNull = (cents: number | null): string | null => (cents === null ? null : centsToDecimal(cents));
const momentOrNull = (instant: Temporal.Instant | null): string | null => instant && formatUtc(instant);
