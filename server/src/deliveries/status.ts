import { Refusal } from '../kernel/refusal.ts';

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

/** The moments a delivery remembers; each is a column of its own. */
export type Stamp =
  | 'pending_at'
  | 'accepted_at'
  | 'arrived_at'
  | 'started_at'
  | 'finished_at'
  | 'not_attended_at'
  | 'cancelled_at';

interface Step {
  from: readonly Status[];
  to: Status;
  stamp?: Stamp;
  /** Moments that no longer hold after this step. */
  clears?: readonly Stamp[];
  /** The search for a driver begins anew, with all its time. */
  searches?: true;
}

const SEARCHING = ['distributing', 'offered', 'pending'] as const;
const OPEN = ['awaiting_release', ...SEARCHING, 'accepted', 'on_hold', 'in_progress'] as const;

/**
 * The life of a delivery: which step leads from where to where. Every path that changes a status goes
 * through this table; there is no step out of finished, not attended or cancelled.
 */
export const steps = {
  release: { from: ['awaiting_release'], to: 'distributing', searches: true },
  offer: { from: ['distributing', 'pending'], to: 'offered' },
  /** An operator names the driver, whoever it was offered to before. */
  assign: { from: SEARCHING, to: 'offered' },
  decline: { from: ['offered'], to: 'distributing' },
  /** The driver whom an operator named said no, however long that took. */
  declineAssigned: { from: ['offered'], to: 'distributing', searches: true },
  wait: { from: ['distributing'], to: 'pending', stamp: 'pending_at' },
  searchAgain: { from: ['pending'], to: 'distributing' },
  endSearch: { from: SEARCHING, to: 'not_attended', stamp: 'not_attended_at' },
  accept: { from: SEARCHING, to: 'accepted', stamp: 'accepted_at' },
  /** Accepted by a driver who still carries an earlier one. */
  acceptAsNext: { from: SEARCHING, to: 'on_hold', stamp: 'accepted_at' },
  resume: { from: ['on_hold'], to: 'accepted' },
  arrive: { from: ['accepted'], to: 'accepted', stamp: 'arrived_at' },
  giveUp: {
    from: ['accepted', 'on_hold'],
    to: 'distributing',
    clears: ['accepted_at', 'arrived_at'],
    searches: true,
  },
  start: { from: ['accepted'], to: 'in_progress', stamp: 'started_at' },
  finish: { from: ['in_progress'], to: 'finished', stamp: 'finished_at' },
  cancel: { from: OPEN, to: 'cancelled', stamp: 'cancelled_at' },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;

export const isOver = (status: Status): boolean =>
  status === 'finished' || status === 'not_attended' || status === 'cancelled';

/** What a driver works on now: one at a time. */
export const isCurrent = (status: Status): boolean => status === 'accepted' || status === 'in_progress';

/** In some driver's hands, now or next. */
export const isCarried = (status: Status): boolean => isCurrent(status) || status === 'on_hold';

export function assertStep(step: StepName, status: Status): void {
  if ((steps[step].from as readonly Status[]).includes(status)) return;
  throw new Refusal(isOver(status) ? 'delivery-over' : 'step-out-of-order');
}
