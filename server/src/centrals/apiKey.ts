import { createHash, randomBytes } from 'node:crypto';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { hasActiveApiKey, markRevoked } from './apiKeyStore.ts';
import { lockCentral } from './centralStore.ts';

/** 256 random bits; shown once, kept only as a digest. */
export const newApiKey = (): string => `mal_${randomBytes(32).toString('base64url')}`;

export const digestApiKey = (apiKey: string): Buffer => createHash('sha256').update(apiKey).digest();

/** For good. The last key stays, because without one nobody reaches the central. False when there is no such key. */
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
