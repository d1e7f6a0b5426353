import type { Position } from '../kernel/position.ts';
import type { Profile } from '../routing/router.ts';
import type { Script } from './script.ts';

/**
 * A driver that nobody is: it answers offers, drives, waits, hands over and finishes by itself, so that a
 * newcomer sees things move and an integrator can try every outcome.
 *
 * Only drivers registered as simulated are ever moved, only in centrals that switched it on, and only by the
 * commands that a real driver's phone calls. All that decides what a courier does next is in the database, read
 * anew each time: its last position and when that was, its delivery's status and moments. A process may die at
 * any point and another one goes on.
 */
export interface Courier {
  id: number;
  /** Takes offers; one that is not available and carries nothing is left alone. */
  available: boolean;
  seen: Seen | null;
  task: Task | null;
}

export interface Seen {
  position: Position;
  at: Temporal.Instant;
}

/** The delivery a courier works on now. */
export interface Task {
  deliveryId: number;
  script: Script;
  /** Another driver said no to it, or gave it up. */
  wasDeclined: boolean;
  profile: Profile;
  pickup: Position;
  returning: boolean;
  started: boolean;
  arrivedAt: Temporal.Instant | null;
  acceptedAt: Temporal.Instant;
  /** The latest of its moments: acceptance, start, the last stop concluded. */
  movedOnAt: Temporal.Instant;
  /** The next to be visited; null when all are done. */
  nextStop: NextStop | null;
  stopsLeft: number;
}

export interface NextStop {
  id: number;
  position: Position;
  code: number | null;
  wrongCodes: number;
}
