import type { Caller } from '../centrals/caller.ts';
import type { Needs } from '../postgres/needs.ts';
import { lockDelivery } from './deliveryStore.ts';
import { assertUngrouped, takeStep } from './takeStep.ts';

/** The central lets a delivery that waited for it go on to distribution. */
export async function releaseDelivery({ db, clock }: Needs, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockDelivery(tx, caller, id);
    assertUngrouped(delivery);
    await takeStep(tx, caller.centralId, delivery, 'release', { at: clock.now(), by: caller.userId });
  });
}
