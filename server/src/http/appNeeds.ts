import type { EstimateNeeds } from '../estimates/estimateTrip.ts';

/** All that a request may need. */
export interface AppNeeds extends EstimateNeeds {
  /** Waits until this process works with every register change committed so far. */
  registersHeard(): Promise<void>;
}
