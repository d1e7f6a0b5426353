import { findCentralIds } from '../centrals/centralStore.ts';
import type { SecretBox } from '../kernel/secretBox.ts';
import type { Deps } from '../postgres/deps.ts';
import { lockStoredSecrets, markSecrets, type StoredSecrets } from './webhookSecretStore.ts';

/** Secrets are encrypted for their webhook, so a row does not open with the secret of another. */
export const secretOwner = (centralId: number, webhookId: number): string =>
  `webhook ${centralId}/${webhookId}`;

/** Signs nothing where the current secret cannot be read; a previous one that cannot be read is left out. */
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
 * Encrypts what is stored plainly or with an older key; done at every start. What cannot be read stays as it is.
 * The lock of a row keeps a rotation from being overwritten.
 */
export async function encryptStoredSecrets({
  db,
  secrets: box,
}: Deps & { secrets: SecretBox }): Promise<number> {
  let count = 0;
  if (box.currentPrefix === '') return count;
  for (const centralId of await findCentralIds(db))
    for (let afterId = 0, isMore = true; isMore; ) {
      const found = await db.beginIndependent(async (tx) => {
        const stored = await lockStoredSecrets(tx, centralId, box.currentPrefix, afterId, BATCH);
        const changed = stored
          .map((one) => encrypted(box, centralId, one))
          .filter((one) => one !== undefined);
        await markSecrets(tx, centralId, changed);
        count += changed.length;
        return stored;
      });
      afterId = found.at(-1)?.id ?? afterId;
      isMore = found.length === BATCH;
    }
  return count;
}

function encrypted(
  box: SecretBox,
  centralId: number,
  { id, secret, previousSecret }: StoredSecrets,
): StoredSecrets | undefined {
  const owner = secretOwner(centralId, id);
  const renew = (stored: string): string => {
    const opened = box.open(stored, owner);
    return opened === undefined || stored.startsWith(box.currentPrefix) ? stored : box.seal(opened, owner);
  };
  const after = { id, secret: renew(secret), previousSecret: previousSecret && renew(previousSecret) };
  return after.secret === secret && after.previousSecret === previousSecret ? undefined : after;
}
