import Type from 'typebox';
import { isLate } from '../../../deliveries/deliveries/deadlineStore.ts';
import {
  countDeliveries,
  type DeliveryListFilter,
  type ListedDelivery,
  listDeliveries,
} from '../../../deliveries/deliveries/deliveryListStore.ts';
import { STATUSES, type Status } from '../../../deliveries/deliveries/status.ts';
import { fullStatusCode, type PaymentCode, paymentByCode, paymentCode } from '../../json/codes.ts';
import { PAYMENT_LABELS, STATUS_LABELS } from '../../json/labels.ts';
import { cents, code, flag, id, instant, integer, one, text, view } from '../../json/view.ts';
import { named, namedBy, shortPlace } from '../wire/commonFields.ts';
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

const statusByCode = new Map(STATUSES.map((status) => [fullStatusCode[status] as string, status]));

const firstStopOf = view<ListedDelivery>()({
  endereco: text((stop) => stop.address ?? '', 'Avenida Ipiranga, 1200'),
  bairro: text((stop) => stop.district ?? '', 'Azenha'),
  nome_cliente: text.orNull((stop) => stop.recipientName, 'Maria'),
  numero_pedido: text.orNull((stop) => stop.orderNumber, 'A-1'),
});

const shown = view<ListedDelivery, ListContext>()({
  id: id((delivery) => delivery.id, '1042'),
  status: code(fullStatusCode)((delivery) => delivery.status, 'E'),
  atrasada: flag(
    (delivery, { now }) => isLate(delivery, now),
    false,
    'a etapa atual demora mais do que deveria',
  ),
  agrupada_em: id.orNull((delivery) => delivery.groupedInto, null, 'a entrega que leva as suas paradas'),
  id_mch_programada: id.orNull((delivery) => delivery.scheduledId, null),
  empresa_id: id.orNull((delivery) => delivery.companyId, '1'),
  nome_cliente: text((delivery) => delivery.customerName, 'Padaria Moinhos'),
  categoria: text((delivery) => delivery.categoryName, 'Moto'),
  condutor: one.orNull(named, ({ driverId, driverName }) => namedBy(driverId, driverName), {
    example: { id: '1', nome: 'João Silva' },
  }),
  tipo_pagamento: code(paymentCode)((delivery) => delivery.payment, 'D'),
  valor_corrida: cents((delivery) => delivery.netCents, '19.43'),
  solicitada_em: instant((delivery) => delivery.requestedAt, '2026-11-16T15:00:00Z'),
  encerrada_em: instant.orNull((delivery) => delivery.endedAt, null),
  partida: one(shortPlace, (delivery) => ({
    address: delivery.pickupAddress,
    district: delivery.pickupDistrict,
  })),
  paradas: integer((delivery) => delivery.stops, 2),
  primeira_parada: one.orNull(firstStopOf, (delivery) => (delivery.address === null ? null : delivery)),
});

const filter = {
  texto: searchField,
  ...periodFields,
  empresa_id: Type.Optional(sentId()),
  condutor_id: Type.Optional(sentId()),
  status: Type.Optional(
    Type.Array(Type.Enum([...statusByCode.keys()]), {
      minItems: 1,
      maxItems: STATUSES.length,
      uniqueItems: true,
      description: 'um destes; L aguarda liberação e S em espera são distinguidos de P e A',
    }),
  ),
  tipo_pagamento: Type.Optional(Type.Enum(Object.values(paymentCode) as PaymentCode[])),
};

const parseFilter = (
  query: ListQuery<typeof filter>,
  timeZone: string,
  ids: readonly number[] | null,
): DeliveryListFilter => ({
  ids,
  companyId: query.empresa_id ?? null,
  driverId: query.condutor_id ?? null,
  statuses: query.status?.map((letter) => statusByCode.get(letter) as Status).toSorted() ?? null,
  payment: query.tipo_pagamento ? paymentByCode[query.tipo_pagamento] : null,
  ...periodOf(query, timeZone),
  oldestFirst: query.ordem === 'mais_antigas',
});

export const deliveryListEndpoints = listEndpoints({
  path: '/entregas',
  tag: 'Operação: listas',
  noun: 'entregas',
  description:
    'Todas as que já houve, também as agrupadas em outras, pela hora do pedido. O status é o mesmo que o painel mostra. Um gerente vê as da própria empresa.',
  permission: 'watch',
  filter,
  filterExample: { status: ['E', 'F'], de: '2026-11-01', ate: '2026-11-30' },
  orders: ['mais_novas', 'mais_antigas'],
  entry: shown,
  searched: 'delivery',
  read: (tx, caller, query, request, matches) =>
    listDeliveries(tx, caller, parseFilter(query, caller.central.timeZone, matches), request),
  count: (tx, caller, query, max, matches) =>
    countDeliveries(tx, caller, parseFilter(query, caller.central.timeZone, matches), max),
  columns: [
    ['Entrega', ({ id }) => id],
    ['Status', ({ status }) => STATUS_LABELS[fullStatusCode[status]].pt],
    ['Pedida em', ({ requestedAt }, { timeZone }) => momentCell(requestedAt, timeZone)],
    ['Encerrada em', ({ endedAt }, { timeZone }) => momentCell(endedAt, timeZone)],
    ['Cliente', ({ customerName }) => customerName],
    ['Categoria', ({ categoryName }) => categoryName],
    ['Entregador', ({ driverName }) => driverName],
    ['Coleta', ({ pickupAddress }) => pickupAddress],
    ['Bairro da coleta', ({ pickupDistrict }) => pickupDistrict],
    ['Paradas', ({ stops }) => stops],
    ['Primeira parada', ({ address }) => address],
    ['Bairro', ({ district }) => district],
    ['Destinatário', ({ recipientName }) => recipientName],
    ['Pedido', ({ orderNumber }) => orderNumber],
    ['Pagamento', ({ payment }) => PAYMENT_LABELS[paymentCode[payment]].pt],
    ['Valor', ({ netCents }) => amountCell(netCents)],
    ['Agrupada em', ({ groupedInto }) => groupedInto],
  ],
});
