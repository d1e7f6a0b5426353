import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { insertTest } from './replayStore.ts';
import { webhookState } from './webhook.ts';
import { lockWebhook } from './webhookStore.ts';

/** Sends a message to one endpoint only, the way all others go; answers with the id of its message. */
export async function testWebhook({ db, clock }: Deps, caller: Caller, id: number): Promise<number> {
  return db.begin(async (tx) => {
    const webhook = await lockWebhook(tx, caller, id);
    const state = webhookState(webhook);
    if (state === 'inactive' || state === 'paused') throw new Refusal('webhook-asleep');
    return insertTest(tx, caller.centralId, webhook, { at: clock.now(), by: caller.userId });
  });
}
