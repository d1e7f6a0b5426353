import type { Central } from '../centrals/central.ts';
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
    ({ keys, columns, sorted }) => `
      with page as materialized (${keys})
      select e.id, e.number, e.company_id as "companyId", company.name as "companyName", e.kind,
        e.amount_cents as "amountCents", e.gross_cents as "grossCents", e.driver_cents as "driverCents",
        e.balance_after_cents as "balanceAfterCents", e.delivery_id as "deliveryId", e.created_at as "createdAt",
        ${columns}
      from page join company_entries e on e.central_id = $1 and e.id = page.id
      left join companies company on company.central_id = $1 and company.id = e.company_id
      ${sorted}`,
  );

export const countCompanyEntries = (
  tx: Tx,
  central: Pick<Central, 'id' | 'timeZone'>,
  filter: CompanyEntryListFilter,
  max: number,
) => countUpTo(tx, central.id, keysetOf(central, filter), max);
