// The words for the state of a record. Events speak of them too, so they stand further in than their rooms.

/** Of a delivery; deliveries/status.ts says which step leads from one to another. */
export const STATUSES = [
  'awaiting_release',
  'distributing',
  'offered',
  'accepted',
  'on_hold',
  'in_progress',
  'finished',
  'not_attended',
  'cancelled',
  'pending',
] as const;
export type Status = (typeof STATUSES)[number];

/** Of a scheduled delivery; the letters of contract 3.2 are made at the border. */
export const SITUATIONS = ['awaiting', 'dispatched', 'cancelled', 'grouped', 'failed'] as const;
export type Situation = (typeof SITUATIONS)[number];

/** Why the balance of a wallet changed. */
export type EntryKind = 'top_up' | 'withdrawal' | 'reserve' | 'release' | 'settlement' | 'cancellation_fee';

/** Why the balance of a driver's account changed. */
export type DriverEntryKind = 'share' | 'collected' | 'handed_in' | 'payment' | 'adjustment';
/** Why nothing could be handed over at a stop. */
export const FAILURE_REASONS = ['absent', 'wrong_address', 'refused', 'other'] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** What follows a failed stop: another attempt later in the run, the goods go back, or they wait for the central. */
export const FAILURE_DECISIONS = ['retry', 'return', 'leave'] as const;
export type FailureDecision = (typeof FAILURE_DECISIONS)[number];
