import { secondsBetween } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Situation } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment, RequestCore } from '../requests/request.ts';
import { lockBalance } from '../wallet/walletStore.ts';
import { sumAwaitingCredit } from './scheduledStore.ts';

export type { Situation };

/**
 * A delivery that is ordered now and dispatched later.
 *
 * It awaits its dispatch. Until then its company's manager may edit it, stops may be removed, and it may be
 * grouped: into another scheduled delivery, which from then on carries its stops, or into a delivery in
 * progress. At `dispatchAt` the dispatcher makes a delivery of it, once; its stops keep their ids. If that is
 * impossible (for example because the company's credit does not cover it) its situation is `failed`, and `failure`
 * says why. An edit gives it a new instant, and it awaits again.
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
 * An edit is possible also after a failed dispatch: with its new instant the scheduled delivery awaits again. No other
 * change is possible after a failed dispatch.
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

export interface Payable {
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

/**
 * Refuses with insufficient-balance when the company's credit does not cover all of its awaiting scheduled deliveries.
 * Nothing is reserved before the dispatch, which checks the balance again.
 *
 * The caller has written the scheduled delivery, and the wallet is the last lock of its transaction. The next
 * transaction that locks the wallet sees this one in the sum, so two never count on the same credit.
 */
export async function assertCredit(
  tx: Tx,
  centralId: number,
  { companyId, payment, netCents }: Payable,
): Promise<void> {
  if (payment !== 'credit_wallet' || companyId === null || netCents === 0) return;
  const balance = await lockBalance(tx, centralId, companyId);
  if ((await sumAwaitingCredit(tx, centralId, companyId)) > balance)
    throw new Refusal('insufficient-balance');
}
