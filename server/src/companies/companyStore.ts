import type { Scope } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Company, CompanyIdentification, Person } from './company.ts';

interface CompanyRow {
  id: number;
  name: string;
  document: string;
  phone: string | null;
  contract_number: string | null;
  identifier: string | null;
  default_category_id: number | null;
  needs_release: boolean;
  active: boolean;
}

export async function findCompany(tx: Tx, scope: Scope, id: number): Promise<Company | undefined> {
  const [row] = await tx<CompanyRow>`
    select id, name, document, phone, contract_number, identifier, default_category_id, needs_release, active
    from companies
    where central_id = ${scope.centralId} and id = ${id}
      and (${scope.companyId}::bigint is null or id = ${scope.companyId})`;
  return row && toCompany(row);
}

/** Sorted by name; only companies that the caller may order for. */
export async function listActiveCompanies(
  tx: Tx,
  { centralId, companyId }: Scope,
  limit: number,
): Promise<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>[]> {
  return tx<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>>`
    select id, name, default_category_id as "defaultCategoryId" from companies
    where central_id = ${centralId} and active and (${companyId}::bigint is null or id = ${companyId})
    order by lower(name), id limit ${limit}`;
}

/** What each kind of identification compares. All but the phone are unique in a central. */
const NAMED: Record<CompanyIdentification['by'], string> = {
  document: 'document = $2',
  contractNumber: 'contract_number = $2',
  identifier: 'identifier = $2',
  // Contract 2.5, type T: the company's own phone, or that of an active driver who works for this company alone.
  phone: `(phone = $2 or id in (
    select min(bound.company_id) from drivers driver
    join driver_companies bound on bound.central_id = $1 and bound.driver_id = driver.id
    where driver.central_id = $1 and driver.phone = $2 and driver.active
    group by driver.id having count(*) = 1))`,
};

/** Refuses with company-ambiguous when several companies in the caller's scope match. */
export async function findCompanyBy(
  tx: Tx,
  scope: Scope,
  { by, value }: CompanyIdentification,
): Promise<Company | undefined> {
  const [row, another] = await tx.run<CompanyRow>(
    `select id, name, document, phone, contract_number, identifier, default_category_id, needs_release, active
     from companies
     where central_id = $1 and ${NAMED[by]} and ($3::bigint is null or id = $3) limit 2`,
    [scope.centralId, value, scope.companyId],
  );
  if (another) throw new Refusal('company-ambiguous');
  return row && toCompany(row);
}

const toCompany = (row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  document: row.document,
  phone: row.phone,
  contractNumber: row.contract_number,
  identifier: row.identifier,
  defaultCategoryId: row.default_category_id,
  needsRelease: row.needs_release,
  active: row.active,
});

export async function findCompanyCustomer(tx: Tx, centralId: number, companyId: number): Promise<number> {
  const [row] = await tx<{ id: number }>`
    select id from customers where central_id = ${centralId} and company_id = ${companyId}`;
  if (!row) throw new Error(`company ${companyId} has no customer record`);
  return row.id;
}

/** A person is identified by CPF; the latest name and phone are kept. */
export async function upsertPerson(tx: Tx, centralId: number, person: Person): Promise<number> {
  const [row] = await tx<{ id: number }>`
    insert into customers (central_id, id, name, cpf, phone)
    values (${centralId}, next_id(${centralId}, 'customer'), ${person.name}, ${person.cpf}, ${person.phone})
    on conflict (central_id, cpf) do update
      set name = excluded.name, phone = coalesce(excluded.phone, customers.phone)
    returning id`;
  return row!.id;
}
