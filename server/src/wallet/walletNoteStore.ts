import type { Tx } from '../postgres/database.ts';

/** Free text may name people. The amounts stay: the ledger lets nothing else of an entry be changed. */
export async function removeOldNotes(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx`
    update wallet_entries set note = null where central_id = ${centralId} and id in (
      select id from wallet_entries
      where central_id = ${centralId} and note is not null and created_at < ${before}
      order by created_at, id limit ${limit})
    returning id`;
  return rows.length;
}

/** Those that hold these digits, however they are punctuated. */
export async function removeNotesNaming(tx: Tx, centralId: number, digits: string): Promise<number> {
  const rows = await tx`
    update wallet_entries set note = null
    where central_id = ${centralId} and note is not null
      and regexp_replace(note, '\\D', '', 'g') like '%' || ${digits} || '%'
    returning id`;
  return rows.length;
}
