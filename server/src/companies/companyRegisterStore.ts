import type { Page } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../postgres/refuseViolations.ts';
import { insertWalletsSql } from '../wallet/walletStore.ts';
import type { Company } from './company.ts';

export interface CompanyValues extends Omit<Company, 'id' | 'active'> {
  /** Null keeps the current value; a new company is active. */
  active: boolean | null;
}

const violations = {
  companies_central_id_document_key: duplicate('document'),
  companies_central_id_phone_key: duplicate('phone'),
  companies_central_id_contract_number_key: duplicate('contractNumber'),
  companies_central_id_identifier_key: duplicate('identifier'),
  companies_central_id_default_category_id_fkey: () => new Refusal('category-not-found'),
};

export async function listCompanies(tx: Tx, centralId: number, page: Page): Promise<Company[]> {
  return tx<Company>`
    select id, name, document, phone, contract_number as "contractNumber", identifier,
      default_category_id as "defaultCategoryId", needs_release as "needsRelease", active
    from companies where central_id = ${centralId}
    order by id limit ${page.limit} offset ${page.offset}`;
}

const INSERT_COMPANY = `
  with company as (
    insert into companies (central_id, id, name, document, phone, contract_number, identifier,
      default_category_id, needs_release, active)
    values ($1, next_id($1, 'company'), $2, $3, $4, $5, $6, $7, $8, coalesce($9, true))
    returning central_id, id, name
  ), customer as (
    insert into customers (central_id, id, company_id, name)
    select central_id, next_id(central_id, 'customer'), id, name from company
  ), wallet as (${insertWalletsSql('company')})
  select id from company`;

/** Creates a company with its wallet and with the customer record of its own deliveries. */
export async function insertCompany(tx: Tx, centralId: number, company: CompanyValues): Promise<number> {
  const inserted = tx.run<{ id: number }>(INSERT_COMPANY, [
    centralId,
    company.name,
    company.document,
    company.phone,
    company.contractNumber,
    company.identifier,
    company.defaultCategoryId,
    company.needsRelease,
    company.active,
  ]);
  const [row] = await refuseViolations(inserted, violations);
  return row!.id;
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
        active = coalesce(${company.active}, active)
      where central_id = ${centralId} and id = ${id}
      returning central_id, id, name
    ), customer as (
      update customers set name = company.name from company
      where customers.central_id = company.central_id and customers.company_id = company.id
    )
    select id from company`;
  return (await refuseViolations(updated, violations)).length > 0;
}

/** Deletes its customer record and wallet too, unless a delivery or a ledger entry refers to them. */
export async function deleteCompany(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx`delete from companies where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}
