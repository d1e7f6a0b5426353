import type { Caller } from '../../centrals/caller.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { markHeld } from './deliveryStore.ts';
import { withdrawOffers } from './offerStore.ts';
import { isCurrent } from './status.ts';
import { clearDriver } from './stepStore.ts';
import { resumeNext } from './steps.ts';
import { lockForStep, takeSteps } from './takeSteps.ts';

/**
 * Holds back a delivery that is not started yet: it awaits the central's release again, which is the contract's state
 * for this. Offers are withdrawn and the driver is freed. Reserved credit stays reserved.
 */
export async function holdDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  reason: string,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    const delivery = await lockForStep(tx, caller, id);
    const { driverId, status } = delivery;
    await takeSteps(tx, centralId, [delivery], 'hold', actor, () => ({
      driverId: null,
      previousDriverId: driverId,
    }));
    await clearDriver(tx, centralId, id);
    await withdrawOffers(tx, centralId, [id], ['open', 'accepted'], actor.at);
    await markHeld(tx, centralId, [id], { at: actor.at, reason });
    if (driverId !== null && isCurrent(status)) await resumeNext(tx, centralId, driverId, actor.at);
  });
}
