import type { Caller } from '../centrals/caller.ts';
import type { Deps } from '../postgres/deps.ts';
import { newWebhookSecret } from './signWebhook.ts';
import { SECRET_OVERLAP_HOURS } from './webhook.ts';
import { lockWebhook, markRotated } from './webhookStore.ts';

/**
 * Gives an endpoint a new secret, shown this one time. The one before signs along with it for a while; the one
 * before that, should it still have done so, no longer does.
 */
export async function rotateSecret(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
): Promise<{ secret: string; previousUntil: Temporal.Instant }> {
  const secret = newWebhookSecret();
  const previousUntil = clock.now().add({ hours: SECRET_OVERLAP_HOURS });
  await db.begin(async (tx) => {
    await lockWebhook(tx, caller, id);
    await markRotated(tx, caller.centralId, id, secret, previousUntil);
  });
  return { secret, previousUntil };
}
