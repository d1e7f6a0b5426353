import type { Caller } from '../centrals/caller.ts';
import { findCompany } from '../companies/companyStore.ts';
import { assertCouponUses } from '../estimates/couponUseStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import { recordScheduledEvents } from '../events/recordScheduledEvents.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Address, OrderedStop, Payment } from '../requests/order.ts';
import { estimateScheduled } from './estimateScheduled.ts';
import { replaceScheduled } from './insertScheduledStore.ts';
import { stopRemoved } from './removeScheduledStop.ts';
import { wakeDispatcher } from './scheduleDelivery.ts';
import { assertCredit, assertEditable, assertInFuture, type ScheduledStop } from './scheduled.ts';
import { deleteScheduledStops, findScheduledStops, insertScheduledStops } from './scheduledStopStore.ts';
import { findScheduled, lockScheduled } from './scheduledStore.ts';

/** All that an edit replaces; company, category, return, note and coupon stay as they were ordered. */
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
    const stops = await findScheduledStops(tx, centralId, [id]);
    await deleteScheduledStops(
      tx,
      centralId,
      stops.map((stop) => stop.id),
    );
    await insertScheduledStops(tx, centralId, id, replacement.stops);
    await replaceScheduled(tx, centralId, id, replacement, estimate);
    await recordScheduledEvents(
      tx,
      centralId,
      [
        ...withoutThoseThatReturn(stops, replacement.stops).map((stop) => stopRemoved(id, stop)),
        {
          scheduledId: id,
          type: 'scheduled.changed',
          payload: { situation: 'awaiting', change: 'edited' },
        },
      ],
      { at: now, by: caller.userId },
    );
    await wakeDispatcher(tx, replacement.dispatchAt, now);
    // While it had failed, others may have taken the use of its coupon that it gave back.
    if (scheduled.situation === 'failed')
      await assertCouponUses(tx, centralId, scheduled.couponId, scheduled.customerId);
    await assertCredit(tx, centralId, {
      companyId: scheduled.companyId,
      payment: replacement.payment,
      netCents: estimate.netCents,
    });
  });
}

/** All stops are made anew; to its provider one that comes again under the same external id was not removed. */
function withoutThoseThatReturn(
  before: readonly ScheduledStop[],
  after: readonly OrderedStop[],
): ScheduledStop[] {
  const returning = new Set(after.map((stop) => stop.externalId));
  return before.filter((stop) => stop.externalId === null || !returning.has(stop.externalId));
}
