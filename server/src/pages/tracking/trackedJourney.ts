import type { Status } from '../../deliveries/status.ts';
import type { Position } from '../../kernel/position.ts';

/** All that the recipient of one stop may know; nothing in it belongs to anybody else's stop. */
export interface TrackedJourney {
  centralId: number;
  stopId: number;
  deliveryId: number;
  status: Status;
  requestedAt: Temporal.Instant;
  acceptedAt: Temporal.Instant | null;
  arrivedAt: Temporal.Instant | null;
  startedAt: Temporal.Instant | null;
  concludedAt: Temporal.Instant | null;
  /** When the delivery ended without this stop, or with it. */
  endedAt: Temporal.Instant | null;
  destination: Position;
  destinationAddress: string;
  pickup: Position;
  /** Stops that are visited before this one, in order and still to come: places only. */
  before: Position[];
  driver: { firstName: string; vehicle: string; plate: string; color: string | null } | null;
  driverAt: { position: Position; at: Temporal.Instant } | null;
  confirmationCode: number | null;
}

export type Phase =
  | 'received'
  | 'searching'
  | 'after-another'
  | 'to-pickup'
  | 'at-pickup'
  | 'on-the-way'
  | 'delivered'
  | 'cancelled'
  | 'not-attended';

/** What is happening, as the recipient sees it. */
export function phaseOf({
  status,
  concludedAt,
  arrivedAt,
}: Pick<TrackedJourney, 'status' | 'concludedAt' | 'arrivedAt'>): Phase {
  if (concludedAt) return 'delivered';
  switch (status) {
    case 'awaiting_release':
      return 'received';
    case 'distributing':
    case 'offered':
    case 'pending':
      return 'searching';
    case 'on_hold':
      return 'after-another';
    case 'accepted':
      return arrivedAt ? 'at-pickup' : 'to-pickup';
    case 'in_progress':
      return 'on-the-way';
    case 'finished':
      return 'delivered';
    case 'cancelled':
      return 'cancelled';
    case 'not_attended':
      return 'not-attended';
  }
}

/** A position older than this is shown as old. */
export const POSITION_FRESH_SECONDS = 90;
