import type { DriverEntryKind } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import {
  countUpTo,
  type KeysetList,
  ledgerKeyset,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../postgres/keysetPage.ts';

export interface DriverEntryListFilter {
  driverId: number | null;
  /** Null: any. */
  kinds: readonly DriverEntryKind[] | null;
  from: Temporal.Instant | null;
  until: Temporal.Instant | null;
  oldestFirst: boolean;
}

export interface ListedDriverEntry {
  id: number;
  number: number;
  driverId: number;
  driverName: string;
  kind: DriverEntryKind;
  isReversal: boolean;
  /** Another entry has taken it back. */
  isReversed: boolean;
  amountCents: number;
  balanceAfterCents: number;
  cashAfterCents: number;
  deliveryId: number | null;
  note: string | null;
  createdAt: Temporal.Instant;
}

/** Through driver_entries_of_driver or driver_entries_by_time. */
const keysetOf = (filter: DriverEntryListFilter): KeysetList =>
  ledgerKeyset('driver_entries', filter, { column: 'driver_id', id: filter.driverId, also: null });

/** The entries of all drivers' accounts, or of one driver's. */
export const listDriverEntries = (
  tx: Tx,
  centralId: number,
  filter: DriverEntryListFilter,
  request: SliceRequest,
): Promise<Slice<ListedDriverEntry>> =>
  readSlice(
    tx,
    centralId,
    keysetOf(filter),
    request,
    ({ keys, columns, sorted }) => `
      with page as materialized (${keys})
      select e.id, e.number, e.driver_id as "driverId", driver.name as "driverName", e.kind,
        e.reverses_id is not null as "isReversal",
        exists (select from driver_entries r where r.central_id = $1 and r.reverses_id = e.id) as "isReversed",
        e.amount_cents as "amountCents",
        e.balance_after_cents as "balanceAfterCents", e.cash_after_cents as "cashAfterCents",
        e.delivery_id as "deliveryId", e.note, e.created_at as "createdAt", ${columns}
      from page join driver_entries e on e.central_id = $1 and e.id = page.id
      join drivers driver on driver.central_id = $1 and driver.id = e.driver_id
      ${sorted}`,
  );

export const countDriverEntries = (tx: Tx, centralId: number, filter: DriverEntryListFilter, max: number) =>
  countUpTo(tx, centralId, keysetOf(filter), max);
