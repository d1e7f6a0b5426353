import Type from 'typebox';
import {
  countCompanyEntries,
  type ListedCompanyEntry,
  listCompanyEntries,
} from '../../../money/billing/companyEntryListStore.ts';
import type { CompanyEntryKind } from '../../../money/billing/companyEntryStore.ts';
import {
  countDriverEntries,
  type ListedDriverEntry,
  listDriverEntries,
} from '../../../money/earnings/driverEntryListStore.ts';
import {
  countWalletEntries,
  type ListedWalletEntry,
  listWalletEntries,
} from '../../../money/wallet/walletListStore.ts';
import type { EntryKind } from '../../../money/wallet/walletStore.ts';
import type { DriverEntryKind } from '../../../platform/kernel/states.ts';
import { closingLineCode, driverEntryCode, entryKindCode, labelsOf } from '../../json/codes.ts';
import { WALLET_ENTRY_LABELS } from '../../json/labels.ts';
import { cents, flag, id, instant, integer, lastInExample, one, text, view } from '../../json/view.ts';
import { lineWords } from '../wire/closingFile.ts';
import { namedBy, namedCompany, namedDriver } from '../wire/commonFields.ts';
import { amountCell, type CsvCell, momentCell } from '../wire/csv.ts';
import { sentId } from '../wire/fields.ts';
import { type ListContext, listEndpoints, periodFields, periodOf } from './listEndpoints.ts';

const TAG = 'Operação: listas';
const ORDERS = ['mais_novos', 'mais_antigos'] as const;

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

interface CommonRow {
  id: number;
  amountCents: number;
  balanceAfterCents: number | null;
  deliveryId: number | null;
  createdAt: Temporal.Instant;
}

const entryId = id((entry: CommonRow) => entry.id, '71');
const amountFields = {
  valor: cents((entry: CommonRow) => entry.amountCents, '-19.43'),
  saldo_apos: cents.orNull((entry: CommonRow) => entry.balanceAfterCents, '480.57'),
  entrega_id: id.orNull((entry: CommonRow) => entry.deliveryId, '1042'),
  data_hora: instant((entry: CommonRow) => entry.createdAt, '2026-11-16T15:00:00Z'),
};

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

const walletWords = labelsOf(entryKindCode, WALLET_ENTRY_LABELS);

const walletKinds = kindsField<EntryKind>(entryKindCode);
const walletFilter = {
  ...periodFields,
  empresa_id: Type.Optional(sentId()),
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
  entry: lastInExample(
    view<ListedWalletEntry>()({
      id: entryId,
      tipo: text((entry) => entryKindCode[entry.kind], 'reserva'),
      ...amountFields,
      empresa: one(namedCompany, ({ companyId, companyName }) => ({ id: companyId, name: companyName })),
      observacao: text.orNull((entry) => entry.note, null),
    }),
    'tipo',
    'empresa',
    'observacao',
  ),
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
  filter: { ...periodFields, condutor_id: Type.Optional(sentId()), tipo: driverKinds.field },
  filterExample: { tipo: ['repasse'] },
  orders: ORDERS,
  entry: lastInExample(
    view<ListedDriverEntry>()({
      id: entryId,
      tipo: text((entry) => driverEntryCode[entry.kind], 'repasse'),
      ...amountFields,
      condutor: one(namedDriver, ({ driverId, driverName }) => ({ id: driverId, name: driverName }), {
        example: { id: '1', nome: 'João Silva' },
      }),
      numero: integer((entry) => entry.number, 31, 'o lugar no extrato: 1, 2, 3 …'),
      estorno: flag((entry) => entry.isReversal, false, 'desfaz outro lançamento'),
      estornado: flag((entry) => entry.isReversed, false, 'outro lançamento o desfez'),
      dinheiro_apos: cents((entry) => entry.cashAfterCents, '0.00'),
      motivo: text.orNull((entry) => entry.note, null),
    }),
    'tipo',
    'condutor',
    'numero',
    'estorno',
    'estornado',
    'dinheiro_apos',
    'motivo',
  ),
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
  filter: { ...periodFields, empresa_id: Type.Optional(sentId()), tipo: companyKinds.field },
  filterExample: { tipo: ['entrega'] },
  orders: ORDERS,
  entry: lastInExample(
    view<ListedCompanyEntry>()({
      id: entryId,
      tipo: text((entry) => companyCodes[entry.kind], 'entrega'),
      ...amountFields,
      empresa: one.orNull(namedCompany, ({ companyId, companyName }) => namedBy(companyId, companyName)),
      valor_original: cents((entry) => entry.grossCents, '21.53', 'antes do cupom'),
      repasse: cents((entry) => entry.driverCents, '13.60', 'a parte dos entregadores'),
    }),
    'tipo',
    'empresa',
    'valor_original',
    'repasse',
  ),
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
