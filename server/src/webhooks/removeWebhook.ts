import type { Caller } from '../centrals/caller.ts';
import type { Deps } from '../postgres/deps.ts';
import { lockWebhook, markDeleted } from './webhookStore.ts';

/** Nothing is sent there any more, and nobody sees it again; see forgetEvents.ts for what it leaves behind. */
export async function removeWebhook({ db, clock }: Deps, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    await lockWebhook(tx, caller, id);
    await markDeleted(tx, caller.centralId, id, clock.now());
  });
}
