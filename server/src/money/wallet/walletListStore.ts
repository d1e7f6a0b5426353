import type { Scope } from '../../centrals/caller.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import {
  countUpTo,
  type KeysetList,
  type LedgerFilter,
  ledgerKeyset,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../../platform/postgres/keysetPage.ts';
import { sql } from '../../platform/postgres/sql.ts';
import type { EntryKind } from './walletStore.ts';

export interface WalletListFilter extends LedgerFilter<EntryKind> {
  companyId: number | null;
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

/** Read through the index wallet_entries_newest or wallet_entries_by_time. */
async function keysetOf(tx: Tx, scope: Scope, filter: WalletListFilter): Promise<KeysetList> {
  const id = scope.companyId ?? filter.companyId;
  const numberFrom = async (at: Temporal.Instant | null): Promise<string | null> =>
    at === null || id === null ? null : String(await findNumberFrom(tx, scope.centralId, id, at));
  return ledgerKeyset('wallet_entries', filter, {
    column: 'company_id',
    id,
    /** A manager's filter by another company matches nothing. */
    also: filter.companyId,
    range: {
      order: { by: 'number', type: 'bigint', number: 'number' },
      from: await numberFrom(filter.from),
      until: await numberFrom(filter.until),
    },
  });
}

/** Times of simultaneous entries may be out of order by at most this many entries. */
const OVERTAKING_MAX = 100;

/** The number of the first entry at this time or later; if there is none, that of the next entry. */
async function findNumberFrom(
  tx: Tx,
  centralId: number,
  companyId: number,
  at: Temporal.Instant,
): Promise<number> {
  const row = await tx.row<{ number: number }>`
    select coalesce((
      select min(number) from (
        select number from wallet_entries
        where central_id = ${centralId} and company_id = ${companyId} and created_at >= ${at}
        order by created_at limit ${OVERTAKING_MAX}) early), (
      select entry_count + 1 from wallets where central_id = ${centralId} and company_id = ${companyId}), 1) as number`;
  return row!.number;
}

/** The entries of all wallets, or of one company's. */
export const listWalletEntries = async (
  tx: Tx,
  scope: Scope,
  filter: WalletListFilter,
  request: SliceRequest,
): Promise<Slice<ListedWalletEntry>> =>
  readSlice(
    tx,
    scope.centralId,
    await keysetOf(tx, scope, filter),
    request,
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys})
      select e.id, e.number, e.company_id, company.name as company_name, e.kind,
        e.amount_cents, e.balance_after_cents, e.delivery_id,
        e.note, e.created_at, ${columns}
      from page join wallet_entries e on e.central_id = ${scope.centralId} and e.id = page.id
      join companies company on company.central_id = ${scope.centralId} and company.id = e.company_id
      ${sorted}`,
  );

export const countWalletEntries = async (tx: Tx, scope: Scope, filter: WalletListFilter, max: number) =>
  countUpTo(tx, scope.centralId, await keysetOf(tx, scope, filter), max);
