import { secondsBetween } from '../../platform/kernel/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Situation } from '../../platform/kernel/states.ts';
import type { Address, OrderedStop, Payment, RequestCore } from '../orders/request.ts';

/**
 * A delivery that is ordered now and dispatched later.
 *
 * It awaits its dispatch. Until then its company's manager (or the central, if a person ordered it) may edit it, stops
 * may be removed, and it may be grouped: into another scheduled delivery, which from then on carries its stops, or into
 * a delivery in progress. At `dispatchAt` the dispatcher makes a delivery of it, once; its stops keep their ids. If
 * that is impossible (for example because the company's credit does not cover it) its situation is `failed`, and
 * `failure` says why. An edit gives it a new instant, and it awaits again.
 *
 * It may be cancelled in every other situation: a dispatched one together with its delivery, a grouped one by taking
 * its stops back while its grouper awaits dispatch. Those that are grouped into a cancelled one are cancelled with it.
 */
export interface Scheduled extends RequestCore {
  situation: Situation;
  dispatchAt: Temporal.Instant;
  /** The figures are those of earlier stops, because no router answered. They are renewed before the dispatch. */
  estimateOutdated: boolean;
  /** The delivery made of it, or the delivery in progress that it was grouped into. */
  deliveryId: number | null;
  groupedAutomatically: boolean;
  failure: string | null;
}

/** Everything that an edit replaces. Company, category, return, note and coupon stay as they were ordered. */
export interface Replacement {
  dispatchAt: Temporal.Instant;
  payment: Payment;
  pickup: Address;
  stops: readonly OrderedStop[];
}

export const secondsUntilDispatch = (scheduled: Scheduled, now: Temporal.Instant): number =>
  secondsBetween(now, scheduled.dispatchAt);

export function assertInFuture(dispatchAt: Temporal.Instant, now: Temporal.Instant): void {
  if (secondsBetween(now, dispatchAt) <= 0) throw new Refusal('dispatch-in-the-past');
}

/** Contract 3.2: only a scheduled delivery that awaits dispatch can be edited or lose a stop. */
export function assertChangeable(scheduled: Scheduled): void {
  if (scheduled.groupedAutomatically) throw new Refusal('grouped-automatically');
  if (scheduled.situation !== 'awaiting') throw notAwaiting(scheduled);
}

/**
 * After a failed dispatch only an edit is possible: with its new instant the scheduled delivery awaits dispatch again.
 */
export function assertEditable(scheduled: Scheduled): void {
  if (scheduled.situation !== 'failed' || scheduled.groupedAutomatically) assertChangeable(scheduled);
}

/** The refusal for a scheduled delivery that does not await dispatch any more. */
export function notAwaiting({ situation, groupedInto, deliveryId }: Scheduled): Refusal {
  if (situation === 'cancelled') return new Refusal('scheduled-cancelled');
  if (situation === 'dispatched') return new Refusal('scheduled-dispatched');
  if (situation === 'failed') return new Refusal('scheduled-failed');
  return groupedInto === null
    ? new Refusal('delivery-grouped', { id: deliveryId ?? '' })
    : new Refusal('scheduled-grouped', { id: groupedInto });
}
