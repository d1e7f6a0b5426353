// The states of records. Events contain them too, so they are defined further in than the rooms that own them.

/** The statuses of a delivery; deliveries/deliveries/status.ts lists the transitions between them. */
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

/** The situations of a scheduled delivery; wire code turns them into the letters of contract 3.2. */
export const SITUATIONS = ['awaiting', 'dispatched', 'cancelled', 'grouped', 'failed'] as const;
export type Situation = (typeof SITUATIONS)[number];

/** The kinds of image that prove a hand-over. */
export const PROOF_KINDS = ['photo', 'signature'] as const;
export type ProofKind = (typeof PROOF_KINDS)[number];

/** How a delivery, or the amount collected at a stop, is paid. */
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

/** What follows a failed stop: another attempt later in the run, return of the goods, or a decision by the central. */
export const FAILURE_DECISIONS = ['retry', 'return', 'leave'] as const;
export type FailureDecision = (typeof FAILURE_DECISIONS)[number];
