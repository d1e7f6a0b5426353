import type { Caller } from '../centrals/caller.ts';
import type { Needs } from '../postgres/needs.ts';
import { lockForStep } from './lockForStep.ts';
import { insertGivenUp } from './offerStore.ts';
import { resumeNext } from './resumeNext.ts';
import { assertStep, isCurrent } from './status.ts';
import { clearDriver } from './stepStore.ts';
import { takeStep } from './takeStep.ts';

/** Before the start a driver may give a delivery back; the central searches again. */
export async function giveUpDelivery({ db, clock }: Needs, caller: Caller, id: number): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const now = clock.now();
    const deed = { at: now, by: caller.userId };
    const delivery = await lockForStep(tx, caller, id);
    assertStep('giveUp', delivery.status);
    const driverId = delivery.driverId!;
    await takeStep(tx, centralId, delivery, 'giveUp', deed, { driverId: null, previousDriverId: driverId });
    await clearDriver(tx, centralId, id);
    await insertGivenUp(tx, centralId, id, driverId, now);
    if (isCurrent(delivery.status)) await resumeNext(tx, centralId, driverId, now);
  });
}
