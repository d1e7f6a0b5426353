import type { Tx } from '../../platform/postgres/database.ts';
import {
  containsIfGiven,
  countUpTo,
  equalsIfGiven,
  type KeysetList,
  readSlice,
  type Slice,
  type SliceRequest,
} from '../../platform/postgres/keysetPage.ts';
import { sql } from '../../platform/postgres/sql.ts';

export interface CompanyListFilter {
  /** A part of the name, the document, the phone, the contract number or the identifier. */
  text: string | null;
  active: boolean | null;
  lastFirst: boolean;
}

export interface ListedCompany {
  id: number;
  name: string;
  document: string;
  phone: string | null;
  contractNumber: string | null;
  identifier: string | null;
  active: boolean;
  balanceCents: number;
  owedCents: number;
}

const SEARCHED = `concat_ws(' ', name, document, phone, contract_number, identifier)`;

const keysetOf = ({ text, active, lastFirst }: CompanyListFilter): KeysetList => ({
  table: 'companies',
  order: { by: 'fold_name(name)', type: 'text', number: 'id', descending: lastFirst },
  leads: [],
  checks:
    text === null && active === null
      ? []
      : [containsIfGiven(SEARCHED, text), equalsIfGiven('active', 'boolean', active)],
  from: null,
  until: null,
});

/** By name, through the index companies_by_name, with the credit and the debt of each. */
export const listCompaniesPage = (
  tx: Tx,
  centralId: number,
  filter: CompanyListFilter,
  request: SliceRequest,
): Promise<Slice<ListedCompany>> =>
  readSlice(
    tx,
    centralId,
    keysetOf(filter),
    request,
    ({ keys, columns, sorted }) => sql`
      with page as materialized (${keys})
      select c.id, c.name, c.document, c.phone, c.contract_number, c.identifier, c.active,
        coalesce(wallet.balance_cents, 0)::bigint as balance_cents,
        coalesce(account.balance_cents, 0)::bigint as owed_cents, ${columns}
      from page join companies c on c.central_id = ${centralId} and c.id = page.id
      left join wallets wallet on wallet.central_id = ${centralId} and wallet.company_id = c.id
      left join company_accounts account on account.central_id = ${centralId} and account.company_id = c.id
      ${sorted}`,
  );

export const countCompanies = (tx: Tx, centralId: number, filter: CompanyListFilter, max: number) =>
  countUpTo(tx, centralId, keysetOf(filter), max);
