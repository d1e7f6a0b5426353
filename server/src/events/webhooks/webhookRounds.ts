import { countForEach } from '../../platform/kernel/rounds.ts';
import type { SecretBox } from '../../platform/kernel/secretBox.ts';
import { deleteInSteps } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import type { LiveFeed } from '../record/liveFeed.ts';
import { deleteGoneMessages, deleteGoneWebhooks, findCentralsWithGoneWebhooks } from './messageStore.ts';
import { type SenderOptions, startWebhookSender } from './sendWebhooks.ts';

/** Sends webhooks until it is stopped, woken by every commit of any process that leaves something to send. */
export function startWebhooks(
  deps: Deps & { live: LiveFeed; secrets: SecretBox },
  options: SenderOptions,
): { stop(): Promise<void> } {
  const sender = startWebhookSender(deps, options);
  const stopListening = deps.live.hear(sender.wake);
  return {
    async stop() {
      stopListening();
      await sender.stop();
    },
  };
}

/** Deletes the messages of removed webhooks, and then the webhooks. */
export async function forgetWebhooks({ db }: Pick<Deps, 'db'>): Promise<{ messages: number }> {
  const messages = await countForEach(await findCentralsWithGoneWebhooks(db), async (centralId) => {
    const deleted = await deleteInSteps(db, (tx, limit) => deleteGoneMessages(tx, centralId, limit));
    await db.beginIndependent((tx) => deleteGoneWebhooks(tx, centralId));
    return deleted;
  });
  return { messages };
}
