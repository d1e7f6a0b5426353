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

/** What shows that something was handed over, as an image. */
export const PROOF_KINDS = ['photo', 'signature'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** How a delivery, or what is collected at a stop, is paid. */
const PAYMENTS = [
  'cash',
  'voucher',
  'ticket',
  'third_party_wallet',
  'credit_card',
  'debit_card',
  'app_card',
  'instant_transfer',
  'third_party_app',
  'messaging_app',
  'credit_wallet',
  'invoiced',
] as const;
export type Payment = (typeof PAYMENTS)[number];

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
