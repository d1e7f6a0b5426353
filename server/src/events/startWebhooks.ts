import type { Needs } from '../postgres/needs.ts';
import type { LiveFeed } from './liveFeed.ts';
import { type SenderOptions, startWebhookSender } from './sendWebhooks.ts';

/** Sends webhooks until it is stopped, woken by every commit of any process that leaves something to send. */
export function startWebhooks(
  needs: Needs & { live: LiveFeed },
  options: SenderOptions,
): { stop(): Promise<void> } {
  const sender = startWebhookSender(needs, options);
  const deafen = needs.live.hear(sender.wake);
  return {
    async stop() {
      deafen();
      await sender.stop();
    },
  };
}
