import type { Caller } from '../centrals/caller.ts';
import type { SecretBox } from '../kernel/secretBox.ts';
import type { Deps } from '../postgres/deps.ts';
import { makeDue, wakeSenders } from './messageStore.ts';
import { newWebhookSecret } from './signWebhook.ts';
import { SECRET_OVERLAP_HOURS } from './webhook.ts';
import { findStoredSecret } from './webhookSecretStore.ts';
import { secretOwner } from './webhookSecrets.ts';
import { lockWebhook, markAwake, markRotated } from './webhookStore.ts';

/**
 * Gives a webhook a new secret, which only this answer shows. The previous secret signs along with it for a while;
 * the secret before that no longer does. Where the previous one cannot be read, nothing could be signed until now:
 * it ends at once, and the messages that waited are sent.
 */
export async function rotateSecret(
  { db, clock, secrets: box }: Deps & { secrets: SecretBox },
  caller: Caller,
  id: number,
): Promise<{ secret: string; previousUntil: Temporal.Instant }> {
  const { centralId } = caller;
  const secret = newWebhookSecret();
  const now = clock.now();
  const owner = secretOwner(centralId, id);
  return db.begin(async (tx) => {
    await lockWebhook(tx, caller, id);
    const previous = box.open(await findStoredSecret(tx, centralId, id), owner);
    const isReadable = previous !== undefined;
    const previousUntil = isReadable ? now.add({ hours: SECRET_OVERLAP_HOURS }) : now;
    const previousSecret = isReadable ? box.seal(previous, owner) : null;
    await markRotated(tx, centralId, { id, secret: box.seal(secret, owner), previousSecret }, previousUntil);
    if (!isReadable) {
      await markAwake(tx, centralId, id);
      await makeDue(tx, centralId, id, now);
      await wakeSenders(tx, centralId);
    }
    return { secret, previousUntil };
  });
}
