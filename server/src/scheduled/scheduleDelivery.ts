import type { Caller } from '../centrals/caller.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { secondsBetween } from '../kernel/clock.ts';
import type { Tx } from '../postgres/database.ts';
import type { Order } from '../requests/order.ts';
import { prepareOrder } from '../requests/prepareOrder.ts';
import { insertScheduled } from './insertScheduledStore.ts';
import { assertCredit, assertInFuture } from './scheduled.ts';

/** What the dispatcher listens on; see dispatcher/startDispatcher.ts. */
export const DISPATCH_CHANNEL = 'malote_dispatch';

/** The dispatcher looks by itself at least this often. */
export const DISPATCH_POLL_SECONDS = 1;

/**
 * Tells the dispatcher of a dispatch that may be due before it would look by itself. All others it finds
 * without being told, which spares nearly every creation a round trip.
 */
export async function wakeDispatcher(
  tx: Tx,
  dispatchAt: Temporal.Instant,
  now: Temporal.Instant,
): Promise<void> {
  if (secondsBetween(now, dispatchAt) > 2 * DISPATCH_POLL_SECONDS) return;
  await tx`select pg_notify(${DISPATCH_CHANNEL}, '')`;
}

/** Orders a delivery that sets off later; answers with the scheduled delivery's id. */
export async function scheduleDelivery(
  deps: EstimateDeps,
  caller: Caller,
  order: Order,
  dispatchAt: Temporal.Instant,
): Promise<number> {
  const { db, clock } = deps;
  const prepared = await prepareOrder(deps, caller, order, dispatchAt);
  const now = clock.now();
  assertInFuture(dispatchAt, now);
  return db.begin(async (tx) => {
    const actor = { at: now, by: caller.userId };
    const id = await insertScheduled(tx, caller.centralId, prepared, dispatchAt, actor);
    await wakeDispatcher(tx, dispatchAt, now);
    const { companyId, estimate } = prepared;
    await assertCredit(tx, caller.centralId, {
      companyId,
      payment: order.payment,
      netCents: estimate.netCents,
    });
    return id;
  });
}
