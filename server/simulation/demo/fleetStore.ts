import type { Tx } from '../../src/platform/postgres/database.ts';

/** Of some companies those that may order. */
export async function findSenderIds(tx: Tx, centralId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from companies where central_id = ${centralId} and id = any(${ids}::bigint[]) and active order by id`;
  return rows.map(({ id }) => id);
}

export async function findCompaniesNamed(
  tx: Tx,
  centralId: number,
  identifiers: readonly string[],
): Promise<{ id: number; identifier: string | null; active: boolean }[]> {
  return tx.rows`
    select id, identifier, active from companies
    where central_id = ${centralId} and identifier = any(${identifiers}::text[]) order by id`;
}

export async function findDriversByPhone(
  tx: Tx,
  centralId: number,
  phones: readonly string[],
): Promise<{ id: number; available: boolean }[]> {
  return tx.rows`
    select id, available from drivers
    where central_id = ${centralId} and phone = any(${phones}::text[]) and simulated and active order by id`;
}

/** Ids by name. */
export async function findCategories(tx: Tx, centralId: number): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{
    id: number;
    name: string;
  }>`select id, name from categories where central_id = ${centralId}`;
  return new Map(rows.map(({ id, name }) => [name, id]));
}
