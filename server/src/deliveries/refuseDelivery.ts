import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import { lockForStep } from './lockForStep.ts';
import { closeOffers } from './offerStore.ts';
import { searchOn } from './searchOn.ts';
import { assertStep, type Status } from './status.ts';

/**
 * A driver declines what was offered, or an operator does so for one driver or, naming none, for all. With no
 * offer left open the central searches on.
 */
export async function refuseDelivery(
  { db, clock }: Needs,
  caller: Caller,
  id: number,
  driverId: number | null,
): Promise<Status> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    const now = clock.now();
    const delivery = await lockForStep(tx, caller, id);
    assertStep('decline', delivery.status);
    const closed = await closeOffers(tx, centralId, id, driverId, 'refused', now);
    if (driverId !== null && closed.length === 0) throw new Refusal('offer-not-open');
    return searchOn(tx, centralId, delivery, { at: now, by: caller.userId });
  });
}
