import type { Sight } from '../centrals/caller.ts';
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

export async function findCompany(tx: Tx, sight: Sight, id: number): Promise<Company | undefined> {
  const [row] = await tx<CompanyRow>`
    select id, name, document, phone, contract_number, identifier, default_category_id, needs_release, active
    from companies
    where central_id = ${sight.centralId} and id = ${id}
      and (${sight.companyId}::bigint is null or id = ${sight.companyId})`;
  return row && toCompany(row);
}

/** By name; those that one may order for. */
export async function listActiveCompanies(
  tx: Tx,
  { centralId, companyId }: Sight,
  limit: number,
): Promise<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>[]> {
  return tx<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>>`
    select id, name, default_category_id as "defaultCategoryId" from companies
    where central_id = ${centralId} and active and (${companyId}::bigint is null or id = ${companyId})
    order by lower(name), id limit ${limit}`;
}

export async function findCompanyBy(
  tx: Tx,
  sight: Sight,
  { by, value }: CompanyIdentification,
): Promise<Company | undefined> {
  const columns = {
    document: 'document',
    phone: 'phone',
    contractNumber: 'contract_number',
    identifier: 'identifier',
  } as const;
  const [row] = await tx.run<CompanyRow>(
    `select id, name, document, phone, contract_number, identifier, default_category_id, needs_release, active
     from companies
     where central_id = $1 and ${columns[by]} = $2 and ($3::bigint is null or id = $3)`,
    [sight.centralId, value, sight.companyId],
  );
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

/** A person is known by the CPF; the latest name and phone are kept. */
export async function upsertPerson(tx: Tx, centralId: number, person: Person): Promise<number> {
  const [row] = await tx<{ id: number }>`
    insert into customers (central_id, id, name, cpf, phone)
    values (${centralId}, next_id(${centralId}, 'customer'), ${person.name}, ${person.cpf}, ${person.phone})
    on conflict (central_id, cpf) do update
      set name = excluded.name, phone = coalesce(excluded.phone, customers.phone)
    returning id`;
  return row!.id;
}
