import type { LiveFeed } from '../events/liveFeed.ts';
import { countForEach } from '../kernel/rounds.ts';
import type { SecretBox } from '../kernel/secretBox.ts';
import { deleteInSteps } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import { deleteGoneMessages, deleteGoneWebhooks, findCentralsWithGoneWebhooks } from './messageStore.ts';
import { findPositionCentrals, insertPositionEvents } from './positionEventStore.ts';
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

/** Often enough that a sampled position is still fresh when it is sent. */
export const POSITIONS_SAMPLED_MS = 5_000;
const CENTRALS_AT_ONCE = 2;

/**
 * Creates position events of deliveries that are being carried, where a webhook subscribes to them: at most one in
 * 15 seconds for each delivery. A position report itself records no event, so it stays one cheap statement.
 */
export async function samplePositions({ db, clock }: Deps): Promise<number> {
  return countForEach(
    await findPositionCentrals(db, clock.now()),
    (centralId) => db.beginIndependent((tx) => insertPositionEvents(tx, centralId, clock.now())),
    CENTRALS_AT_ONCE,
  );
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
