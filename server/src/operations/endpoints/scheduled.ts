import type { Static } from 'typebox';
import Type from 'typebox';
import {
  cancelScheduledRefusals,
  scheduledCancelled,
  scheduledCancelledAnswer,
  scheduledCancelledExample,
} from '../../contract/endpoints/scheduled.ts';
import { findScheduledStory } from '../../events/historyStore.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { cancelScheduled } from '../../scheduled/cancelScheduled.ts';
import { retryDispatch } from '../../scheduled/retryDispatch.ts';
import type { Situation } from '../../scheduled/scheduled.ts';
import {
  findScheduledEntry,
  listScheduledEntries,
  type ScheduledListEntry,
  type ScheduledListStop,
} from '../../scheduled/scheduledListStore.ts';
import { paymentCode, situationCode } from '../../wire/codes.ts';
import { formatEvent } from '../../wire/eventTypes.ts';
import { describeDispatchFailure } from '../../wire/scheduledJson.ts';
import { dataAnswer, formatUtc, nullable, pageFields, parsePage } from '../../wire/values.ts';
import { authorField, authorText, formatAuthor, instantShown, recordId } from '../wire/fields.ts';
import { FiguresSchema, formatFigures } from './grouping.ts';

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

export const ScheduledListEntrySchema = Type.Object({
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

const formatScheduledListEntry = (
  entry: ScheduledListEntry,
  language: Language,
): Static<typeof ScheduledListEntrySchema> => ({
  id_mch_programada: String(entry.id),
  situacao: situationCode[entry.situation],
  disparo_em: formatUtc(entry.dispatchAt),
  pedida_em: formatUtc(entry.requestedAt),
  empresa: entry.companyId === null ? null : { id: String(entry.companyId), nome: entry.companyName ?? '' },
  nome_cliente: entry.customerName,
  categoria: { id: String(entry.categoryId), nome: entry.categoryName },
  tarifa: entry.tariffName,
  forma_pagamento: paymentCode[entry.payment],
  com_retorno: entry.returning,
  observacao: entry.note,
  codigo_cupom: entry.couponCode,
  valor_original: centsToDecimal(entry.grossCents),
  ...formatFigures(entry.plannedMetres, entry.plannedSeconds, entry.netCents),
  estimativa_desatualizada: entry.estimateOutdated,
  id_mch: entry.deliveryId === null ? null : String(entry.deliveryId),
  agrupada_em: entry.groupedInto === null ? null : String(entry.groupedInto),
  agrupada_automaticamente: entry.groupedAutomatically,
  agrupadas: entry.carries.map(String),
  falha: entry.failure && describeDispatchFailure(entry.failure, language),
  coleta: {
    endereco: entry.pickup.address,
    complemento: entry.pickup.complement,
    referencia: entry.pickup.reference,
    bairro: entry.pickup.district,
    cidade: entry.pickup.city,
    estado: entry.pickup.state,
    lat: entry.pickup.lat,
    lng: entry.pickup.lng,
  },
  paradas: entry.stops.map(formatStop),
});

const formatStop = (stop: ScheduledListStop, order: number): Static<typeof StopSchema> => ({
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

const boardEntryExample = {
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

const instant = (description: string) => Type.Optional(formatted('instant', description));

export const listScheduledEndpoint = endpoint({
  method: 'GET',
  path: '/programadas',
  tag: 'Operação: programadas',
  summary: 'Listar programadas para planejar o dia',
  description:
    'As que aguardam (`situacao=A`) vêm na ordem do disparo; as demais, da mais tardia para a mais antiga. `falha` ' +
    'diz em palavras por que o disparo falhou (`situacao=X`). Um gerente vê as da própria empresa.',
  permission: 'watch',
  limit: 'operations',
  query: Type.Object({
    situacao: Type.Optional(Type.Enum(Object.values(situationCode))),
    empresa_id: Type.Optional(recordId),
    de: instant('disparo a partir de, ISO 8601 com fuso'),
    ate: instant('disparo antes de, ISO 8601 com fuso'),
    ...pageFields,
  }),
  queryExample: { situacao: 'A', limite: 50 },
  answer: dataAnswer(Type.Array(ScheduledListEntrySchema)),
  answerExample: { success: true, data: [boardEntryExample] },
  async handle({ deps, caller, query, language }) {
    const entries = await listScheduledEntries(
      deps.db,
      caller,
      {
        situation: query.situacao ? situationOf(query.situacao) : null,
        companyId: query.empresa_id ?? null,
        from: query.de ? parseInstant(query.de) : null,
        until: query.ate ? parseInstant(query.ate) : null,
      },
      parsePage(query),
    );
    return { data: entries.map((entry) => formatScheduledListEntry(entry, language)) };
  },
});

const situationOf = (code: string): Situation =>
  (Object.keys(situationCode) as Situation[]).find((each) => situationCode[each] === code)!;

export const getScheduledEndpoint = endpoint({
  method: 'GET',
  path: '/programadas/:id',
  tag: 'Operação: programadas',
  summary: 'Ler uma programada e a sua história',
  description: [
    '`historico` traz os eventos da programada, como nos webhooks, do primeiro ao último.',
    authorText,
  ].join('\n\n'),
  permission: 'watch',
  limit: 'operations',
  refusals: ['scheduled-not-found'],
  answer: dataAnswer(
    Type.Object({
      ...ScheduledListEntrySchema.properties,
      historico: Type.Array(
        Type.Object({
          type: Type.String(),
          timestamp: Type.String(),
          ...authorField,
          data: Type.Object({}, { additionalProperties: true }),
        }),
      ),
    }),
  ),
  answerExample: {
    success: true,
    data: {
      ...boardEntryExample,
      historico: [
        {
          type: 'programada.alterada',
          timestamp: '2026-11-16T15:00:00.000Z',
          autor: { nome: 'gerente', perfil: 'gerente' },
          data: { id: '318', mudanca: 'criada' },
        },
      ],
    },
  },
  async handle({ deps: { db }, caller, params, language }) {
    const entry = await findScheduledEntry(db, caller, params.id!);
    if (!entry) throw new Refusal('scheduled-not-found');
    const story = await findScheduledStory(db, caller.centralId, entry.id);
    return {
      data: {
        ...formatScheduledListEntry(entry, language),
        historico: story.map((event) => ({
          ...formatEvent({ ...event, timeZone: caller.central.timeZone }, language),
          ...formatAuthor(event, caller),
        })),
      },
    };
  },
});

export const cancelScheduledEndpoint = endpoint({
  method: 'POST',
  path: '/programadas/:id/cancelar',
  tag: 'Operação: programadas',
  summary: 'Cancelar uma entrega programada, também quando ainda aguarda disparo',
  description:
    'Uma já disparada cancela também a sua entrega; uma agrupada retira as suas paradas da agrupadora, enquanto ' +
    'esta aguarda disparo; uma agrupadora cancela também as agrupadas nela.',
  permission: 'desk',
  limit: 'operations',
  refusals: cancelScheduledRefusals,
  answer: scheduledCancelledAnswer,
  answerExample: scheduledCancelledExample,
  async handle({ deps, caller, params, language }) {
    await cancelScheduled(deps, caller, params.id!, { evenAwaiting: true });
    return scheduledCancelled(params.id!, language);
  },
});

export const retryDispatchEndpoint = endpoint({
  method: 'POST',
  path: '/programadas/:id/disparar',
  tag: 'Operação: programadas',
  summary: 'Disparar de novo uma programada cujo disparo falhou',
  description:
    'Ela volta a aguardar e é disparada agora, como foi pedida. É recusada enquanto o saldo da empresa não a cobre ou o cupom não tem mais usos. Quem a acompanha recebe `programada.alterada` com `mudanca` editada.',
  permission: 'desk',
  limit: 'operations',
  refusals: ['scheduled-not-found', 'dispatch-not-failed', 'insufficient-balance', 'coupon-invalid'],
  answer: dataAnswer(Type.Object({ id_mch_programada: text, situacao: Type.Enum([situationCode.awaiting]) })),
  answerExample: { success: true, data: { id_mch_programada: '318', situacao: 'A' } },
  async handle({ deps, caller, params }) {
    await retryDispatch(deps, caller, params.id!);
    return { data: { id_mch_programada: String(params.id), situacao: situationCode.awaiting } };
  },
});
