import Type from 'typebox';
import { centsToDecimal } from '../../kernel/money.ts';
import type { Situation } from '../../scheduled/scheduled.ts';
import {
  countScheduledPage,
  listScheduledPage,
  type ScheduledPageFilter,
} from '../../scheduled/scheduledPageStore.ts';
import {
  type PaymentCode,
  paymentByCode,
  paymentCode,
  situationCode,
  situationLabel,
} from '../../wire/codes.ts';
import { paymentLabel } from '../../wire/labels.ts';
import { describeDispatchFailure } from '../../wire/scheduledJson.ts';
import { formatUtc, nullable } from '../../wire/values.ts';
import { amountCell, momentCell } from '../wire/csv.ts';
import { instantShown, recordId } from '../wire/fields.ts';
import { type ListQuery, listEndpoints, periodFields, periodOf, searchField } from './listEndpoints.ts';

const situations = Object.keys(situationCode) as Situation[];
const situationOf = new Map(situations.map((situation) => [situationCode[situation] as string, situation]));
const text = Type.String();
const idText = (id: number | null) => (id === null ? null : String(id));

const filter = {
  texto: searchField,
  ...periodFields,
  empresa_id: Type.Optional(recordId),
  situacao: Type.Optional(
    Type.Array(Type.Enum([...situationOf.keys()]), {
      minItems: 1,
      maxItems: situations.length,
      uniqueItems: true,
      description: 'uma destas',
    }),
  ),
  forma_pagamento: Type.Optional(Type.Enum(Object.values(paymentCode) as PaymentCode[])),
};

const parseFilter = (
  query: ListQuery<typeof filter>,
  timeZone: string,
  ids: readonly number[] | null,
): ScheduledPageFilter => ({
  ids,
  companyId: query.empresa_id ?? null,
  situations: query.situacao?.map((code) => situationOf.get(code)!).toSorted() ?? null,
  payment: query.forma_pagamento ? paymentByCode[query.forma_pagamento] : null,
  ...periodOf(query, timeZone),
  earliestFirst: query.ordem === 'disparo_mais_cedo',
});

export const scheduledListEndpoints = listEndpoints({
  path: '/programadas',
  tag: 'Operação: listas',
  noun: 'programadas',
  description:
    'As entregas programadas pela hora do disparo, seja qual for a situação. O período é o do disparo. Um gerente vê as da própria empresa.',
  permission: 'watch',
  filter,
  filterExample: { situacao: ['A', 'X'], de: '2026-11-01' },
  orders: ['disparo_mais_tarde', 'disparo_mais_cedo'],
  entry: Type.Object({
    id_mch_programada: text,
    situacao: Type.Enum(Object.values(situationCode)),
    disparo_em: instantShown,
    pedida_em: instantShown,
    empresa_id: nullable(text),
    nome_cliente: text,
    categoria: text,
    forma_pagamento: Type.Enum(Object.values(paymentCode)),
    valor: text,
    id_mch: nullable(text),
    agrupada_em: nullable(text),
    falha: nullable(Type.String({ description: 'por que o disparo falhou, em palavras' })),
    coleta: Type.Object({ endereco: text, bairro: text }),
    paradas: Type.Integer(),
    primeira_parada: nullable(Type.Object({ endereco: text, bairro: text })),
  }),
  entryExample: {
    id_mch_programada: '318',
    situacao: 'A',
    disparo_em: '2026-11-16T16:00:00Z',
    pedida_em: '2026-11-16T15:00:00Z',
    empresa_id: '1',
    nome_cliente: 'Padaria Moinhos',
    categoria: 'Moto',
    forma_pagamento: 'F',
    valor: '14.35',
    id_mch: null,
    agrupada_em: null,
    falha: null,
    coleta: { endereco: 'Rua dos Andradas, 1001', bairro: 'Centro Histórico' },
    paradas: 1,
    primeira_parada: { endereco: 'Avenida Ipiranga, 1200', bairro: 'Azenha' },
  },
  searched: 'scheduled',
  read: (tx, caller, query, request, matches) =>
    listScheduledPage(tx, caller, parseFilter(query, caller.central.timeZone, matches), request),
  count: (tx, caller, query, max, matches) =>
    countScheduledPage(tx, caller, parseFilter(query, caller.central.timeZone, matches), max),
  show: (scheduled, { language }) => ({
    id_mch_programada: String(scheduled.id),
    situacao: situationCode[scheduled.situation],
    disparo_em: formatUtc(scheduled.dispatchAt),
    pedida_em: formatUtc(scheduled.requestedAt),
    empresa_id: idText(scheduled.companyId),
    nome_cliente: scheduled.customerName,
    categoria: scheduled.categoryName,
    forma_pagamento: paymentCode[scheduled.payment],
    valor: centsToDecimal(scheduled.netCents),
    id_mch: idText(scheduled.deliveryId),
    agrupada_em: idText(scheduled.groupedInto),
    falha: scheduled.failure && describeDispatchFailure(scheduled.failure, language),
    coleta: { endereco: scheduled.pickupAddress, bairro: scheduled.pickupDistrict },
    paradas: scheduled.stops ?? 0,
    primeira_parada:
      scheduled.address === null ? null : { endereco: scheduled.address, bairro: scheduled.district ?? '' },
  }),
  columns: [
    ['Programada', ({ id }) => id],
    ['Situação', ({ situation }) => situationLabel[situation]],
    ['Disparo', ({ dispatchAt }, { timeZone }) => momentCell(dispatchAt, timeZone)],
    ['Pedida em', ({ requestedAt }, { timeZone }) => momentCell(requestedAt, timeZone)],
    ['Cliente', ({ customerName }) => customerName],
    ['Categoria', ({ categoryName }) => categoryName],
    ['Coleta', ({ pickupAddress }) => pickupAddress],
    ['Paradas', ({ stops }) => stops],
    ['Primeira parada', ({ address }) => address],
    ['Pagamento', ({ payment }) => paymentLabel[payment]],
    ['Valor', ({ netCents }) => amountCell(netCents)],
    ['Entrega', ({ deliveryId }) => deliveryId],
    ['Falha', ({ failure }, { language }) => failure && describeDispatchFailure(failure, language)],
  ],
});
