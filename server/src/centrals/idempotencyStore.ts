import type { Tx } from '../platform/postgres/database.ts';
import { violatedConstraint } from '../platform/postgres/databaseErrors.ts';
import { sql } from '../platform/postgres/sql.ts';
import { findCentralsWith } from './centralStore.ts';

/** A key belongs to one login; other logins of the same central have their own keys. */
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
  const row = await tx.row<KeyedAnswer>`
    select fingerprint, answer from idempotency_keys
    where central_id = ${centralId} and user_id = ${userId} and key = ${key}`;
  return row;
}

/**
 * Sent together with the first statement of the transaction, before it. While another transaction holds the same key
 * uncommitted, the primary key makes this one wait for its end and then fail: of two equal concurrent requests only one
 * takes effect. Any later statement reports that failure, which `isKeyTaken` recognises.
 */
export async function claimKey(
  tx: Tx,
  { centralId, userId, key }: OwnedKey,
  fingerprint: Buffer,
  now: Temporal.Instant,
): Promise<void> {
  await tx.write`
    insert into idempotency_keys (central_id, user_id, key, fingerprint, created_at)
    values (${centralId}, ${userId}, ${key}, ${fingerprint}, ${now})`;
}

export const isKeyTaken = (error: unknown): boolean => violatedConstraint(error) === 'idempotency_keys_pkey';

/** Stores the answer of a request that needed no transaction. Does nothing if the key is taken. */
export async function insertAnswer(
  tx: Tx,
  { centralId, userId, key }: OwnedKey,
  fingerprint: Buffer,
  answer: string,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    insert into idempotency_keys (central_id, user_id, key, fingerprint, answer, created_at)
    values (${centralId}, ${userId}, ${key}, ${fingerprint}, ${answer}, ${now})
    on conflict do nothing`;
}

/** What the login has stored, with `keyBytes` for each key. Reads no answer: its length stands beside it. */
export async function keptBytes(tx: Tx, { centralId, userId }: OwnedKey, keyBytes: number): Promise<number> {
  const row = await tx.row<{ bytes: number }>`
    select count(*) * ${keyBytes}::int + coalesce(sum(octet_length(answer)), 0) as bytes from idempotency_keys
    where central_id = ${centralId} and user_id = ${userId}`;
  return Number(row!.bytes);
}

/** Called in the transaction that claimed the key. */
export async function markAnswered(
  tx: Tx,
  { centralId, userId, key }: OwnedKey,
  answer: string,
): Promise<void> {
  await tx.write`
    update idempotency_keys set answer = ${answer}
    where central_id = ${centralId} and user_id = ${userId} and key = ${key}`;
}

export const findCentralsWithOldKeys = (tx: Tx, before: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`idempotency_keys where created_at < ${before}`);

/** Deletes in small batches, so that no clean-up locks many rows. Returns the number of deleted rows. */
export async function deleteOldKeys(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const rows = await tx.rows`
    delete from idempotency_keys where central_id = ${centralId} and (user_id, key) in (
      select user_id, key from idempotency_keys
      where central_id = ${centralId} and created_at < ${before} limit ${limit})
    returning key`;
  return rows.length;
}
