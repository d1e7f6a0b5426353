import type { Scope } from '../centrals/caller.ts';
import type { FailureRules } from '../centrals/failureRules.ts';
import type { Page } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../postgres/databaseErrors.ts';
import { newId } from '../postgres/ids.ts';
import { insertWalletsSql } from '../wallet/walletStore.ts';
import type { Company, CompanyIdentification, OrderingCompany, Person } from './company.ts';
import type { OwnProofRules } from './proofRules.ts';

interface CompanyRow {
  id: number;
  name: string;
  document: string;
  phone: string | null;
  contract_number: string | null;
  identifier: string | null;
  default_category_id: number | null;
  needs_release: boolean;
  failure_rules: Partial<FailureRules> | null;
  support_text: string | null;
  proof_photo: Company['proofPhoto'];
  proof_signature: Company['proofSignature'];
  proof_name: Company['proofName'];
  proof_amount: boolean | null;
  active: boolean;
}

export async function findCompany(tx: Tx, scope: Scope, id: number): Promise<Company | undefined> {
  const [row] = await tx<CompanyRow>`
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
  const [rules] = await tx<OwnProofRules>`
    select proof_photo as "proofPhoto", proof_signature as "proofSignature", proof_name as "proofName",
      proof_amount as "proofAmount"
    from companies where central_id = ${centralId} and id = (
      select company_id from deliveries where central_id = ${centralId} and id = ${deliveryId})`;
  return rules ?? null;
}

/** Sorted by name; only companies that the caller may order for. */
export async function listActiveCompanies(
  tx: Tx,
  { centralId, companyId }: Scope,
): Promise<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>[]> {
  return tx<Pick<Company, 'id' | 'name' | 'defaultCategoryId'>>`
    select id, name, default_category_id as "defaultCategoryId" from companies
    where central_id = ${centralId} and active and (${companyId}::bigint is null or id = ${companyId})
    order by lower(name), id`;
}

/** The condition for each kind of identification. All except the phone are unique in a central. */
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
    `select id, name, document, phone, contract_number, identifier, default_category_id, needs_release,
       failure_rules, support_text, proof_photo, proof_signature, proof_name, proof_amount, active
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
  failureRules: row.failure_rules,
  supportText: row.support_text,
  proofPhoto: row.proof_photo,
  proofSignature: row.proof_signature,
  proofName: row.proof_name,
  proofAmount: row.proof_amount,
  active: row.active,
});

export async function findOrderingCompany(
  tx: Tx,
  centralId: number,
  id: number,
): Promise<OrderingCompany | undefined> {
  const [row] = await tx<OrderingCompany>`
    select company.id, company.default_category_id as "defaultCategoryId", company.needs_release as "needsRelease",
      company.active, customer.id as "customerId"
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
  const [row] = await tx<{ rules: Partial<FailureRules> | null }>`
    select failure_rules as rules from companies where central_id = ${centralId} and id = ${companyId}`;
  return row?.rules ?? null;
}

/** The person who ordered a delivery without a company; null once the person's data was removed. */
export async function findPerson(tx: Tx, centralId: number, customerId: number): Promise<Person | null> {
  const [row] = await tx<Person>`
    select name, cpf, phone from customers
    where central_id = ${centralId} and id = ${customerId} and company_id is null and cpf is not null`;
  return row ?? null;
}

/** A person is identified by CPF; the latest name and phone are kept. */
export async function upsertPerson(tx: Tx, centralId: number, person: Person): Promise<number> {
  const id = await newId(tx, centralId, 'customer');
  const [row] = await tx<{ id: number }>`
    insert into customers (central_id, id, name, cpf, phone)
    values (${centralId}, ${id}, ${person.name}, ${person.cpf}, ${person.phone})
    on conflict (central_id, cpf) do update
      set name = excluded.name, phone = coalesce(excluded.phone, customers.phone)
    returning id`;
  return row!.id;
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
  return tx<Company>`
    select id, name, document, phone, contract_number as "contractNumber", identifier,
      default_category_id as "defaultCategoryId", needs_release as "needsRelease",
      failure_rules as "failureRules", support_text as "supportText",
      proof_photo as "proofPhoto", proof_signature as "proofSignature", proof_name as "proofName",
      proof_amount as "proofAmount", active
    from companies where central_id = ${centralId}
    order by id limit ${page.limit} offset ${page.offset}`;
}

const INSERT_COMPANY = `
  with company as (
    insert into companies (central_id, id, name, document, phone, contract_number, identifier,
      default_category_id, needs_release, failure_rules, support_text, active, proof_photo, proof_signature, proof_name,
      proof_amount)
    values ($1, $10, $2, $3, $4, $5, $6, $7, $8, $12::jsonb, $13, coalesce($9, true), $14, $15, $16, $17)
    returning central_id, id, name
  ), customer as (
    insert into customers (central_id, id, company_id, name)
    select central_id, $11::bigint, id, name from company
  )
  ${insertWalletsSql('company')}`;

/** Creates a company with its wallet and with the customer record of its own deliveries. */
export async function insertCompany(tx: Tx, centralId: number, company: CompanyValues): Promise<number> {
  const [id, customerId] = await Promise.all([
    newId(tx, centralId, 'company'),
    newId(tx, centralId, 'customer'),
  ]);
  const inserted = tx.run(INSERT_COMPANY, [
    centralId,
    company.name,
    company.document,
    company.phone,
    company.contractNumber,
    company.identifier,
    company.defaultCategoryId,
    company.needsRelease,
    company.active,
    id,
    customerId,
    company.failureRules,
    company.supportText,
    company.proofPhoto,
    company.proofSignature,
    company.proofName,
    company.proofAmount,
  ]);
  await refuseViolations(inserted, violations);
  return id;
}

export async function updateCompany(
  tx: Tx,
  centralId: number,
  id: number,
  company: CompanyValues,
): Promise<boolean> {
  const updated = tx`
    with company as (
      update companies set name = ${company.name}, document = ${company.document}, phone = ${company.phone},
        contract_number = ${company.contractNumber}, identifier = ${company.identifier},
        default_category_id = ${company.defaultCategoryId}, needs_release = ${company.needsRelease},
        failure_rules = ${company.failureRules}::jsonb, support_text = ${company.supportText},
        proof_photo = ${company.proofPhoto}, proof_signature = ${company.proofSignature},
        proof_name = ${company.proofName}, proof_amount = ${company.proofAmount},
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
  const deleted = tx`delete from companies where central_id = ${centralId} and id = ${id} returning id`;
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
  return tx<StoredPerson>`
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
  await tx`
    select from customers where central_id = ${centralId} and id = any(${ids}::bigint[]) and company_id is null
    order by id for update`;
  const rows = await tx`
    update customers set name = '***', cpf = null, phone = null
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and company_id is null and cpf is not null
      and not exists (select 1 from deliveries d where d.central_id = ${centralId} and d.company_id is null
        and d.customer_id = customers.id and d.personal_data_removed_at is null)
      and not exists (select 1 from scheduled s where s.central_id = ${centralId} and s.company_id is null
        and s.customer_id = customers.id and s.personal_data_removed_at is null)
    returning id`;
  return rows.length;
}
