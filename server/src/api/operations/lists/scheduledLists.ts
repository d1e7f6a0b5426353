import Type from 'typebox';
import {
  countScheduledPage,
  type ListedScheduled,
  listScheduledPage,
  type ScheduledPageFilter,
} from '../../../deliveries/scheduled/scheduledListStore.ts';
import type { Situation } from '../../../platform/kernel/states.ts';
import { type PaymentCode, paymentByCode, paymentCode, situationCode } from '../../json/codes.ts';
import { PAYMENT_LABELS } from '../../json/labels.ts';
import { describeDispatchFailure, situationLabel } from '../../json/scheduledJson.ts';
import { cents, code, id, instant, integer, one, text, view } from '../../json/view.ts';
import { dispatchFailure, shortPlace } from '../wire/commonFields.ts';
import { amountCell, momentCell } from '../wire/csv.ts';
import { sentId } from '../wire/fields.ts';
import {
  type ListContext,
  type ListQuery,
  listEndpoints,
  periodFields,
  periodOf,
  searchField,
} from './listEndpoints.ts';

const situations = Object.keys(situationCode) as Situation[];
const situationOf = new Map(situations.map((situation) => [situationCode[situation] as string, situation]));

const shown = view<ListedScheduled, ListContext>()({
  id_mch_programada: id((scheduled) => scheduled.id, '318'),
  situacao: code(situationCode)((scheduled) => scheduled.situation, 'A'),
  disparo_em: instant((scheduled) => scheduled.dispatchAt, '2026-11-16T16:00:00Z'),
  pedida_em: instant((scheduled) => scheduled.requestedAt, '2026-11-16T15:00:00Z'),
  empresa_id: id.orNull((scheduled) => scheduled.companyId, '1'),
  nome_cliente: text((scheduled) => scheduled.customerName, 'Padaria Moinhos'),
  categoria: text((scheduled) => scheduled.categoryName, 'Moto'),
  forma_pagamento: code(paymentCode)((scheduled) => scheduled.payment, 'F'),
  valor: cents((scheduled) => scheduled.netCents, '14.35'),
  id_mch: id.orNull((scheduled) => scheduled.deliveryId, null),
  agrupada_em: id.orNull((scheduled) => scheduled.groupedInto, null),
  falha: dispatchFailure,
  coleta: one(shortPlace, (scheduled) => ({
    address: scheduled.pickupAddress,
    district: scheduled.pickupDistrict,
  })),
  paradas: integer((scheduled) => scheduled.stops ?? 0, 1),
  primeira_parada: one.orNull(
    shortPlace,
    ({ address, district }) => (address === null ? null : { address, district: district ?? '' }),
    { example: { endereco: 'Avenida Ipiranga, 1200', bairro: 'Azenha' } },
  ),
});

const filter = {
  texto: searchField,
  ...periodFields,
  empresa_id: Type.Optional(sentId()),
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
  entry: shown,
  searched: 'scheduled',
  read: (tx, caller, query, request, matches) =>
    listScheduledPage(tx, caller, parseFilter(query, caller.central.timeZone, matches), request),
  count: (tx, caller, query, max, matches) =>
    countScheduledPage(tx, caller, parseFilter(query, caller.central.timeZone, matches), max),
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
    ['Pagamento', ({ payment }) => PAYMENT_LABELS[paymentCode[payment]].pt],
    ['Valor', ({ netCents }) => amountCell(netCents)],
    ['Entrega', ({ deliveryId }) => deliveryId],
    ['Falha', ({ failure }, { language }) => failure && describeDispatchFailure(failure, language)],
  ],
});
