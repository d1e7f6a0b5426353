import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { LiveFeed } from '../events/liveFeed.ts';
import type { SecretBox } from '../kernel/secretBox.ts';

/** The dependencies of every request. */
export interface AppDeps extends EstimateDeps {
  /** Waits until this process has applied every register change committed so far. */
  registersHeard(): Promise<void>;
  /** Committed events, as they happen. */
  live: LiveFeed;
  /** Allows webhooks to this machine and its private network: in the demonstration and in tests only. */
  allowPrivateWebhooks: boolean;
  /** Encrypts what the service must read again. */
  secrets: SecretBox;
}
