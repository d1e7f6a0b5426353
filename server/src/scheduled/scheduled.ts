import { secondsBetween } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Address, OrderedStop, Payment } from '../requests/order.ts';
import { lockBalance } from '../wallet/walletStore.ts';
import { sumAwaitingCredit } from './scheduledStore.ts';

/** What has become of a scheduled delivery; the letters of contract 3.2 are made at the border. */
export const SITUATIONS = ['awaiting', 'dispatched', 'cancelled', 'grouped', 'failed'] as const;
export type Situation = (typeof SITUATIONS)[number];

/**
 * A delivery that is ordered now and sets off later.
 *
 * It awaits its dispatch. Until then its company's manager may edit it, stops may be removed, and it may be
 * grouped: into another scheduled delivery, which from then on carries its stops, or into a delivery in
 * progress. At `dispatchAt` the dispatcher makes a delivery of it, once; its stops keep their ids. Where
 * that can never work (the company's credit does not cover it) it has failed, and `failure` says why; an edit gives it a
 * new instant, and it awaits again.
 *
 * Whatever was not cancelled yet may be cancelled: a dispatched one together with its delivery, a grouped
 * one by taking its stops back while the one that carries them still awaits. A cancelled carrier takes
 * those it carries along.
 */
export interface Scheduled {
  id: number;
  situation: Situation;
  dispatchAt: Temporal.Instant;
  requestedAt: Temporal.Instant;
  companyId: number | null;
  customerId: number;
  categoryId: number;
  tariffId: number;
  payment: Payment;
  returning: boolean;
  note: string | null;
  couponId: number | null;
  discountPercent: string;
  pickup: Address;
  plannedMetres: number;
  plannedSeconds: number;
  grossCents: number;
  netCents: number;
  /** The figures are those of earlier stops, because no router answered; mended at dispatch at the latest. */
  estimateOutdated: boolean;
  /** The delivery made of it, or the delivery in progress that it was grouped into. */
  deliveryId: number | null;
  /** The scheduled delivery it was grouped into. */
  groupedInto: number | null;
  groupedAutomatically: boolean;
  failure: string | null;
  /** Grows with every change, so that a plan made on an older one is noticed. */
  version: number;
}

/** A destination that is still to be dispatched; it keeps its id afterwards. */
export interface ScheduledStop extends OrderedStop {
  id: number;
  /** The scheduled delivery that carries it now. */
  carriedBy: number;
  /** The one it was ordered with; differs after a grouping. */
  orderedWith: number;
  /** From 0, without gaps, within the carrying one. */
  order: number;
}

export const secondsUntilDispatch = (scheduled: Scheduled, now: Temporal.Instant): number =>
  secondsBetween(now, scheduled.dispatchAt);

export function assertInFuture(dispatchAt: Temporal.Instant, now: Temporal.Instant): void {
  if (secondsBetween(now, dispatchAt) <= 0) throw new Refusal('dispatch-in-the-past');
}

/** Contract 3.2: only what still awaits its dispatch can be edited or lose a stop. */
export function assertChangeable(scheduled: Scheduled): void {
  if (scheduled.groupedAutomatically) throw new Refusal('grouped-automatically');
  if (scheduled.situation !== 'awaiting') throw notAwaiting(scheduled);
}

/**
 * An edit also brings back one whose dispatch failed for good: with a new instant it awaits again. Nothing else about
 * such a one can be changed but by the edit that replaces it all.
 */
export function assertEditable(scheduled: Scheduled): void {
  if (scheduled.situation !== 'failed' || scheduled.groupedAutomatically) assertChangeable(scheduled);
}

/** Says what has become of one that no longer awaits. */
export function notAwaiting({ situation, groupedInto, deliveryId }: Scheduled): Refusal {
  if (situation === 'cancelled') return new Refusal('scheduled-cancelled');
  if (situation === 'dispatched') return new Refusal('scheduled-dispatched');
  if (situation === 'failed') return new Refusal('scheduled-failed');
  return groupedInto === null
    ? new Refusal('delivery-grouped', { id: deliveryId ?? '' })
    : new Refusal('scheduled-grouped', { id: groupedInto });
}

/** Who pays, and how much. */
export interface Payable {
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

/**
 * Refuses with insufficient-balance what the company's credit does not cover beside all that its other waiting
 * scheduled deliveries will take. Nothing is reserved before the dispatch, which looks again.
 *
 * Called once it is written, as the last lock of the transaction: whoever gets the wallet next sees it in the sum, so
 * two at once cannot both count on the same credit.
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
