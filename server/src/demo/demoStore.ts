import type { Tx } from '../postgres/database.ts';

/** Stays true until the transaction ends: nobody else adds a central meanwhile. */
export async function isEmptyDatabase(tx: Tx): Promise<boolean> {
  await tx`lock table centrals in share row exclusive mode`;
  const rows = await tx`select 1 from centrals limit 1`;
  return rows.length === 0;
}
