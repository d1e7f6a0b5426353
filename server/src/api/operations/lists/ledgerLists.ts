import Type, { type TSchema } from 'typebox';
import { countCompanyEntries, listCompanyEntries } from '../../billing/companyEntryListStore.ts';
import type { CompanyEntryKind } from '../../billing/companyEntryStore.ts';
import { countDriverEntries, listDriverEntries } from '../../earnings/driverEntryListStore.ts';
import { centsToDecimal } from '../../kernel/money.ts';
import type { DriverEntryKind } from '../../kernel/states.ts';
import { countWalletEntries, listWalletEntries } from '../../wallet/walletListStore.ts';
import type { EntryKind } from '../../wallet/walletStore.ts';
import { closingLineCode, driverEntryCode, entryKindCode } from '../../wire/codes.ts';
import { formatUtc, nullable } from '../../wire/values.ts';
import { lineWords } from '../wire/closingFile.ts';
import { amountCell, type CsvCell, momentCell } from '../wire/csv.ts';
import { instantShown, recordId } from '../wire/fields.ts';
import { type ListContext, listEndpoints, periodFields, periodOf } from './listEndpoints.ts';

const TAG = 'Operação: listas';
const ORDERS = ['mais_novos', 'mais_antigos'] as const;
const text = Type.String();

/** The filter by the kinds of a ledger. */
function kindsField<Kind extends string>(codes: Readonly<Record<Kind, string>>) {
  const kinds = Object.keys(codes) as Kind[];
  const byCode = new Map(kinds.map((kind) => [codes[kind], kind]));
  return {
    field: Type.Optional(
      Type.Array(Type.Enum([...byCode.keys()]), { minItems: 1, maxItems: kinds.length, uniqueItems: true }),
    ),
    parse: (given: readonly string[] | undefined): Kind[] | null =>
      given?.map((code) => byCode.get(code)!).toSorted() ?? null,
  };
}

interface CommonQuery {
  de?: string;
  ate?: string;
  ordem: string;
}

const commonOf = (query: CommonQuery, timeZone: string) => ({
  ...periodOf(query, timeZone),
  oldestFirst: query.ordem === 'mais_antigos',
});

const entryOf = <More extends Record<string, TSchema>>(more: More) =>
  Type.Object({
    id: recordId,
    tipo: text,
    valor: text,
    saldo_apos: nullable(text),
    entrega_id: nullable(recordId),
    data_hora: instantShown,
    ...more,
  });

const entryExample = {
  id: 71,
  valor: '-19.43',
  saldo_apos: '480.57',
  entrega_id: 1042,
  data_hora: '2026-11-16T15:00:00Z',
};

interface CommonRow {
  id: number;
  amountCents: number;
  balanceAfterCents: number | null;
  deliveryId: number | null;
  createdAt: Temporal.Instant;
}

const showCommon = (entry: CommonRow) => ({
  id: entry.id,
  valor: centsToDecimal(entry.amountCents),
  saldo_apos: entry.balanceAfterCents === null ? null : centsToDecimal(entry.balanceAfterCents),
  entrega_id: entry.deliveryId,
  data_hora: formatUtc(entry.createdAt),
});

const when: readonly [string, (row: CommonRow, context: ListContext) => CsvCell] = [
  'Data',
  ({ createdAt }, { timeZone }) => momentCell(createdAt, timeZone),
];
const amounts: readonly (readonly [string, (row: CommonRow) => CsvCell])[] = [
  ['Entrega', ({ deliveryId }) => deliveryId],
  ['Valor', ({ amountCents }) => amountCell(amountCents)],
  [
    'Saldo após',
    ({ balanceAfterCents }) => (balanceAfterCents === null ? null : amountCell(balanceAfterCents)),
  ],
];

const walletWords: Record<EntryKind, string> = {
  top_up: 'Recarga',
  withdrawal: 'Saque',
  reserve: 'Reserva',
  release: 'Estorno da reserva',
  settlement: 'Cobrança',
  cancellation_fee: 'Taxa de cancelamento',
};

const walletKinds = kindsField<EntryKind>(entryKindCode);
const walletFilter = {
  ...periodFields,
  empresa_id: Type.Optional(recordId),
  tipo: walletKinds.field,
};

const walletListEndpoints = listEndpoints({
  path: '/carteiras/lancamentos',
  tag: TAG,
  noun: 'lançamentos das carteiras',
  description: 'Os lançamentos das carteiras de crédito das empresas. Um gerente vê os da própria empresa.',
  permission: 'wallet-read',
  filter: walletFilter,
  filterExample: { tipo: ['recarga'] },
  orders: ORDERS,
  entry: entryOf({ empresa: Type.Object({ id: recordId, nome: text }), observacao: nullable(text) }),
  entryExample: {
    ...entryExample,
    tipo: 'reserva',
    empresa: { id: 1, nome: 'Padaria Moinhos' },
    observacao: null,
  },
  read: (tx, caller, query, request) =>
    listWalletEntries(
      tx,
      caller,
      {
        ...commonOf(query, caller.central.timeZone),
        companyId: query.empresa_id ?? null,
        kinds: walletKinds.parse(query.tipo),
      },
      request,
    ),
  count: (tx, caller, query, max) =>
    countWalletEntries(
      tx,
      caller,
      {
        ...commonOf(query, caller.central.timeZone),
        companyId: query.empresa_id ?? null,
        kinds: walletKinds.parse(query.tipo),
      },
      max,
    ),
  show: (entry) => ({
    ...showCommon(entry),
    tipo: entryKindCode[entry.kind],
    empresa: { id: entry.companyId, nome: entry.companyName },
    observacao: entry.note,
  }),
  columns: [
    when,
    ['Empresa', ({ companyName }) => companyName],
    ['Lançamento', ({ kind }) => walletWords[kind]],
    ...amounts,
    ['Observação', ({ note }) => note],
  ],
});

const driverKinds = kindsField<DriverEntryKind>(driverEntryCode);

const driverEntryListEndpoints = listEndpoints({
  path: '/condutores/lancamentos',
  tag: TAG,
  noun: 'lançamentos dos entregadores',
  description: 'Os lançamentos das contas dos entregadores.',
  // The accounts of all drivers: not for managers, who read closings, nor for drivers, who read their own account.
  permission: 'registers-read',
  filter: { ...periodFields, condutor_id: Type.Optional(recordId), tipo: driverKinds.field },
  filterExample: { tipo: ['repasse'] },
  orders: ORDERS,
  entry: entryOf({
    condutor: Type.Object({ id: recordId, nome: text }),
    numero: Type.Integer({ description: 'o lugar no extrato: 1, 2, 3 …' }),
    estorno: Type.Boolean({ description: 'desfaz outro lançamento' }),
    estornado: Type.Boolean({ description: 'outro lançamento o desfez' }),
    dinheiro_apos: text,
    motivo: nullable(text),
  }),
  entryExample: {
    ...entryExample,
    tipo: 'repasse',
    condutor: { id: 1, nome: 'João Silva' },
    numero: 31,
    estorno: false,
    estornado: false,
    dinheiro_apos: '0.00',
    motivo: null,
  },
  read: (tx, caller, query, request) =>
    listDriverEntries(
      tx,
      caller.central,
      {
        ...commonOf(query, caller.central.timeZone),
        driverId: query.condutor_id ?? null,
        kinds: driverKinds.parse(query.tipo),
      },
      request,
    ),
  count: (tx, caller, query, max) =>
    countDriverEntries(
      tx,
      caller.central,
      {
        ...commonOf(query, caller.central.timeZone),
        driverId: query.condutor_id ?? null,
        kinds: driverKinds.parse(query.tipo),
      },
      max,
    ),
  show: (entry) => ({
    ...showCommon(entry),
    tipo: driverEntryCode[entry.kind],
    condutor: { id: entry.driverId, nome: entry.driverName },
    numero: entry.number,
    estorno: entry.isReversal,
    estornado: entry.isReversed,
    dinheiro_apos: centsToDecimal(entry.cashAfterCents),
    motivo: entry.note,
  }),
  columns: [
    when,
    ['Entregador', ({ driverName }) => driverName],
    ['Lançamento', ({ kind, isReversal }) => `${isReversal ? 'Estorno: ' : ''}${lineWords[kind]}`],
    ...amounts,
    ['Dinheiro a entregar', ({ cashAfterCents }) => amountCell(cashAfterCents)],
    ['Motivo', ({ note }) => note],
  ],
});

const companyCodes: Record<CompanyEntryKind, string> = {
  delivery: closingLineCode.delivery,
  cancellation_fee: closingLineCode.cancellation_fee,
  wallet: closingLineCode.wallet,
  cash: closingLineCode.cash,
  direct: closingLineCode.direct,
  payment: closingLineCode.payment,
};
const companyKinds = kindsField<CompanyEntryKind>(companyCodes);

const companyEntryListEndpoints = listEndpoints({
  path: '/empresas/lancamentos',
  tag: TAG,
  noun: 'lançamentos das empresas',
  description:
    'O que as entregas custaram a cada empresa e como foi pago, e as de quem pediu sem empresa (`empresa` nula).',
  // The accounts of all companies, with the drivers' share: not for managers, who read closings.
  permission: 'registers-read',
  filter: { ...periodFields, empresa_id: Type.Optional(recordId), tipo: companyKinds.field },
  filterExample: { tipo: ['entrega'] },
  orders: ORDERS,
  entry: entryOf({
    empresa: nullable(Type.Object({ id: recordId, nome: text })),
    valor_original: Type.String({ description: 'antes do cupom' }),
    repasse: Type.String({ description: 'a parte dos entregadores' }),
  }),
  entryExample: {
    ...entryExample,
    tipo: 'entrega',
    empresa: { id: 1, nome: 'Padaria Moinhos' },
    valor_original: '21.53',
    repasse: '13.60',
  },
  read: (tx, caller, query, request) =>
    listCompanyEntries(
      tx,
      caller.central,
      {
        ...commonOf(query, caller.central.timeZone),
        companyId: query.empresa_id ?? null,
        kinds: companyKinds.parse(query.tipo),
      },
      request,
    ),
  count: (tx, caller, query, max) =>
    countCompanyEntries(
      tx,
      caller.central,
      {
        ...commonOf(query, caller.central.timeZone),
        companyId: query.empresa_id ?? null,
        kinds: companyKinds.parse(query.tipo),
      },
      max,
    ),
  show: (entry) => ({
    ...showCommon(entry),
    tipo: companyCodes[entry.kind],
    empresa: entry.companyId === null ? null : { id: entry.companyId, nome: entry.companyName ?? '' },
    valor_original: centsToDecimal(entry.grossCents),
    repasse: centsToDecimal(entry.driverCents),
  }),
  columns: [
    when,
    ['Empresa', ({ companyName }) => companyName],
    ['Lançamento', ({ kind }) => lineWords[kind]],
    ...amounts,
    ['Antes do cupom', ({ grossCents }) => amountCell(grossCents)],
    ['Repasse', ({ driverCents }) => amountCell(driverCents)],
  ],
});

export const ledgerListEndpoints = [
  ...walletListEndpoints,
  ...driverEntryListEndpoints,
  ...companyEntryListEndpoints,
];
