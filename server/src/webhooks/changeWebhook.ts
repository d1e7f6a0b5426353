import type { Caller } from '../centrals/caller.ts';
import type { WantedType } from '../events/event.ts';
import type { Deps } from '../postgres/deps.ts';
import { makeDue, wakeSenders } from './messageStore.ts';
import type { Webhook } from './webhook.ts';
import { findWebhook, lockWebhook, markAwake, markWebhook } from './webhookStore.ts';

export interface WebhookChange {
  url?: string | undefined;
  types?: readonly WantedType[] | undefined;
  active?: boolean | undefined;
}

/**
 * What is not named stays as it is. Saying that it is to be active wakes one that was paused or is failing, and
 * so does a new address: whatever waits is sent at once.
 */
export async function changeWebhook(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  { url, types, active }: WebhookChange,
): Promise<Webhook> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    const before = await lockWebhook(tx, caller, id);
    const after = {
      id,
      url: url ?? before.url,
      types: types ?? before.types,
      active: active ?? before.active,
    };
    await markWebhook(tx, centralId, after);
    if (active === true || after.url !== before.url) {
      await markAwake(tx, centralId, id);
      await makeDue(tx, centralId, id, clock.now());
      await wakeSenders(tx, caller.centralId);
    }
    return findWebhook(tx, caller, id);
  });
}
