import Type, { type Static } from 'typebox';
import { nullable } from '../../contract/wire/answers.ts';
import { paymentCode, situationCode } from '../../contract/wire/codes.ts';
import { formatUtc } from '../../contract/wire/dates.ts';
import { describeDispatchFailure } from '../../contract/wire/dispatchFailure.ts';
import type { Language } from '../../http/language.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import type { BoardEntry, BoardStop } from '../../scheduled/scheduledBoardStore.ts';
import { instantShown } from './fields.ts';
import { FiguresSchema, formatFigures } from './groupPreview.ts';

const text = Type.String();
const maybe = nullable(text);
const named = Type.Object({ id: text, nome: text });

const StopSchema = Type.Object({
  id: text,
  ordem: Type.Integer(),
  pedida_com: Type.String({ description: 'a programada com que a parada foi pedida' }),
  endereco: text,
  complemento: maybe,
  referencia: maybe,
  bairro: text,
  cidade: text,
  estado: text,
  lat: Type.Number(),
  lng: Type.Number(),
  numero_pedido: maybe,
  id_externo: maybe,
  nome_cliente: maybe,
  telefone_cliente: maybe,
  observacao: maybe,
  valor_cobrar: maybe,
});

export const BoardEntrySchema = Type.Object({
  id_mch_programada: text,
  situacao: Type.Enum(Object.values(situationCode)),
  disparo_em: instantShown,
  pedida_em: instantShown,
  empresa: nullable(named),
  nome_cliente: text,
  categoria: named,
  tarifa: text,
  forma_pagamento: Type.Enum(Object.values(paymentCode)),
  com_retorno: Type.Boolean(),
  observacao: maybe,
  codigo_cupom: maybe,
  valor_original: Type.String({ description: 'antes do cupom' }),
  ...FiguresSchema.properties,
  estimativa_desatualizada: Type.Boolean({
    description: 'uma parada saiu sem que a rota pudesse ser refeita; é refeita até o disparo',
  }),
  id_mch: maybe,
  agrupada_em: nullable(Type.String({ description: 'a programada que leva as suas paradas' })),
  agrupada_automaticamente: Type.Boolean(),
  agrupadas: Type.Array(Type.String(), { description: 'as programadas cujas paradas ela leva' }),
  falha: nullable(Type.String({ description: 'por que o disparo falhou, em palavras' })),
  coleta: Type.Object({
    endereco: text,
    complemento: maybe,
    referencia: maybe,
    bairro: text,
    cidade: text,
    estado: text,
    lat: Type.Number(),
    lng: Type.Number(),
  }),
  paradas: Type.Array(StopSchema),
});

export const formatBoardEntry = (entry: BoardEntry, language: Language): Static<typeof BoardEntrySchema> => ({
  id_mch_programada: String(entry.id),
  situacao: situationCode[entry.situation],
  disparo_em: formatUtc(entry.dispatch_at),
  pedida_em: formatUtc(entry.requested_at),
  empresa:
    entry.company_id === null ? null : { id: String(entry.company_id), nome: entry.company_name ?? '' },
  nome_cliente: entry.customer_name,
  categoria: { id: String(entry.category_id), nome: entry.category_name },
  tarifa: entry.tariff_name,
  forma_pagamento: paymentCode[entry.payment],
  com_retorno: entry.has_return,
  observacao: entry.note,
  codigo_cupom: entry.coupon_code,
  valor_original: centsToDecimal(entry.gross_cents),
  ...formatFigures(entry.planned_metres, entry.planned_seconds, entry.net_cents),
  estimativa_desatualizada: entry.estimate_outdated,
  id_mch: entry.delivery_id === null ? null : String(entry.delivery_id),
  agrupada_em: entry.grouped_into === null ? null : String(entry.grouped_into),
  agrupada_automaticamente: entry.grouped_automatically,
  agrupadas: entry.carries.map(String),
  falha: entry.failure && describeDispatchFailure(entry.failure, language),
  coleta: {
    endereco: entry.pickup_address,
    complemento: entry.pickup_complement,
    referencia: entry.pickup_reference,
    bairro: entry.pickup_district,
    cidade: entry.pickup_city,
    estado: entry.pickup_state,
    lat: entry.pickup_lat,
    lng: entry.pickup_lng,
  },
  paradas: entry.stops.map(formatStop),
});

const formatStop = (stop: BoardStop, order: number): Static<typeof StopSchema> => ({
  id: String(stop.id),
  ordem: order,
  pedida_com: String(stop.orderedWith),
  endereco: stop.address,
  complemento: stop.complement,
  referencia: stop.reference,
  bairro: stop.district,
  cidade: stop.city,
  estado: stop.state,
  lat: stop.lat,
  lng: stop.lng,
  numero_pedido: stop.orderNumber,
  id_externo: stop.externalId,
  nome_cliente: stop.recipientName,
  telefone_cliente: stop.recipientPhone,
  observacao: stop.note,
  valor_cobrar: stop.collectCents === null ? null : centsToDecimal(stop.collectCents),
});

export const boardEntryExample = {
  id_mch_programada: '318',
  situacao: 'A',
  disparo_em: '2026-11-16T16:00:00Z',
  pedida_em: '2026-11-16T15:00:00Z',
  empresa: { id: '1', nome: 'Padaria Moinhos' },
  nome_cliente: 'Padaria Moinhos',
  categoria: { id: '1', nome: 'Moto' },
  tarifa: 'Moto',
  forma_pagamento: 'F',
  com_retorno: false,
  observacao: null,
  codigo_cupom: null,
  valor_original: '14.35',
  minutos: 12,
  km: 4.21,
  valor: '14.35',
  estimativa_desatualizada: false,
  id_mch: null,
  agrupada_em: null,
  agrupada_automaticamente: false,
  agrupadas: [],
  falha: null,
  coleta: {
    endereco: 'Rua dos Andradas, 1001',
    complemento: null,
    referencia: null,
    bairro: 'Centro Histórico',
    cidade: 'Porto Alegre',
    estado: 'RS',
    lat: -30.0305,
    lng: -51.2303,
  },
  paradas: [
    {
      id: '901',
      ordem: 0,
      pedida_com: '318',
      endereco: 'Avenida Ipiranga, 1200',
      complemento: null,
      referencia: null,
      bairro: 'Azenha',
      cidade: 'Porto Alegre',
      estado: 'RS',
      lat: -30.0489,
      lng: -51.2158,
      numero_pedido: 'A-1',
      id_externo: null,
      nome_cliente: 'Maria',
      telefone_cliente: '51999990000',
      observacao: null,
      valor_cobrar: null,
    },
  ],
};
