import type { Tx } from '../../platform/postgres/database.ts';
import { type CompanyValues, insertCompany } from '../../registers/companies/companyStore.ts';
import { insertWallet } from './walletStore.ts';

/** Creates a company with its wallet, so that every company has one. */
export async function createCompany(tx: Tx, centralId: number, company: CompanyValues): Promise<number> {
  const companyId = await insertCompany(tx, centralId, company);
  await insertWallet(tx, centralId, companyId);
  return companyId;
}
