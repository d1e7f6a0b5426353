import type { Caller } from '../../centrals/caller.ts';
import type { Central } from '../../centrals/central.ts';
import type { Router } from '../../geo/routing/router.ts';
import { type Estimate, type EstimateDeps, estimateTrip } from '../../money/pricing/estimateTrip.ts';
import { categoryOf } from '../../money/pricing/priceBook.ts';
import { secondsBetween } from '../../platform/kernel/clock.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { prepareNewOrder, useQuote } from '../orders/quoteOrder.ts';
import { isOneStatement, type Order } from '../orders/request.ts';
import { assertCredit } from './assertCredit.ts';
import { insertScheduled } from './insertScheduledStore.ts';
import { assertInFuture, type Scheduled } from './scheduled.ts';

/** The channel on which the dispatcher listens; see dispatch/rounds/startDispatcher.ts. */
export const DISPATCH_CHANNEL = 'malote_dispatch';

/** The dispatcher polls at least this often. */
export const DISPATCH_POLL_SECONDS = 1;

/**
 * Notifies the dispatcher of a dispatch that may be due before its next poll. It finds all others by polling, which
 * saves a round trip in nearly every creation.
 */
export function wakeDispatcher(tx: Tx, dispatchAt: Temporal.Instant, now: Temporal.Instant): void {
  if (isSoon(dispatchAt, now)) tx.notify(DISPATCH_CHANNEL, '');
}

const isSoon = (dispatchAt: Temporal.Instant, now: Temporal.Instant): boolean =>
  secondsBetween(now, dispatchAt) <= 2 * DISPATCH_POLL_SECONDS;

/** Creates a scheduled delivery; returns its id. */
export async function scheduleDelivery(
  deps: EstimateDeps,
  caller: Caller,
  order: Order,
  dispatchAt: Temporal.Instant,
): Promise<number> {
  const { db, clock } = deps;
  const prepared = await prepareNewOrder(deps, caller, order, dispatchAt);
  const now = clock.now();
  assertInFuture(dispatchAt, now);
  const actor = { at: now, by: caller.userId };
  if (isOneStatement(prepared) && !isSoon(dispatchAt, now) && !db.request)
    return insertScheduled(db, caller.centralId, prepared, dispatchAt, actor);
  return db.begin(async (tx) => {
    const id = await insertScheduled(tx, caller.centralId, prepared, dispatchAt, actor);
    await useQuote(tx, caller.centralId, prepared, 'scheduled', id, now);
    wakeDispatcher(tx, dispatchAt, now);
    const { companyId, estimate } = prepared;
    await assertCredit(tx, caller.centralId, {
      companyId,
      payment: order.payment,
      netCents: estimate.netCents,
    });
    return id;
  });
}

/** The fields of a scheduled delivery that decide its price, apart from its stops. */
export type Estimated = Pick<
  Scheduled,
  'categoryId' | 'pickup' | 'returning' | 'dispatchAt' | 'discountPercent'
>;

/**
 * Estimates a visit of these stops, in this order. Category and coupon were fixed with the order, and stay valid for it
 * even if they are no longer offered.
 */
export async function estimateScheduled(
  deps: EstimateDeps,
  router: Router,
  central: Central,
  scheduled: Estimated,
  stops: readonly { position: Position }[],
): Promise<Estimate> {
  return estimateTrip(deps, router, central, {
    category: categoryOf(await deps.priceBooks.of(central.id), scheduled),
    pickup: scheduled.pickup.position,
    stops: stops.map((stop) => stop.position),
    returning: scheduled.returning,
    at: scheduled.dispatchAt,
    discountPercent: scheduled.discountPercent,
    optimise: false,
  });
}

/** Null if no estimate is available, for changes that do not depend on one (contract 4.12). */
export async function estimateIfPossible(
  deps: EstimateDeps,
  central: Central,
  scheduled: Estimated,
  stops: readonly { position: Position }[],
): Promise<Estimate | null> {
  try {
    const router = deps.routers.forPlanning(central.settings);
    return await estimateScheduled(deps, router, central, scheduled, stops);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
