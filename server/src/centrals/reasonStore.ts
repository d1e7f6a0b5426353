import type { Tx } from '../postgres/database.ts';

/** Whether a cancellation may name this reason. */
export async function isReasonActive(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const rows = await tx`
    select 1 from cancellation_reasons where central_id = ${centralId} and id = ${id} and active`;
  return rows.length > 0;
}
