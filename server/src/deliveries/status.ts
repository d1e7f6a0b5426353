import { Refusal } from '../kernel/refusal.ts';
import { STATUSES, type Status } from '../kernel/states.ts';

export { STATUSES, type Status };

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
 * The life of a delivery: which step leads from where to where. Every path that changes a status goes through this
 * table; there is no step out of finished, not attended or cancelled. Above each step: if what, then what else. The
 * same table, for readers of the interface, is in docs/contract.md, and a test holds the two together.
 */
export const steps = {
  /** If the central says so. */
  release: { from: ['awaiting_release'], to: 'distributing', searches: true },
  /** If the search found drivers: one or several are asked, for the central's time. */
  offer: { from: ['distributing', 'pending'], to: 'offered' },
  /** If an operator names the driver: offers to others are withdrawn, and this one has all the time it wants. */
  assign: { from: SEARCHING, to: 'offered' },
  /** If the last driver with an offer refused, let it expire or went off duty. */
  decline: { from: ['offered'], to: 'distributing' },
  /** The same of the driver whom an operator named, however long that took. */
  declineAssigned: { from: ['offered'], to: 'distributing', searches: true },
  /** If the search found no driver: it is repeated a little later. */
  wait: { from: ['distributing'], to: 'pending', stamp: 'pending_at' },
  /** If the central's search limit is over: what was reserved is given back. */
  endSearch: { from: ['distributing', 'pending'], to: 'not_attended', stamp: 'not_attended_at' },
  /** If the driver is active and was asked in time, or has the category and nobody was named: others are asked no more. */
  accept: { from: SEARCHING, to: 'accepted', stamp: 'accepted_at' },
  /** The same by a driver who still carries an earlier one. */
  acceptAsNext: { from: SEARCHING, to: 'on_hold', stamp: 'accepted_at' },
  /** If the driver's earlier one is over, or left it; of several that wait, the one accepted first. */
  resume: { from: ['on_hold'], to: 'accepted' },
  /** If it did not arrive before. */
  arrive: { from: ['accepted'], to: 'accepted', stamp: 'arrived_at' },
  /** Counts as a refusal by the driver, who continues with the next delivery. */
  giveUp: {
    from: ['accepted', 'on_hold'],
    to: 'distributing',
    clears: ['accepted_at', 'arrived_at'],
    searches: true,
  },
  /** If an edit changed the pickup or the category: offers are withdrawn, and a driver goes on to its next one. */
  reopen: {
    from: [...SEARCHING, 'accepted', 'on_hold'],
    to: 'distributing',
    clears: ['accepted_at', 'arrived_at'],
    searches: true,
  },
  /** If an operator gives it to another driver: its way to the pickup begins anew. The first driver goes on. */
  handOver: {
    from: ['accepted', 'on_hold'],
    to: 'accepted',
    stamp: 'accepted_at',
    clears: ['arrived_at'],
  },
  /** The same to a driver who still carries an earlier one. */
  handOverAsNext: {
    from: ['accepted', 'on_hold'],
    to: 'on_hold',
    stamp: 'accepted_at',
    clears: ['arrived_at'],
  },
  /** The same under way, to a driver who carries nothing: concluded stops stay with the first driver. */
  handOverStarted: { from: ['in_progress'], to: 'in_progress' },
  /** If the central holds it back: offers are withdrawn, and a driver goes on to its next one. */
  hold: {
    from: [...SEARCHING, 'accepted', 'on_hold'],
    to: 'awaiting_release',
    clears: ['pending_at', 'accepted_at', 'arrived_at'],
  },
  start: { from: ['accepted'], to: 'in_progress', stamp: 'started_at' },
  /** With the last stop, or, if it returns, when the driver is back: the fare is settled, and the driver goes on. */
  finish: { from: ['in_progress'], to: 'finished', stamp: 'finished_at' },
  /**
   * For a reason: offers are withdrawn, what was reserved is given back, the central's fee is charged after acceptance,
   * and once a stop is concluded at least the price of what was carried out.
   */
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
