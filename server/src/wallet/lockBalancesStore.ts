import type { Tx } from '../postgres/database.ts';

export interface Balance {
  centralId: number;
  companyId: number;
  balanceCents: number;
}

/**
 * The balances of companies of any central, locked until the end of the transaction: what is reserved of them
 * within it cannot be spent by anybody else. In the order of their keys, so that two of these never wait for
 * each other in a circle.
 */
export async function lockBalances(
  tx: Tx,
  companies: readonly { centralId: number; companyId: number }[],
): Promise<Balance[]> {
  return tx<Balance>`
    select central_id as "centralId", company_id as "companyId", balance_cents as "balanceCents" from wallets
    where (central_id, company_id) in (
      select * from unnest(${companies.map((one) => one.centralId)}::bigint[],
        ${companies.map((one) => one.companyId)}::bigint[]))
    order by central_id, company_id for update`;
}
