import type { Tx } from '../postgres/database.ts';

/** A key as its login knows it; other logins of the same central have keys of their own. */
export interface OwnedKey {
  centralId: number;
  userId: number;
  key: string;
}

export interface KeyedAnswer {
  fingerprint: Buffer;
  answer: string | null;
}

export async function findKeyedAnswer(
  tx: Tx,
  { centralId, userId, key }: OwnedKey,
): Promise<KeyedAnswer | undefined> {
  const [row] = await tx<KeyedAnswer>`
    select fingerprint, answer from idempotency_keys
    where central_id = ${centralId} and user_id = ${userId} and key = ${key}`;
  return row;
}

/**
 * False when the key is taken. While another transaction holds the same key uncommitted, the primary key
 * makes this one wait for its end: of two equal requests in flight only one can take effect.
 */
export async function insertKey(
  tx: Tx,
  { centralId, userId, key }: OwnedKey,
  fingerprint: Buffer,
  answer: string | null,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx`
    insert into idempotency_keys (central_id, user_id, key, fingerprint, answer, created_at)
    values (${centralId}, ${userId}, ${key}, ${fingerprint}, ${answer}, ${now})
    on conflict do nothing returning key`;
  return rows.length === 1;
}

/** In the transaction that inserted the key. */
export async function markAnswered(
  tx: Tx,
  { centralId, userId, key }: OwnedKey,
  answer: string,
): Promise<void> {
  await tx`
    update idempotency_keys set answer = ${answer}
    where central_id = ${centralId} and user_id = ${userId} and key = ${key}`;
}

/** In small steps, so that no clean-up holds many rows. Returns how many went. */
export async function deleteOldKeys(tx: Tx, before: Temporal.Instant, limit: number): Promise<number> {
  const rows = await tx`
    delete from idempotency_keys where (central_id, user_id, key) in (
      select central_id, user_id, key from idempotency_keys where created_at < ${before} limit ${limit})
    returning key`;
  return rows.length;
}
