import { createHmac, randomBytes } from 'node:crypto';
import { countForEach } from '../../platform/kernel/rounds.ts';
import { renewSecret, type SecretBox } from '../../platform/kernel/secretBox.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { secretOwner } from './webhook.ts';
import {
  findCentralsWithOldSecrets,
  lockStoredSecrets,
  markSecrets,
  type StoredSecrets,
} from './webhookStore.ts';

/** Undecryptable previous secrets are left out. Without the current one nothing is signed. */
export function signingSecrets(
  box: SecretBox,
  owner: string,
  [current, ...previous]: readonly string[],
): string[] {
  const opened = [current!, ...previous].map((stored) => box.open(stored, owner));
  return opened[0] === undefined ? [] : opened.filter((secret) => secret !== undefined);
}

const BATCH = 200;

/**
 * Encrypts secrets that are stored plainly or with an older key, at every start. Unreadable ones stay unchanged. The
 * lock of a row prevents that a rotation is overwritten.
 */
export async function encryptStoredSecrets({
  db,
  secrets: box,
}: Deps & { secrets: SecretBox }): Promise<number> {
  if (box.currentPrefix === '') return 0;
  return countForEach(await findCentralsWithOldSecrets(db, box.currentPrefix), async (centralId) => {
    let count = 0;
    for (let afterId = 0, isMore = true; isMore; ) {
      const found = await db.beginIndependent(async (tx) => {
        const stored = await lockStoredSecrets(tx, centralId, box.currentPrefix, afterId, BATCH);
        const changed = stored
          .map((each) => encrypted(box, centralId, each))
          .filter((each) => each !== undefined);
        await markSecrets(tx, centralId, changed);
        count += changed.length;
        return stored;
      });
      afterId = found.at(-1)?.id ?? afterId;
      isMore = found.length === BATCH;
    }
    return count;
  });
}

function encrypted(
  box: SecretBox,
  centralId: number,
  { id, secret, previousSecret }: StoredSecrets,
): StoredSecrets | undefined {
  const owner = secretOwner(centralId, id);
  const renew = (stored: string): string => renewSecret(box, stored, owner) ?? stored;
  const after = { id, secret: renew(secret), previousSecret: previousSecret && renew(previousSecret) };
  return after.secret === secret && after.previousSecret === previousSecret ? undefined : after;
}

/** `whsec_` and 32 random bytes, as in Standard Webhooks. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * The three headers of Standard Webhooks. During a rotation there is a signature for each secret, so that a receiver
 * can verify with either.
 */
export function signedHeaders(
  uid: string,
  at: Temporal.Instant,
  body: string,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.epochMilliseconds / 1000));
  return {
    'webhook-id': uid,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => sign(secret, `${uid}.${timestamp}.${body}`)).join(' '),
  };
}

const sign = (secret: string, content: string): string => {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
};
