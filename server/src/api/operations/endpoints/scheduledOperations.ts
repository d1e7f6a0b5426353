import Type from 'typebox';
import { cancelScheduled } from '../../../deliveries/scheduled/cancelScheduled.ts';
import { retryDispatch } from '../../../deliveries/scheduled/retryDispatch.ts';
import {
  findScheduledEntry,
  listScheduledEntries,
  type ScheduledListEntry,
  type ScheduledListStop,
} from '../../../deliveries/scheduled/scheduledListStore.ts';
import { findScheduledStory } from '../../../events/record/historyStore.ts';
import type { LocatedRow } from '../../../platform/kernel/postalAddress.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Situation } from '../../../platform/kernel/states.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Language } from '../../http/envelope.ts';
import { formatted, parseInstant } from '../../http/formats.ts';
import {
  cancelledMessage,
  cancelScheduledRefusals,
} from '../../integration/endpoints/scheduledDeliveries.ts';
import { paymentCode, situationCode } from '../../json/codes.ts';
import { demandsOfAll, demandsOfStop } from '../../json/demandJson.ts';
import { formatEvent } from '../../json/eventTypes.ts';
import { answerWith, answerWithList, dataAnswer, pageFields, parsePage } from '../../json/values.ts';
import { cents, code, flag, id, instant, integer, list, one, text, view } from '../../json/view.ts';
import {
  dispatchFailure,
  named,
  namedBy,
  oneId,
  ownKey,
  placeFields,
  tripFields,
} from '../wire/commonFields.ts';
import { authorField, authorText, formatAuthor, recordId } from '../wire/fields.ts';

const pickup = view<LocatedRow>()(
  placeFields({
    endereco: 'Rua dos Andradas, 1001',
    bairro: 'Centro Histórico',
    lat: -30.0305,
    lng: -51.2303,
  }),
);

const stop = view<ScheduledListStop & { order: number }>()({
  id: id((each) => each.id, '901'),
  ordem: integer((each) => each.order, 0),
  pedida_com: id((each) => each.orderedWith, '318', 'a programada com que a parada foi pedida'),
  ...placeFields({ endereco: 'Avenida Ipiranga, 1200', bairro: 'Azenha', lat: -30.0489, lng: -51.2158 }),
  numero_pedido: text.orNull((each) => each.orderNumber, 'A-1'),
  id_externo: text.orNull((each) => each.externalId, null),
  nome_cliente: text.orNull((each) => each.recipientName, 'Maria'),
  telefone_cliente: text.orNull((each) => each.recipientPhone, '51999990000'),
  observacao: text.orNull((each) => each.note, null),
  valor_cobrar: cents.orNull((each) => each.collectCents, null),
  exigencias: demandsOfStop<ScheduledListStop>(),
});

const scheduled = view<ScheduledListEntry, { language: Language }>()({
  id_mch_programada: id((entry) => entry.id, '318'),
  situacao: code(situationCode)((entry) => entry.situation, 'A'),
  disparo_em: instant((entry) => entry.dispatchAt, '2026-11-16T16:00:00Z'),
  pedida_em: instant((entry) => entry.requestedAt, '2026-11-16T15:00:00Z'),
  empresa: one.orNull(named, (entry) => namedBy(entry.companyId, entry.companyName), {
    example: { id: '1', nome: 'Padaria Moinhos' },
  }),
  nome_cliente: text((entry) => entry.customerName, 'Padaria Moinhos'),
  categoria: one(named, ({ categoryId, categoryName }) => ({ id: categoryId, name: categoryName })),
  tarifa: text((entry) => entry.tariffName, 'Moto'),
  forma_pagamento: code(paymentCode)((entry) => entry.payment, 'F'),
  com_retorno: flag((entry) => entry.returning, false),
  observacao: text.orNull((entry) => entry.note, null),
  codigo_cupom: text.orNull((entry) => entry.couponCode, null),
  valor_original: cents((entry) => entry.grossCents, '14.35', 'antes do cupom'),
  ...tripFields({ minutos: 12, km: 4.21, valor: '14.35' }),
  estimativa_desatualizada: flag(
    (entry) => entry.estimateOutdated,
    false,
    'uma parada saiu sem que a rota pudesse ser refeita; é refeita até o disparo',
  ),
  id_mch: id.orNull((entry) => entry.deliveryId, null),
  agrupada_em: id.orNull((entry) => entry.groupedInto, null, 'a programada que leva as suas paradas'),
  agrupada_automaticamente: flag((entry) => entry.groupedAutomatically, false),
  agrupadas: list(oneId, (entry) => entry.carries, {
    description: 'as programadas cujas paradas ela leva',
    example: [],
  }),
  id_externo: ownKey,
  falha: dispatchFailure,
  coleta: one(pickup, (entry) => entry.pickup),
  exigencias: demandsOfAll<ScheduledListEntry>(),
  paradas: list(stop, (entry) => entry.stops.map((each, order) => ({ ...each, order }))),
});

const instantField = (description: string) => Type.Optional(formatted('instant', description));

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
    de: instantField('disparo a partir de, ISO 8601 com fuso'),
    ate: instantField('disparo antes de, ISO 8601 com fuso'),
    ...pageFields,
  }),
  queryExample: { situacao: 'A', limite: 50 },
  ...answerWithList(scheduled),
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
    return { data: entries.map((entry) => scheduled.show(entry, { language })) };
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
      ...scheduled.schema.properties,
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
      ...scheduled.example,
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
  async handle({ deps: { db }, caller, params, language, publicUrl }) {
    const entry = await findScheduledEntry(db, caller, params.id!);
    if (!entry) throw new Refusal('scheduled-not-found');
    const story = await findScheduledStory(db, caller.centralId, entry.id);
    return {
      data: {
        ...scheduled.show(entry, { language }),
        historico: story.map((event) => ({
          ...formatEvent({ ...event, timeZone: caller.central.timeZone }, { language, publicUrl }),
          ...formatAuthor(event, caller),
        })),
      },
    };
  },
});

const cancelled = view<{ id: number }, { language: Language }>()({
  id_mch_programada: id((each) => each.id, '318'),
  mensagem: cancelledMessage,
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
  ...answerWith(cancelled),
  async handle({ deps, caller, params, language }) {
    await cancelScheduled(deps, caller, params.id!, { evenAwaiting: true });
    return { data: cancelled.show({ id: params.id! }, { language }) };
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
  answer: dataAnswer(
    Type.Object({ id_mch_programada: Type.String(), situacao: Type.Enum([situationCode.awaiting]) }),
  ),
  answerExample: { success: true, data: { id_mch_programada: '318', situacao: 'A' } },
  async handle({ deps, caller, params }) {
    await retryDispatch(deps, caller, params.id!);
    return { data: { id_mch_programada: String(params.id), situacao: situationCode.awaiting } };
  },
});
