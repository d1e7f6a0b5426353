import Type from 'typebox';
import {
  countDeliveries,
  type DeliveryListFilter,
  listDeliveries,
} from '../../deliveries/deliveryListStore.ts';
import { STATUSES, type Status } from '../../deliveries/status.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import { fullStatusCode, type PaymentCode, paymentByCode, paymentCode } from '../../wire/codes.ts';
import { paymentLabel, statusLabel } from '../../wire/labels.ts';
import { formatUtc, nullable } from '../../wire/values.ts';
import { amountCell, momentCell } from '../wire/csv.ts';
import { instantShown, recordId } from '../wire/fields.ts';
import { type ListQuery, listEndpoints, periodFields, periodOf, searchField } from './listEndpoints.ts';

const statusByCode = new Map(STATUSES.map((status) => [fullStatusCode[status] as string, status]));
const text = Type.String();
const named = Type.Object({ id: text, nome: text });

const filter = {
  texto: searchField,
  ...periodFields,
  empresa_id: Type.Optional(recordId),
  condutor_id: Type.Optional(recordId),
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
  entry: Type.Object({
    id: text,
    status: Type.Enum(Object.values(fullStatusCode)),
    atrasada: Type.Boolean({ description: 'a etapa atual demora mais do que deveria' }),
    agrupada_em: nullable(Type.String({ description: 'a entrega que leva as suas paradas' })),
    id_mch_programada: nullable(text),
    empresa_id: nullable(text),
    nome_cliente: text,
    categoria: text,
    condutor: nullable(named),
    tipo_pagamento: Type.Enum(Object.values(paymentCode)),
    valor_corrida: text,
    solicitada_em: instantShown,
    encerrada_em: nullable(instantShown),
    partida: Type.Object({ endereco: text, bairro: text }),
    paradas: Type.Integer(),
    primeira_parada: nullable(
      Type.Object({
        endereco: text,
        bairro: text,
        nome_cliente: nullable(text),
        numero_pedido: nullable(text),
      }),
    ),
  }),
  entryExample: {
    id: '1042',
    status: 'E',
    atrasada: false,
    agrupada_em: null,
    id_mch_programada: null,
    empresa_id: '1',
    nome_cliente: 'Padaria Moinhos',
    categoria: 'Moto',
    condutor: { id: '1', nome: 'João Silva' },
    tipo_pagamento: 'D',
    valor_corrida: '19.43',
    solicitada_em: '2026-11-16T15:00:00Z',
    encerrada_em: null,
    partida: { endereco: 'Rua dos Andradas, 1001', bairro: 'Centro Histórico' },
    paradas: 2,
    primeira_parada: {
      endereco: 'Avenida Ipiranga, 1200',
      bairro: 'Azenha',
      nome_cliente: 'Maria',
      numero_pedido: 'A-1',
    },
  },
  searched: 'delivery',
  read: (tx, caller, query, request, matches) =>
    listDeliveries(tx, caller, parseFilter(query, caller.central.timeZone, matches), request),
  count: (tx, caller, query, max, matches) =>
    countDeliveries(tx, caller, parseFilter(query, caller.central.timeZone, matches), max),
  show: (delivery, { now }) => ({
    id: String(delivery.id),
    status: fullStatusCode[delivery.status],
    atrasada: delivery.dueAt !== null && Temporal.Instant.compare(delivery.dueAt, now) < 0,
    agrupada_em: delivery.groupedInto === null ? null : String(delivery.groupedInto),
    id_mch_programada: delivery.scheduledId === null ? null : String(delivery.scheduledId),
    empresa_id: delivery.companyId === null ? null : String(delivery.companyId),
    nome_cliente: delivery.customerName,
    categoria: delivery.categoryName,
    condutor:
      delivery.driverId === null ? null : { id: String(delivery.driverId), nome: delivery.driverName ?? '' },
    tipo_pagamento: paymentCode[delivery.payment],
    valor_corrida: centsToDecimal(delivery.netCents),
    solicitada_em: formatUtc(delivery.requestedAt),
    encerrada_em: delivery.endedAt && formatUtc(delivery.endedAt),
    partida: { endereco: delivery.pickupAddress, bairro: delivery.pickupDistrict },
    paradas: delivery.stops ?? 0,
    primeira_parada:
      delivery.address === null
        ? null
        : {
            endereco: delivery.address,
            bairro: delivery.district ?? '',
            nome_cliente: delivery.recipientName,
            numero_pedido: delivery.orderNumber,
          },
  }),
  columns: [
    ['Entrega', ({ id }) => id],
    ['Status', ({ status }) => statusLabel[status]],
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
    ['Pagamento', ({ payment }) => paymentLabel[payment]],
    ['Valor', ({ netCents }) => amountCell(netCents)],
    ['Agrupada em', ({ groupedInto }) => groupedInto],
  ],
});
