import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { lockDelivery, markDismissed } from './deliveryStore.ts';
import { isNotAttended } from './orderAgain.ts';
import { recordDeliveryEvent } from './stepStore.ts';

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
