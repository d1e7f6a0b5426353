import type { Position } from '../kernel/position.ts';

/** Who carries deliveries. A driver works on one at a time; what was accepted meanwhile waits on hold. */
export interface Driver {
  id: number;
  name: string;
  active: boolean;
  available: boolean;
  /** Where it was last seen. */
  position: Position | null;
  seenAt: Temporal.Instant | null;
}
