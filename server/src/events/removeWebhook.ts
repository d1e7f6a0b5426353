import type { Caller } from '../centrals/caller.ts';
import type { Needs } from '../postgres/needs.ts';
import { lockWebhook, markDeleted } from './webhookStore.ts';

/** Nothing is sent there any more, and nobody sees it again; see forgetEvents.ts for what it leaves behind. */
export async function removeWebhook({ db, clock }: Needs, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    await lockWebhook(tx, caller, id);
    await markDeleted(tx, caller.centralId, id, clock.now());
  });
}
