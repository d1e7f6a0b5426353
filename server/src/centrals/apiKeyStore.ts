import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '../platform/kernel/page.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { newId } from '../platform/postgres/ids.ts';
import { lockCentral } from './centralStore.ts';

/** The visible fields of an API key after its creation. */
export interface ApiKey {
  id: number;
  label: string;
  createdAt: Temporal.Instant;
  revokedAt: Temporal.Instant | null;
}

export async function listApiKeys(tx: Tx, centralId: number, page: Page): Promise<ApiKey[]> {
  return tx.rows<ApiKey>`
    select id, label, created_at, revoked_at from api_keys
    where central_id = ${centralId} order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findApiKey(tx: Tx, centralId: number, id: number): Promise<ApiKey | undefined> {
  const row = await tx.row<ApiKey>`
    select id, label, created_at, revoked_at from api_keys
    where central_id = ${centralId} and id = ${id}`;
  return row;
}

export async function insertApiKey(
  tx: Tx,
  centralId: number,
  label: string,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<number> {
  const id = await newId(tx, centralId, 'key');
  await tx.rows`
    insert into api_keys (central_id, id, label, sha256, created_at)
    values (${centralId}, ${id}, ${label}, ${digest}, ${now})`;
  return id;
}

export async function updateApiKey(tx: Tx, centralId: number, id: number, label: string): Promise<boolean> {
  const rows = await tx.rows`
    update api_keys set label = ${label} where central_id = ${centralId} and id = ${id} returning id`;
  return rows.length > 0;
}

async function hasActiveApiKey(tx: Tx, centralId: number): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from api_keys where central_id = ${centralId} and revoked_at is null limit 1`;
  return rows.length > 0;
}

/** False when there is no such key. A key that is already revoked keeps its time of revocation. */
export async function markRevoked(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await tx.rows`
    update api_keys set revoked_at = coalesce(revoked_at, ${now})
    where central_id = ${centralId} and id = ${id} returning id`;
  return rows.length > 0;
}

/** Keeps the `kept` keys revoked last, and the central's first key, by which a demonstration is recognised. */
export async function deleteOldestRevoked(tx: Tx, centralId: number, kept: number): Promise<void> {
  await tx.rows`
    delete from api_keys
    where central_id = ${centralId} and id = any(array(
      select id from api_keys where central_id = ${centralId} and revoked_at is not null
        and id > (select min(id) from api_keys where central_id = ${centralId})
      order by revoked_at desc, id desc offset ${kept}))`;
}

/** 256 random bits; shown once, kept only as a digest. */
export const newApiKey = (): string => `mal_${randomBytes(32).toString('base64url')}`;

export const digestApiKey = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();

/** Revokes a key permanently. The last key cannot be revoked, because the central would be unreachable without one. */
export async function revokeApiKey(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<boolean> {
  await lockCentral(tx, centralId);
  const found = await markRevoked(tx, centralId, id, now);
  if (!(await hasActiveApiKey(tx, centralId))) throw new Refusal('last-key');
  return found;
}
