import type { Central } from '../../centrals/central.ts';
import type { DriverEntryKind } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import {
  countUpTo,
  type KeysetList,
  type LedgerFilter,
  ledgerKeyset,
  rangeOfDays,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../../platform/postgres/keysetPage.ts';
import { sql } from '../../platform/postgres/sql.ts';

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
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys})
      select e.id, e.number, e.driver_id, driver.name as driver_name, e.kind,
        e.reverses_id is not null as is_reversal,
        exists (select from driver_entries r where r.central_id = ${central.id} and r.reverses_id = e.id) as is_reversed,
        e.amount_cents,
        e.balance_after_cents, e.cash_after_cents,
        e.delivery_id, e.note, e.created_at, ${columns}
      from page join driver_entries e on e.central_id = ${central.id} and e.id = page.id
      join drivers driver on driver.central_id = ${central.id} and driver.id = e.driver_id
      ${sorted}`,
  );

export const countDriverEntries = (
  tx: Tx,
  central: Pick<Central, 'id' | 'timeZone'>,
  filter: DriverEntryListFilter,
  max: number,
) => countUpTo(tx, central.id, keysetOf(central, filter), max);
