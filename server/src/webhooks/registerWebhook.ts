import type { Caller } from '../centrals/caller.ts';
import { assertRoom } from '../centrals/recordLimitStore.ts';
import type { WantedType } from '../events/event.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { SecretBox } from '../kernel/secretBox.ts';
import type { Deps } from '../postgres/deps.ts';
import { newWebhookSecret } from './signWebhook.ts';
import { WEBHOOKS_MAX, type Webhook } from './webhook.ts';
import { countWebhooks, findWebhook, insertWebhook } from './webhookStore.ts';

/**
 * Registers an endpoint; answers with it and, this one time, with its secret. A company manager's hears of
 * that company only. The caller has seen that the address may be called (webhookUrl.ts).
 */
export async function registerWebhook(
  { db, clock, secrets }: Deps & { secrets: SecretBox },
  caller: Caller,
  { url, types }: { url: string; types: readonly WantedType[] },
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = newWebhookSecret();
  return db.begin(async (tx) => {
    // Holds the lock of the central, so that the count below is right for those who register at once, too.
    await assertRoom(tx, caller.centralId, 'webhooks');
    if ((await countWebhooks(tx, caller)) >= WEBHOOKS_MAX)
      throw new Refusal('too-many-webhooks', { max: WEBHOOKS_MAX });
    const id = await insertWebhook(tx, secrets, caller, { url, types, secret }, clock.now());
    return { webhook: await findWebhook(tx, caller, id), secret };
  });
}
