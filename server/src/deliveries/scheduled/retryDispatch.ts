import type { Caller } from '../../centrals/caller.ts';
import { assertCouponUses } from '../../money/pricing/couponStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { assertCredit } from './assertCredit.ts';
import { wakeDispatcher } from './scheduleDelivery.ts';
import { lockScheduled, markAwaitingAgain, recordScheduledEvents } from './scheduledStore.ts';

/**
 * Makes a scheduled delivery whose dispatch failed due now. Refuses if the dispatch would fail again: the company's
 * credit does not cover it, or its coupon was used up meanwhile. The event is that of an edit, because the instant of
 * the dispatch changes.
 */
export async function retryDispatch({ db, clock }: Deps, caller: Caller, id: number): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const now = clock.now();
    const scheduled = await lockScheduled(tx, caller, id);
    if (scheduled.situation !== 'failed') throw new Refusal('dispatch-not-failed');
    await markAwaitingAgain(tx, centralId, id, now);
    const payload = { situation: 'awaiting', change: 'edited' } as const;
    const event = { scheduledId: id, type: 'scheduled.changed', payload } as const;
    await recordScheduledEvents(tx, centralId, [event], { at: now, by: caller.userId });
    wakeDispatcher(tx, now, now);
    await assertCouponUses(tx, centralId, scheduled.couponId, scheduled.customerId);
    await assertCredit(tx, centralId, scheduled);
  });
}
