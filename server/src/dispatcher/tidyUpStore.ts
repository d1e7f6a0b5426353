import type { Tx } from '../postgres/database.ts';

/** An expired claim holds nobody any more; whoever comes next would replace it anyway. They are few. */
export async function deleteExpiredClaims(tx: Tx, now: Temporal.Instant): Promise<number> {
  const rows = await tx`
    delete from claims where (central_id, noun, target_id) in (
      select central_id, noun, target_id from claims where expires_at < ${now} for update skip locked)
    returning target_id`;
  return rows.length;
}
