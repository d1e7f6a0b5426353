import type { LiveFeed } from '../events/liveFeed.ts';
import type { SecretBox } from '../kernel/secretBox.ts';
import type { Deps } from '../postgres/deps.ts';
import { type SenderOptions, startWebhookSender } from './sendWebhooks.ts';

/** Sends webhooks until it is stopped, woken by every commit of any process that leaves something to send. */
export function startWebhooks(
  deps: Deps & { live: LiveFeed; secrets: SecretBox },
  options: SenderOptions,
): { stop(): Promise<void> } {
  const sender = startWebhookSender(deps, options);
  const deafen = deps.live.hear(sender.wake);
  return {
    async stop() {
      deafen();
      await sender.stop();
    },
  };
}
