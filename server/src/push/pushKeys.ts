import { ECDH } from 'node:crypto';
import webPush from 'web-push';
import { countForEach } from '../kernel/rounds.ts';
import { renewSecret, type SecretBox } from '../kernel/secretBox.ts';
import type { Deps } from '../postgres/deps.ts';
import {
  deleteAllSubscriptions,
  findCentralsWithOldPushKeys,
  findPushKeys,
  insertPushKeys,
  markPrivateKeyRenewed,
  replacePushKeys,
} from './pushStore.ts';

export type PushDeps = Deps & { secrets: SecretBox };

const ownerOf = (centralId: number): string => `push ${centralId}`;

/**
 * With which phones of a central subscribe; made when one first asks, and kept as long as it can be read. A pair whose
 * encryption key is lost is replaced. No phone can be woken with it any more, so the subscriptions go with it: each
 * phone subscribes anew when its app is opened. Of several processes that replace it, the database lets one.
 */
export async function publicPushKey(
  { db, clock, secrets }: PushDeps,
  centralId: number,
  onReplaced?: () => void,
): Promise<string> {
  const known = await findPushKeys(db, centralId);
  const owner = ownerOf(centralId);
  if (known && secrets.open(known.sealedPrivateKey, owner) !== undefined) return known.publicKey;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const keys = { publicKey, sealedPrivateKey: secrets.seal(privateKey, owner) };
  if (!known) await insertPushKeys(db, centralId, keys, clock.now());
  else {
    const isReplaced = await db.begin(async (tx) => {
      if (!(await replacePushKeys(tx, centralId, { unreadable: known, keys }, clock.now()))) return false;
      await deleteAllSubscriptions(tx, centralId);
      return true;
    });
    if (isReplaced) onReplaced?.();
  }
  return (await findPushKeys(db, centralId))!.publicKey;
}

/** Encrypts private keys that are stored plainly or with an older key. What cannot be read stays as it is. */
export async function encryptPushKeys({ db, secrets }: PushDeps): Promise<number> {
  if (secrets.currentPrefix === '') return 0;
  return countForEach(await findCentralsWithOldPushKeys(db, secrets.currentPrefix), async (centralId) => {
    const stored = (await findPushKeys(db, centralId))?.sealedPrivateKey;
    const renewed = stored && renewSecret(secrets, stored, ownerOf(centralId));
    return renewed && (await markPrivateKeyRenewed(db, centralId, { stored, renewed })) ? 1 : 0;
  });
}

/** Undefined where there are none; `unreadable` where their encryption key is lost. */
export async function openPushKeys(
  { db, secrets }: PushDeps,
  centralId: number,
): Promise<{ publicKey: string; privateKey: string } | 'unreadable' | undefined> {
  const keys = await findPushKeys(db, centralId);
  if (!keys) return undefined;
  const privateKey = secrets.open(keys.sealedPrivateKey, ownerOf(centralId));
  return privateKey === undefined ? 'unreadable' : { publicKey: keys.publicKey, privateKey };
}

/** Whether messages can be encrypted with a browser's key: not every text of its length is one. */
export function isBrowserKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url').length > 0;
  } catch {
    return false;
  }
}
