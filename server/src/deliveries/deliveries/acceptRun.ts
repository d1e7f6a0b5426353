import type { Caller } from '../../centrals/caller.ts';
import { centralShare } from '../../money/pricing/share.ts';
import { haversineMetres } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { lockDriver, worksFor } from '../../registers/drivers/driverStore.ts';
import { findCurrentDeliveryId, lockSomeDeliveries, markDriver } from './deliveryStore.ts';
import { closeOffersAccepted, findRunOffers } from './offerStore.ts';
import { type Status, steps } from './status.ts';
import { takeSteps } from './takeSteps.ts';

export interface RunOffer {
  /** The delivery whose offer the driver accepts; the others of the run follow. */
  id: number;
  driverId: number;
  planId: number;
}

/**
 * A driver accepts all that is still offered of a run. The first delivery becomes the current one, unless the driver has
 * one; the others wait on hold in the order of the run. Returns the status of the delivery that was named.
 */
export function acceptRun(
  { db, clock }: Deps,
  caller: Caller,
  { id, driverId, planId }: RunOffer,
): Promise<Status> {
  const { centralId, central } = caller;
  return db.begin(async (tx) => {
    const now = clock.now();
    const before = await findRunOffers(tx, centralId, driverId, planId, now);
    const deliveries = await lockSomeDeliveries(
      tx,
      caller,
      before.map(({ deliveryId }) => deliveryId),
    );
    // Offers are closed under the lock of their delivery, so these stay open.
    const open = await findRunOffers(tx, centralId, driverId, planId, now);
    if (!open.some(({ deliveryId }) => deliveryId === id)) throw new Refusal('offer-not-open');
    const driver = await lockDriver(tx, centralId, driverId);
    if (!driver.active) throw new Refusal('driver-inactive');
    let status: Status = 'offered';
    for (const [place, { deliveryId }] of open.entries()) {
      const delivery = deliveries.find((each) => each.id === deliveryId);
      if (delivery?.status !== 'offered' || delivery.groupedInto !== null) continue;
      if (!(await worksFor(tx, centralId, driverId, delivery.companyId))) {
        if (deliveryId === id) throw new Refusal('driver-of-other-companies');
        continue;
      }
      const isBusy = (await findCurrentDeliveryId(tx, centralId, driverId)) !== undefined;
      const step = isBusy ? 'acceptAsNext' : 'accept';
      const metres = driver.position ? haversineMetres(driver.position, delivery.pickup.position) : 0;
      await markDriver(tx, centralId, deliveryId, {
        id: driverId,
        metresToPickup: Math.round(metres),
        centralShare: centralShare(central.settings),
      });
      // What waits on hold resumes in the order of its acceptance.
      const at = now.add({ microseconds: place });
      await takeSteps(tx, centralId, [{ ...delivery, driverId }], step, { at, by: caller.userId });
      await closeOffersAccepted(tx, centralId, deliveryId, driverId, now);
      if (deliveryId === id) status = steps[step].to;
    }
    return status;
  });
}
