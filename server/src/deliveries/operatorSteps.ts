import type { Caller } from '../centrals/caller.ts';
import { lockDriver, worksFor } from '../drivers/driverStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { lockDelivery } from './deliveryStore.ts';
import { markDriverSpecified } from './driverStore.ts';
import { closeOffers, insertOffer } from './offerStore.ts';
import { assertStep } from './status.ts';
import { assertUngrouped, lockForStep, takeStep } from './takeStep.ts';

/** An operator offers a delivery to one driver, instead of to whoever it was offered before. */
export async function assignDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  driverId: number,
): Promise<void> {
  const { centralId } = caller;
  await db.begin(async (tx) => {
    const now = clock.now();
    const delivery = await lockForStep(tx, caller, id);
    const driver = await lockDriver(tx, centralId, driverId);
    assertStep('assign', delivery.status);
    if (!driver.active) throw new Refusal('driver-inactive');
    if (!(await worksFor(tx, centralId, driverId, delivery.companyId)))
      throw new Refusal('driver-of-other-companies');
    await closeOffers(tx, centralId, id, null, 'withdrawn', now);
    await insertOffer(tx, centralId, { deliveryId: id, driverId, expiresAt: null }, now);
    await markDriverSpecified(tx, centralId, id);
    const actor = { at: now, by: caller.userId };
    await takeStep(tx, centralId, delivery, 'assign', actor, { offeredTo: driverId });
  });
}

/** The central lets a delivery that waited for it go on to distribution. */
export async function releaseDelivery({ db, clock }: Deps, caller: Caller, id: number): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockDelivery(tx, caller, id);
    assertUngrouped(delivery);
    await takeStep(tx, caller.centralId, delivery, 'release', { at: clock.now(), by: caller.userId });
  });
}
