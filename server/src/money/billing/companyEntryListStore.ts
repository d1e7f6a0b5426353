import type { Central } from '../../centrals/central.ts';
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
import type { CompanyEntryKind } from './companyEntryStore.ts';

export interface CompanyEntryListFilter extends LedgerFilter<CompanyEntryKind> {
  companyId: number | null;
}

export interface ListedCompanyEntry {
  id: number;
  number: number | null;
  companyId: number | null;
  companyName: string | null;
  kind: CompanyEntryKind;
  amountCents: number;
  grossCents: number;
  driverCents: number;
  balanceAfterCents: number | null;
  deliveryId: number | null;
  createdAt: Temporal.Instant;
}

/** Read through the index company_entries_in_order or company_entries_by_time. */
const keysetOf = ({ timeZone }: Pick<Central, 'timeZone'>, filter: CompanyEntryListFilter): KeysetList =>
  ledgerKeyset('company_entries', filter, {
    column: 'company_id',
    id: filter.companyId,
    also: null,
    range: rangeOfDays(filter, timeZone),
  });

/** The entries of one company's account, or of all accounts, including entries without a company. */
export const listCompanyEntries = (
  tx: Tx,
  central: Pick<Central, 'id' | 'timeZone'>,
  filter: CompanyEntryListFilter,
  request: SliceRequest,
): Promise<Slice<ListedCompanyEntry>> =>
  readSlice(
    tx,
    central.id,
    keysetOf(central, filter),
    request,
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys})
      select e.id, e.number, e.company_id, company.name as company_name, e.kind,
        e.amount_cents, e.gross_cents, e.driver_cents,
        e.balance_after_cents, e.delivery_id, e.created_at,
        ${columns}
      from page join company_entries e on e.central_id = ${central.id} and e.id = page.id
      left join companies company on company.central_id = ${central.id} and company.id = e.company_id
      ${sorted}`,
  );

export const countCompanyEntries = (
  tx: Tx,
  central: Pick<Central, 'id' | 'timeZone'>,
  filter: CompanyEntryListFilter,
  max: number,
) => countUpTo(tx, central.id, keysetOf(central, filter), max);
