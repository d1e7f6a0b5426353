import type { Scope } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';
import {
  countUpTo,
  type KeysetList,
  ledgerKeyset,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../postgres/keysetPage.ts';
import type { EntryKind } from './walletStore.ts';

export interface WalletListFilter {
  companyId: number | null;
  /** Null: any. */
  kinds: readonly EntryKind[] | null;
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
  oldestFirst: boolean;
}

export interface ListedWalletEntry {
  id: number;
  number: number;
  companyId: number;
  companyName: string;
  kind: EntryKind;
  amountCents: number;
  balanceAfterCents: number;
  deliveryId: number | null;
  note: string | null;
  createdAt: Temporal.Instant;
}

/** Through wallet_entries_of_company or wallet_entries_by_time. */
const keysetOf = (scope: Scope, filter: WalletListFilter): KeysetList =>
  ledgerKeyset('wallet_entries', filter, {
    column: 'company_id',
    id: scope.companyId ?? filter.companyId,
    /** A manager who asks for another company gets nothing. */
    also: filter.companyId,
  });

/** The entries of all wallets, or of one company's. */
export const listWalletEntries = (
  tx: Tx,
  scope: Scope,
  filter: WalletListFilter,
  request: SliceRequest,
): Promise<Slice<ListedWalletEntry>> =>
  readSlice(
    tx,
    scope.centralId,
    keysetOf(scope, filter),
    request,
    ({ keys, columns, sorted }) => `
      with page as materialized (${keys})
      select e.id, e.number, e.company_id as "companyId", company.name as "companyName", e.kind,
        e.amount_cents as "amountCents", e.balance_after_cents as "balanceAfterCents", e.delivery_id as "deliveryId",
        e.note, e.created_at as "createdAt", ${columns}
      from page join wallet_entries e on e.central_id = $1 and e.id = page.id
      join companies company on company.central_id = $1 and company.id = e.company_id
      ${sorted}`,
  );

export const countWalletEntries = (tx: Tx, scope: Scope, filter: WalletListFilter, max: number) =>
  countUpTo(tx, scope.centralId, keysetOf(scope, filter), max);
