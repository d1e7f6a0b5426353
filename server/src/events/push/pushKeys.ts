import { ECDH } from 'node:crypto';
import webPush from 'web-push';
import { countForEach } from '../../platform/kernel/rounds.ts';
import { renewSecret, type SecretBox } from '../../platform/kernel/secretBox.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
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
 * The key with which phones of a central subscribe. It is made at the first request and kept while it can be decrypted.
 * A pair whose encryption key is lost is replaced. It cannot wake phones any more, so its subscriptions are deleted,
 * and each phone subscribes again when its app is opened. The database admits one of several simultaneous replacements.
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

/** Encrypts private keys that are stored plainly or with an older key. Unreadable ones stay unchanged. */
export async function encryptPushKeys({ db, secrets }: PushDeps): Promise<number> {
  if (secrets.currentPrefix === '') return 0;
  return countForEach(await findCentralsWithOldPushKeys(db, secrets.currentPrefix), async (centralId) => {
    const stored = (await findPushKeys(db, centralId))?.sealedPrivateKey;
    const renewed = stored && renewSecret(secrets, stored, ownerOf(centralId));
    return renewed && (await markPrivateKeyRenewed(db, centralId, { stored, renewed })) ? 1 : 0;
  });
}

/** Undefined if there are none; `unreadable` if their encryption key is lost. */
export async function openPushKeys(
  { db, secrets }: PushDeps,
  centralId: number,
): Promise<{ publicKey: string; privateKey: string } | 'unreadable' | undefined> {
  const keys = await findPushKeys(db, centralId);
  if (!keys) return undefined;
  const privateKey = secrets.open(keys.sealedPrivateKey, ownerOf(centralId));
  return privateKey === undefined ? 'unreadable' : { publicKey: keys.publicKey, privateKey };
}

/** Whether the text is a valid key of a browser, with which messages can be encrypted. */
export function isBrowserKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url').length > 0;
  } catch {
    return false;
  }
}
