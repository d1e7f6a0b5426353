import type { World } from './world.ts';

/** One statement of the contract, checked from outside. */
export interface Check {
  /** Of the contract. */
  section: string;
  /** A sentence that can be understood alone. */
  title: string;
  /** Throws Deviation where the server contradicts the contract, and Unchecked where that cannot be found out. */
  run(world: World): Promise<void>;
}

type Outcome = 'passed' | 'failed' | 'skipped';

export interface Result {
  section: string;
  title: string;
  outcome: Outcome;
  /** Why it failed or was skipped. */
  reason?: string;
}
