import type { Caller } from '../centrals/caller.ts';
import { findCompany } from '../companies/companyStore.ts';
import { assertCouponUses } from '../estimates/couponUseStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Address, OrderedStop, Payment } from '../requests/order.ts';
import type { Stop } from '../requests/request.ts';
import { deleteStops, findStops, insertStops } from '../requests/stopStore.ts';
import { estimateScheduled } from './estimateScheduled.ts';
import { replaceScheduled } from './insertScheduledStore.ts';
import { stopRemoved } from './removeScheduledStop.ts';
import { wakeDispatcher } from './scheduleDelivery.ts';
import { assertCredit, assertEditable, assertInFuture } from './scheduled.ts';
import { recordScheduledEvents } from './scheduledEventStore.ts';
import { findScheduled, lockScheduled } from './scheduledStore.ts';

/** Everything that an edit replaces. Company, category, return, note and coupon stay as they were ordered. */
export interface Replacement {
  dispatchAt: Temporal.Instant;
  payment: Payment;
  pickup: Address;
  stops: readonly OrderedStop[];
}

/** Contract 4.3. */
export async function editScheduled(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  replacement: Replacement,
): Promise<void> {
  const { db, clock, routers } = deps;
  const { central, centralId } = caller;
  const before = await findScheduled(db, caller, id);
  if (caller.companyId === null) throw new Refusal('company-manager-only');
  assertEditable(before);
  assertInFuture(replacement.dispatchAt, clock.now());
  const company = await findCompany(db, caller, caller.companyId);
  if (!company?.active) throw new Refusal('company-inactive');
  const estimate = await estimateScheduled(
    deps,
    routers.forEstimates(central.settings),
    central,
    { ...before, ...replacement },
    replacement.stops,
  );

  const now = clock.now();
  await db.begin(async (tx) => {
    const scheduled = await lockScheduled(tx, caller, id);
    assertEditable(scheduled);
    assertInFuture(replacement.dispatchAt, now);
    const stops = await findStops(tx, centralId, 'scheduled', [id]);
    await deleteStops(
      tx,
      centralId,
      'scheduled',
      stops.map((stop) => stop.id),
    );
    await insertStops(tx, centralId, 'scheduled', id, replacement.stops);
    await replaceScheduled(tx, centralId, id, replacement, estimate);
    await recordScheduledEvents(
      tx,
      centralId,
      [
        ...withoutReplaced(stops, replacement.stops).map((stop) => stopRemoved(id, stop)),
        {
          scheduledId: id,
          type: 'scheduled.changed',
          payload: { situation: 'awaiting', change: 'edited' },
        },
      ],
      { at: now, by: caller.userId },
    );
    await wakeDispatcher(tx, replacement.dispatchAt, now);
    // A failed dispatch gives the use of the coupon back, and others may have taken it since.
    if (scheduled.situation === 'failed')
      await assertCouponUses(tx, centralId, scheduled.couponId, scheduled.customerId);
    await assertCredit(tx, centralId, {
      companyId: scheduled.companyId,
      payment: replacement.payment,
      netCents: estimate.netCents,
    });
  });
}

/** All stops are inserted again. A stop whose external id is among the new ones does not count as removed. */
function withoutReplaced(before: readonly Stop[], after: readonly OrderedStop[]): Stop[] {
  const returning = new Set(after.map((stop) => stop.externalId));
  return before.filter((stop) => stop.externalId === null || !returning.has(stop.externalId));
}
