import { isOver, type Status } from '../../deliveries/status.ts';
import type { Position } from '../../kernel/position.ts';

/** What changes while the recipient of one stop watches; nothing in it belongs to another stop. */
export interface TrackedProgress {
  centralId: number;
  /** Who carries the stop now, and the delivery it was ordered with: events of both concern it. */
  carriedBy: number;
  orderedWith: number;
  status: Status;
  /** The driver is where the order is picked up. */
  isAtPickup: boolean;
  driverId: number | null;
  /** Stops that are still visited before this one. */
  before: number;
  concludedAt: Temporal.Instant | null;
  driverAt: { position: Position; at: Temporal.Instant } | null;
}

/** Nothing will change any more. */
export const isTrackingOver = ({ status, concludedAt }: TrackedProgress): boolean =>
  concludedAt !== null || isOver(status);

/** Whose driver the recipient may see: the one that is on the way, to the pickup or from it. */
export const showsDriver = (progress: TrackedProgress): boolean =>
  !isTrackingOver(progress) && (progress.status === 'accepted' || progress.status === 'in_progress');
