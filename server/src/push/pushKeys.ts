import { ECDH } from 'node:crypto';
import webPush from 'web-push';
import type { SecretBox } from '../kernel/secretBox.ts';
import type { Deps } from '../postgres/deps.ts';
import { findPushKeys, insertPushKeys } from './pushStore.ts';

export type PushDeps = Deps & { secrets: SecretBox };

const ownerOf = (centralId: number): string => `push ${centralId}`;

/** With which phones of a central subscribe; made when one first asks, and kept for good. */
export async function publicPushKey({ db, clock, secrets }: PushDeps, centralId: number): Promise<string> {
  const known = await findPushKeys(db, centralId);
  if (known) return known.publicKey;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const sealedPrivateKey = secrets.seal(privateKey, ownerOf(centralId));
  await insertPushKeys(db, centralId, { publicKey, sealedPrivateKey }, clock.now());
  return (await findPushKeys(db, centralId))!.publicKey;
}

/** Undefined where there are none, or where their encryption key is lost. */
export async function openPushKeys(
  { db, secrets }: PushDeps,
  centralId: number,
): Promise<{ publicKey: string; privateKey: string } | undefined> {
  const keys = await findPushKeys(db, centralId);
  const privateKey = keys && secrets.open(keys.sealedPrivateKey, ownerOf(centralId));
  return keys && privateKey !== undefined ? { publicKey: keys.publicKey, privateKey } : undefined;
}

/** Whether messages can be encrypted with a browser's key: not every text of its length is one. */
export function isBrowserKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url').length > 0;
  } catch {
    return false;
  }
}
