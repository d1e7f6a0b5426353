import { randomBytes } from 'node:crypto';
import type { Page } from '../platform/kernel/page.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { newId } from '../platform/postgres/ids.ts';
import type { ApiKey } from './apiKeyStore.ts';
import { lockCentral } from './centralStore.ts';

/*
 * Keys that reach the sandbox of a central. They have a table of their own, and another beginning, so that no look-up of
 * a real key ever finds one.
 */

const TEST_PREFIX = 'teste_';
const KEYS_MAX = 100;

export const isTestKey = (apiKey: string): boolean => apiKey.startsWith(TEST_PREFIX);

/** 256 random bits; shown once, kept only as a digest. */
export const newSandboxKey = (): string => `${TEST_PREFIX}${randomBytes(32).toString('base64url')}`;

/** The central whose sandbox the key reaches. Names no central, since none is known before. */
export async function findCentralIdBySandboxKey(tx: Tx, digest: Buffer): Promise<number | undefined> {
  const row = await tx.row<{ centralId: number }>`
    select central_id from sandbox_keys where sha256 = ${digest} and revoked_at is null`;
  return row?.centralId;
}

export async function listSandboxKeys(tx: Tx, centralId: number, page: Page): Promise<ApiKey[]> {
  return tx.rows<ApiKey>`
    select id, label, created_at, revoked_at from sandbox_keys
    where central_id = ${centralId} order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findSandboxKey(tx: Tx, centralId: number, id: number): Promise<ApiKey | undefined> {
  return tx.row<ApiKey>`
    select id, label, created_at, revoked_at from sandbox_keys where central_id = ${centralId} and id = ${id}`;
}

/** Of the revoked keys only as many as of valid ones are kept. The lock of the central makes the count exact. */
export async function insertSandboxKey(
  tx: Tx,
  centralId: number,
  label: string,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<number> {
  await lockCentral(tx, centralId);
  const row = await tx.row<{ count: number }>`
    select count(*) from sandbox_keys where central_id = ${centralId} and revoked_at is null`;
  if (row!.count >= KEYS_MAX) throw new Refusal('too-many-records', { max: KEYS_MAX });
  await tx.rows`
    delete from sandbox_keys
    where central_id = ${centralId} and id = any(array(
      select id from sandbox_keys where central_id = ${centralId} and revoked_at is not null
      order by revoked_at desc, id desc offset ${KEYS_MAX}))`;
  const id = await newId(tx, centralId, 'sandbox_key');
  await tx.rows`
    insert into sandbox_keys (central_id, id, label, sha256, created_at)
    values (${centralId}, ${id}, ${label}, ${digest}, ${now})`;
  return id;
}

/** A key that is already revoked keeps its time of revocation. The last one may be revoked too. */
export async function markSandboxKeyRevoked(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update sandbox_keys set revoked_at = coalesce(revoked_at, ${now})
    where central_id = ${centralId} and id = ${id}`;
}

/** Whether any of these keys was valid. */
export async function revokeSandboxKeysOf(
  tx: Tx,
  centralId: number,
  digests: readonly Buffer[],
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx.rows`
    update sandbox_keys set revoked_at = ${now}
    where central_id = ${centralId} and sha256 = any(${digests}::bytea[]) and revoked_at is null returning id`;
  return rows.length > 0;
}
