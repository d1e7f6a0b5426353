import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import { lockForStep } from './lockForStep.ts';
import { assertStep } from './status.ts';
import { takeStep } from './takeStep.ts';

/** The driver is at the pickup: a moment to remember, not a status. It comes once. */
export async function arriveAtPickup({ db, clock }: Needs, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockForStep(tx, caller, id);
    assertStep('arrive', delivery.status);
    if (delivery.arrivedAt !== null) throw new Refusal('step-out-of-order');
    const deed = { at: clock.now(), by: caller.userId };
    await takeStep(tx, caller.centralId, delivery, 'arrive', deed, { arrived: true });
  });
}
