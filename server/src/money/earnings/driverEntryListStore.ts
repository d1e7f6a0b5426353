import type { Central } from '../centrals/central.ts';
import type { DriverEntryKind } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import {
  countUpTo,
  type KeysetList,
  type LedgerFilter,
  ledgerKeyset,
  rangeOfDays,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../postgres/keysetPage.ts';

export interface DriverEntryListFilter extends LedgerFilter<DriverEntryKind> {
  driverId: number | null;
}

export interface ListedDriverEntry {
  id: number;
  number: number;
  driverId: number;
  driverName: string;
  kind: DriverEntryKind;
  isReversal: boolean;
  /** Whether another entry has reversed it. */
  isReversed: boolean;
  amountCents: number;
  balanceAfterCents: number;
  cashAfterCents: number;
  deliveryId: number | null;
  note: string | null;
  createdAt: Temporal.Instant;
}

/** Read through the index driver_entries_newest or driver_entries_by_time. */
const keysetOf = ({ timeZone }: Pick<Central, 'timeZone'>, filter: DriverEntryListFilter): KeysetList =>
  ledgerKeyset('driver_entries', filter, {
    column: 'driver_id',
    id: filter.driverId,
    also: null,
    range: rangeOfDays(filter, timeZone),
  });

/** The entries of all drivers' accounts, or of one driver's. */
export const listDriverEntries = (
  tx: Tx,
  central: Pick<Central, 'id' | 'timeZone'>,
  filter: DriverEntryListFilter,
  request: SliceRequest,
): Promise<Slice<ListedDriverEntry>> =>
  readSlice(
    tx,
    central.id,
    keysetOf(central, filter),
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

export const countDriverEntries = (
  tx: Tx,
  central: Pick<Central, 'id' | 'timeZone'>,
  filter: DriverEntryListFilter,
  max: number,
) => countUpTo(tx, central.id, keysetOf(central, filter), max);
