import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { lockDelivery, recordDeliveryEvent } from './deliveryStore.ts';
import { markDismissed } from './notAttendedStore.ts';
import { isNotAttended } from './orderAgain.ts';

/**
 * Dismisses a delivery for which no driver was found: it leaves the central's list of open cases. It may still be
 * ordered again later.
 */
export async function dismissDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  reason: string,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    const isWaiting = isNotAttended(await lockDelivery(tx, caller, id));
    if (!isWaiting || !(await markDismissed(tx, centralId, id, { ...actor, reason })))
      throw new Refusal('not-to-dismiss');
    const event = { type: 'delivery.changed', payload: { change: 'dismissed' } } as const;
    await recordDeliveryEvent(tx, centralId, { ...event, deliveryId: id }, actor);
  });
}
