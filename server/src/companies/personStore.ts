import type { Tx } from '../postgres/database.ts';

/** Persons who ordered for themselves; companies are not considered. */
export interface Person {
  id: number;
  name: string;
  cpf: string | null;
  phone: string | null;
}

export function findPersons(
  tx: Tx,
  centralId: number,
  { cpf, phone }: { cpf: string | null; phone: string | null },
): Promise<Person[]> {
  return tx<Person>`
    select id, name, cpf, phone from customers
    where central_id = ${centralId} and company_id is null
      and (cpf = ${cpf} or phone_digits(phone) = ${phone})
    order by id`;
}

/** Deletes persons whom no request refers to any more. Returns their number; a new order creates a new customer. */
export async function removePersons(tx: Tx, centralId: number, ids: readonly number[]): Promise<number> {
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
