import { Refusal } from '../../platform/kernel/refusal.ts';
import { STATUSES, type Status } from '../../platform/kernel/states.ts';

export { STATUSES, type Status };

/** The times of steps that a delivery stores; each is a column. */
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
  /** Times that this step clears. */
  clears?: readonly Stamp[];
  /** Starts a new search for a driver with its full time. */
  searches?: true;
}

const SEARCHING = ['distributing', 'offered', 'pending'] as const;
const OPEN = ['awaiting_release', ...SEARCHING, 'accepted', 'on_hold', 'in_progress'] as const;

/**
 * The state machine of a delivery: the steps, the statuses where they start, and those to which they lead. Every change
 * of a status goes through this table. No step leads out of finished, not attended or cancelled. The comments state the
 * condition of each step and its further effects. docs/contract.md has the same table for integrators; a test compares
 * the two.
 */
export const steps = {
  /** When the central releases it. */
  release: { from: ['awaiting_release'], to: 'distributing', searches: true },
  /** If the search found drivers: one or several get an offer, for the time that the central sets. */
  offer: { from: ['distributing', 'pending'], to: 'offered' },
  /** If an operator names the driver: offers to others are withdrawn, and this driver's offer does not expire. */
  assign: { from: SEARCHING, to: 'offered' },
  /** If the last driver with an offer refused, let it expire or went off duty. */
  decline: { from: ['offered'], to: 'distributing' },
  /** If the driver whom an operator named refused, let the offer expire or went off duty, however long that took. */
  declineAssigned: { from: ['offered'], to: 'distributing', searches: true },
  /** If the search found no driver: it is repeated shortly after. */
  wait: { from: ['distributing'], to: 'pending', stamp: 'pending_at' },
  /** If the central's time limit of the search is over: reserved credit is given back. */
  endSearch: { from: ['distributing', 'pending'], to: 'not_attended', stamp: 'not_attended_at' },
  /** If the driver is active and has an open offer, or has the category and nobody was named: other offers end. */
  accept: { from: SEARCHING, to: 'accepted', stamp: 'accepted_at' },
  /** As `accept`, by a driver who still carries an earlier delivery. */
  acceptAsNext: { from: SEARCHING, to: 'on_hold', stamp: 'accepted_at' },
  /** If the driver's earlier delivery ended or left the driver; of several on hold, the one accepted first. */
  resume: { from: ['on_hold'], to: 'accepted' },
  /** If the driver has not arrived before. */
  arrive: { from: ['accepted'], to: 'accepted', stamp: 'arrived_at' },
  /** Counts as a refusal by the driver, who continues with the next delivery. */
  giveUp: {
    from: ['accepted', 'on_hold'],
    to: 'distributing',
    clears: ['accepted_at', 'arrived_at'],
    searches: true,
  },
  /** If an edit changed the pickup or the category: offers are withdrawn, and the driver's next delivery resumes. */
  reopen: {
    from: [...SEARCHING, 'accepted', 'on_hold'],
    to: 'distributing',
    clears: ['accepted_at', 'arrived_at'],
    searches: true,
  },
  /** If an operator reassigns it: the new driver starts towards the pickup. The first driver's next one resumes. */
  handOver: {
    from: ['accepted', 'on_hold'],
    to: 'accepted',
    stamp: 'accepted_at',
    clears: ['arrived_at'],
  },
  /** As `handOver`, to a driver who still carries an earlier delivery. */
  handOverAsNext: {
    from: ['accepted', 'on_hold'],
    to: 'on_hold',
    stamp: 'accepted_at',
    clears: ['arrived_at'],
  },
  /** As `handOver`, after the start, to a driver without a delivery. Concluded stops stay with the first driver. */
  handOverStarted: { from: ['in_progress'], to: 'in_progress' },
  /** If the central holds it back: offers are withdrawn, and the driver's next delivery resumes. */
  hold: {
    from: [...SEARCHING, 'accepted', 'on_hold'],
    to: 'awaiting_release',
    clears: ['pending_at', 'accepted_at', 'arrived_at'],
  },
  start: { from: ['accepted'], to: 'in_progress', stamp: 'started_at' },
  /** With the last stop or, with a return, when the driver is back: it is paid, and the driver's next one resumes. */
  finish: { from: ['in_progress'], to: 'finished', stamp: 'finished_at' },
  /**
   * With a reason: offers are withdrawn, reserved credit is given back, the central's fee is charged after acceptance,
   * and once a stop is concluded at least the price of the part carried out.
   */
  cancel: { from: OPEN, to: 'cancelled', stamp: 'cancelled_at' },
} as const satisfies Record<string, Step>;

export type StepName = keyof typeof steps;

export const isOver = (status: Status): boolean =>
  status === 'finished' || status === 'not_attended' || status === 'cancelled';

/** Whether it is a driver's current delivery, of which each driver has at most one. */
export const isCurrent = (status: Status): boolean => status === 'accepted' || status === 'in_progress';

/** Whether a driver has accepted it: current or on hold. */
export const isCarried = (status: Status): boolean => isCurrent(status) || status === 'on_hold';

export function assertStep(step: StepName, status: Status): void {
  if ((steps[step].from as readonly Status[]).includes(status)) return;
  throw new Refusal(isOver(status) ? 'delivery-over' : 'step-out-of-order');
}
