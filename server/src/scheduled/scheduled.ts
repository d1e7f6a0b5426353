import type { Address } from '../deliveries/address.ts';
import type { Payment } from '../deliveries/payment.ts';
import type { OrderedStop } from '../deliveries/stop.ts';
import { secondsBetween } from '../kernel/clock.ts';
import { Refusal } from '../kernel/refusal.ts';

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
