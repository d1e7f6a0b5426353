import type { Scope } from '../../centrals/caller.ts';
import type { FailureRules } from '../../centrals/failureRules.ts';
import type { Page } from '../../platform/kernel/page.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../../platform/postgres/databaseErrors.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { changes, names, type Sql, sql, values } from '../../platform/postgres/sql.ts';
import type { Company, CompanyIdentification, OrderingCompany, Person } from './company.ts';
import type { OwnProofRules } from './proofRules.ts';

interface CompanyRow {
  id: number;
  name: string;
  document: string;
  phone: string | null;
  contractNumber: string | null;
  identifier: string | null;
  defaultCategoryId: number | null;
  needsRelease: boolean;
  failureRules: Partial<FailureRules> | null;
  supportText: string | null;
  proofPhoto: Company['proofPhoto'];
  proofSignature: Company['proofSignature'];
  proofName: Company['proofName'];
  proofAmount: boolean | null;
  active: boolean;
}

export async function findCompany(tx: Tx, scope: Scope, id: number): Promise<Company | undefined> {
  const row = await tx.row<CompanyRow>`
    select id, name, document, phone, contract_number, identifier, default_category_id, needs_release,
      failure_rules, support_text, proof_photo, proof_signature, proof_name, proof_amount, active
    from companies
    where central_id = ${scope.centralId} and id = ${id}
      and (${scope.companyId}::bigint is null or id = ${scope.companyId})`;
  return row && toCompany(row);
}

/** The proof rules of the company of a delivery; null where no company ordered. */
export async function findOwnProofRules(
  tx: Tx,
  centralId: number,
  deliveryId: number,
): Promise<OwnProofRules | null> {
  const rules = await tx.row<OwnProofRules>`
    select proof_photo, proof_signature, proof_name,
      proof_amount
    from companies where central_id = ${centralId} and id = (
      select company_id from deliveries where central_id = ${centralId} and id = ${deliveryId})`;
  return rules ?? null;
}

/** Sorted by name; only companies that the caller may order for. */
export async function listActiveCompanies(
  tx: Tx,
  { centralId, companyId }: Scope,
): Promise<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>[]> {
  return tx.rows<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>>`
    select id, name, default_category_id from companies
    where central_id = ${centralId} and active and (${companyId}::bigint is null or id = ${companyId})
    order by lower(name), id`;
}

const IDENTIFYING = {
  document: sql`document`,
  contractNumber: sql`contract_number`,
  identifier: sql`identifier`,
};

/** The condition for each kind of identification. All except the phone are unique in a central. */
const isNamed = (centralId: number, { by, value }: CompanyIdentification): Sql =>
  by === 'phone' ? hasPhone(centralId, value) : sql`${IDENTIFYING[by]} = ${value}`;

/** Contract 2.5, type T: the company's own phone, or that of an active driver who works for this company alone. */
const hasPhone = (centralId: number, phone: string): Sql => sql`(phone = ${phone} or id in (
  select min(bound.company_id) from drivers driver
  join driver_companies bound on bound.central_id = ${centralId} and bound.driver_id = driver.id
  where driver.central_id = ${centralId} and driver.phone = ${phone} and driver.active
  group by driver.id having count(*) = 1))`;

/** Refuses with company-ambiguous when several companies in the caller's scope match. */
export async function findCompanyBy(
  tx: Tx,
  { centralId, companyId }: Scope,
  identification: CompanyIdentification,
): Promise<Company | undefined> {
  const [row, another] = await tx.rows<CompanyRow>`
    select id, name, document, phone, contract_number, identifier, default_category_id, needs_release,
      failure_rules, support_text, proof_photo, proof_signature, proof_name, proof_amount, active
    from companies
    where central_id = ${centralId} and ${isNamed(centralId, identification)}
      and (${companyId}::bigint is null or id = ${companyId}) limit 2`;
  if (another) throw new Refusal('company-ambiguous');
  return row && toCompany(row);
}

const toCompany = (row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  document: row.document,
  phone: row.phone,
  contractNumber: row.contractNumber,
  identifier: row.identifier,
  defaultCategoryId: row.defaultCategoryId,
  needsRelease: row.needsRelease,
  failureRules: row.failureRules,
  supportText: row.supportText,
  proofPhoto: row.proofPhoto,
  proofSignature: row.proofSignature,
  proofName: row.proofName,
  proofAmount: row.proofAmount,
  active: row.active,
});

export async function findOrderingCompany(
  tx: Tx,
  centralId: number,
  id: number,
): Promise<OrderingCompany | undefined> {
  const row = await tx.row<OrderingCompany>`
    select company.id, company.default_category_id, company.needs_release,
      company.active, customer.id as customer_id
    from companies company
    join customers customer on customer.central_id = ${centralId} and customer.company_id = company.id
    where company.central_id = ${centralId} and company.id = ${id}`;
  return row;
}

/** A company's deviations from the central's rules for failed stops. */
export async function findOwnFailureRules(
  tx: Tx,
  centralId: number,
  companyId: number | null,
): Promise<Partial<FailureRules> | null> {
  if (companyId === null) return null;
  const row = await tx.row<{ rules: Partial<FailureRules> | null }>`
    select failure_rules as rules from companies where central_id = ${centralId} and id = ${companyId}`;
  return row?.rules ?? null;
}

/** The person who ordered a delivery without a company; null once the person's data was removed. */
export async function findPerson(tx: Tx, centralId: number, customerId: number): Promise<Person | null> {
  const row = await tx.row<Person>`
    select name, cpf, phone from customers
    where central_id = ${centralId} and id = ${customerId} and company_id is null and cpf is not null`;
  return row ?? null;
}

/** A person is identified by CPF; the latest name and phone are kept. */
export async function upsertPerson(tx: Tx, centralId: number, person: Person): Promise<number> {
  const id = await newId(tx, centralId, 'customer');
  const row = await tx.row<{ id: number }>`
    insert into customers (central_id, id, name, cpf, phone)
    values (${centralId}, ${id}, ${person.name}, ${person.cpf}, ${person.phone})
    on conflict (central_id, cpf) do update
      set name = excluded.name, phone = coalesce(excluded.phone, customers.phone)
    returning id`;
  return row!.id;
}

/** Locks the known ones of these persons, in the order of their documents; returns their customer ids by CPF. */
export async function lockPersons(
  tx: Tx,
  centralId: number,
  cpfs: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.rows<{ id: number; cpf: string | null }>`
    select id, cpf from customers where central_id = ${centralId} and cpf = any(${cpfs}::text[])
    order by cpf for no key update`;
  return new Map(rows.map(({ id, cpf }) => [cpf!, id]));
}

export interface CompanyValues extends Omit<Company, 'id' | 'active'> {
  /** Null keeps the current value; a new company is active. */
  active: boolean | null;
}

const violations = {
  companies_document_unique: duplicate('document'),
  companies_phone_unique: duplicate('phone'),
  companies_contract_number_unique: duplicate('contractNumber'),
  companies_identifier_unique: duplicate('identifier'),
  companies_default_category_fkey: () => new Refusal('category-not-found'),
};

export async function listCompanies(tx: Tx, centralId: number, page: Page): Promise<Company[]> {
  return tx.rows<Company>`
    select id, name, document, phone, contract_number, identifier,
      default_category_id, needs_release,
      failure_rules, support_text,
      proof_photo, proof_signature, proof_name,
      proof_amount, active
    from companies where central_id = ${centralId}
    order by id limit ${page.limit} offset ${page.offset}`;
}

const storedValues = (company: CompanyValues) => ({
  name: company.name,
  document: company.document,
  phone: company.phone,
  contract_number: company.contractNumber,
  identifier: company.identifier,
  default_category_id: company.defaultCategoryId,
  needs_release: company.needsRelease,
  failure_rules: company.failureRules,
  support_text: company.supportText,
  proof_photo: company.proofPhoto,
  proof_signature: company.proofSignature,
  proof_name: company.proofName,
  proof_amount: company.proofAmount,
});

/** Inserts a company with the customer record of its own deliveries. Its wallet is opened by `createCompany`. */
export async function insertCompany(tx: Tx, centralId: number, company: CompanyValues): Promise<number> {
  const [id, customerId] = await Promise.all([
    newId(tx, centralId, 'company'),
    newId(tx, centralId, 'customer'),
  ]);
  const row = { central_id: centralId, id, ...storedValues(company), active: company.active ?? true };
  const inserted = tx.rows`
    with company as (
      insert into companies (${names(row)}) values (${values(row)})
      returning central_id, id, name
    )
    insert into customers (central_id, id, company_id, name)
    select central_id, ${customerId}::bigint, id, name from company`;
  await refuseViolations(inserted, violations);
  return id;
}

export async function updateCompany(
  tx: Tx,
  centralId: number,
  id: number,
  company: CompanyValues,
): Promise<boolean> {
  const updated = tx.rows`
    with company as (
      update companies set ${changes(storedValues(company))},
        active = coalesce(${company.active}, active)
      where central_id = ${centralId} and id = ${id}
      returning central_id, id, name
    ), customer as (
      update customers set name = company.name from company
      where customers.central_id = ${centralId} and customers.company_id = company.id
    )
    select id from company`;
  return (await refuseViolations(updated, violations)).length > 0;
}

/** Deletes its customer record and wallet too, unless a delivery or a ledger entry refers to them. */
export async function deleteCompany(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx.rows`delete from companies where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}

/** Persons who ordered for themselves; companies are not considered. */
export interface StoredPerson {
  id: number;
  name: string;
  cpf: string | null;
  phone: string | null;
}

export function findPersons(
  tx: Tx,
  centralId: number,
  { cpf, phone }: { cpf: string | null; phone: string | null },
): Promise<StoredPerson[]> {
  return tx.rows<StoredPerson>`
    select id, name, cpf, phone from customers
    where central_id = ${centralId} and company_id is null
      and (cpf = ${cpf} or phone_digits(phone) = ${phone})
    order by id`;
}

/**
 * Deletes persons to whom no request refers any more. Returns their number. A new order creates a new customer.
 *
 * An order in progress holds the customer's row until it is committed. The lock waits for that in a separate statement,
 * so that the next statement sees the order.
 */
export async function removePersons(tx: Tx, centralId: number, ids: readonly number[]): Promise<number> {
  await tx.rows`
    select from customers where central_id = ${centralId} and id = any(${ids}::bigint[]) and company_id is null
    order by id for update`;
  const rows = await tx.rows`
    update customers set name = '***', cpf = null, phone = null
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and company_id is null and cpf is not null
      and not exists (select 1 from deliveries d where d.central_id = ${centralId} and d.company_id is null
        and d.customer_id = customers.id and d.personal_data_removed_at is null)
      and not exists (select 1 from scheduled s where s.central_id = ${centralId} and s.company_id is null
        and s.customer_id = customers.id and s.personal_data_removed_at is null)
    returning id`;
  return rows.length;
}
