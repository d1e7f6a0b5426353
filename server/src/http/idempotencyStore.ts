import type { Tx } from '../postgres/database.ts';

export interface KeyedAnswer {
  fingerprint: Buffer;
  status: number | null;
  answer: string | null;
}

export async function findKeyedAnswer(
  tx: Tx,
  centralId: number,
  key: string,
): Promise<KeyedAnswer | undefined> {
  const [row] = await tx<KeyedAnswer>`
    select fingerprint, status, answer from idempotency_keys where central_id = ${centralId} and key = ${key}`;
  return row;
}

/**
 * False when the key is taken. While another transaction holds the same key uncommitted, the primary key
 * makes this one wait for its end: of two equal requests in flight only one can take effect.
 */
export async function insertKey(
  tx: Tx,
  centralId: number,
  key: string,
  fingerprint: Buffer,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx`
    insert into idempotency_keys (central_id, key, fingerprint, created_at)
    values (${centralId}, ${key}, ${fingerprint}, ${now})
    on conflict do nothing returning key`;
  return rows.length === 1;
}

export async function saveKeyedAnswer(
  tx: Tx,
  centralId: number,
  key: string,
  fingerprint: Buffer,
  answer: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into idempotency_keys (central_id, key, fingerprint, status, answer, created_at)
    values (${centralId}, ${key}, ${fingerprint}, 200, ${answer}, ${now})
    on conflict (central_id, key) do update set status = excluded.status, answer = excluded.answer
    where idempotency_keys.fingerprint = excluded.fingerprint`;
}

/** In small steps, so that no clean-up holds many rows. Returns how many went. */
export async function deleteOldKeys(tx: Tx, before: Temporal.Instant, limit: number): Promise<number> {
  const rows = await tx`
    delete from idempotency_keys where (central_id, key) in (
      select central_id, key from idempotency_keys where created_at < ${before} limit ${limit})
    returning key`;
  return rows.length;
}
