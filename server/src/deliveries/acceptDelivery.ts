import type { Caller } from '../centrals/caller.ts';
import { lockDriver, worksFor } from '../drivers/driverStore.ts';
import { haversineMetres } from '../kernel/haversine.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Needs } from '../postgres/needs.ts';
import type { Delivery } from './delivery.ts';
import { lockDelivery } from './deliveryStore.ts';
import { hasCurrentDelivery } from './driverLoadStore.ts';
import { assertInSight } from './lockForStep.ts';
import { closeOffers, findOffer } from './offerStore.ts';
import { assertStep, isCarried, type Status, steps } from './status.ts';
import { markDriver } from './stepStore.ts';
import { assertUngrouped, takeStep } from './takeStep.ts';

/**
 * A driver takes a delivery, or an operator takes it for one. While the driver still has another, it waits on
 * hold. Of several who accept at once the first to get the lock has it.
 */
export async function acceptDelivery(
  { db, clock }: Needs,
  caller: Caller,
  id: number,
  driverId: number,
): Promise<Status> {
  const { centralId } = caller;
  return db.begin(async (tx) => {
    const now = clock.now();
    const delivery = await lockDelivery(tx, caller, id);
    // Told even to those who may no longer see it: a moment ago they could have had it.
    if (isTakenByOther(delivery, driverId)) throw new Refusal('delivery-taken');
    await assertInSight(tx, caller, delivery);
    const driver = await lockDriver(tx, centralId, driverId);
    assertUngrouped(delivery);
    assertStep('accept', delivery.status);
    if (delivery.status === 'offered' && caller.driverId !== null)
      await assertMayAnswer(tx, centralId, delivery, driverId, now);
    if (!driver.active) throw new Refusal('driver-inactive');
    if (!(await worksFor(tx, centralId, driverId, delivery.companyId)))
      throw new Refusal('driver-of-other-companies');

    const metres = driver.position ? haversineMetres(driver.position, delivery.pickup.position) : 0;
    const step = (await hasCurrentDelivery(tx, centralId, driverId)) ? 'acceptAsNext' : 'accept';
    await markDriver(tx, centralId, id, driverId, Math.round(metres));
    await takeStep(tx, centralId, { ...delivery, driverId }, step, { at: now, by: caller.userId });
    await closeOffers(tx, centralId, id, driverId, 'accepted', now);
    await closeOffers(tx, centralId, id, null, 'withdrawn', now);
    return steps[step].to;
  });
}

const isTakenByOther = (delivery: Delivery, driverId: number): boolean =>
  delivery.groupedInto === null && isCarried(delivery.status) && delivery.driverId !== driverId;

/**
 * Whoever was asked answers in time. A driver who was not asked may be quicker than those who were, unless an
 * operator named the one it is for.
 */
async function assertMayAnswer(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  driverId: number,
  now: Temporal.Instant,
): Promise<void> {
  const offer = await findOffer(tx, centralId, delivery.id, driverId);
  if (!offer && !delivery.driverSpecified) return;
  const inTime = !offer?.expiresAt || Temporal.Instant.compare(now, offer.expiresAt) < 0;
  if (offer?.state !== 'open' || !inTime) throw new Refusal('offer-not-open');
}
