import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { LiveFeed } from '../events/liveFeed.ts';

/** All that a request may need. */
export interface AppDeps extends EstimateDeps {
  /** Waits until this process works with every register change committed so far. */
  registersHeard(): Promise<void>;
  /** What is committed, as it happens. */
  live: LiveFeed;
  /** Webhooks may lead to this machine and its network: in the demonstration and in tests only. */
  allowPrivateWebhooks: boolean;
}
