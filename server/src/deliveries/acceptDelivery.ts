import type { Caller } from '../centrals/caller.ts';
import { type Driver, hasCategory, lockDriver, worksFor } from '../drivers/driverStore.ts';
import { centralShare } from '../estimates/share.ts';
import { secondsBetween } from '../kernel/clock.ts';
import { haversineMetres } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import { inOrder } from '../postgres/transaction.ts';
import type { Delivery } from './delivery.ts';
import { lockDelivery } from './deliveryStore.ts';
import { countOnHold, hasCurrentDelivery, markDriver } from './driverStore.ts';
import { findOffer, type Offer, settleOffers } from './offerStore.ts';
import { assertStep, isCarried, isOver, type Status, steps } from './status.ts';
import { assertUngrouped, takeStep } from './takeStep.ts';

/**
 * A driver takes what was offered to it, or an operator takes a delivery for one; where the central allows it, a driver
 * takes from the open list too (assertMayTake). While the driver still has another, it waits on hold. Of several who
 * accept at once the first to get the lock has it.
 */
export async function acceptDelivery(
  { db, clock }: Deps,
  caller: Caller,
  id: number,
  driverId: number,
): Promise<Status> {
  const { centralId } = caller;
  const isDriver = caller.driverId !== null;
  return db.begin(async (tx) => {
    const now = clock.now();
    // The driver's lock makes its load certain: of several acceptances at once each counts those before it.
    const [delivery, offer, driver, isBusy] = await inOrder([
      lockDelivery(tx, caller, id),
      isDriver ? findOffer(tx, centralId, id, driverId) : Promise.resolve(undefined),
      lockDriver(tx, centralId, driverId),
      hasCurrentDelivery(tx, centralId, driverId),
    ]);
    const isListed = isDriver && (await isOnList(tx, caller, delivery, driverId));
    // What was never offered to it is to a driver the same as none.
    if (isDriver && delivery.driverId !== driverId && !offer && !isListed)
      throw new Refusal('delivery-not-found');
    // Answered only to a driver to whom the delivery was offered before.
    if (isTakenByOther(delivery, driverId)) throw new Refusal('delivery-taken');
    assertUngrouped(delivery);
    assertStep('accept', delivery.status);
    if (isDriver && !isOpenOffer(offer, now)) {
      if (!isListed || (offer && delivery.status === 'offered')) throw new Refusal('offer-not-open');
      await assertMayTake(tx, caller, delivery, { ...driver, isBusy }, now);
    }
    if (!driver.active) throw new Refusal('driver-inactive');

    const metres = driver.position ? haversineMetres(driver.position, delivery.pickup.position) : 0;
    const step = isBusy ? 'acceptAsNext' : 'accept';
    const accepted = {
      id: driverId,
      metresToPickup: Math.round(metres),
      centralShare: centralShare(caller.central.settings),
    };
    // One message: what is written for a driver who may not take it is rolled back with the refusal.
    await inOrder([
      assertWorksFor(tx, centralId, driverId, delivery.companyId),
      markDriver(tx, centralId, id, accepted),
      takeStep(tx, centralId, { ...delivery, driverId }, step, { at: now, by: caller.userId }),
    ]);
    await settleOffers(tx, centralId, id, driverId, now);
    return steps[step].to;
  });
}

async function assertWorksFor(
  tx: Tx,
  centralId: number,
  driverId: number,
  companyId: number | null,
): Promise<void> {
  if (!(await worksFor(tx, centralId, driverId, companyId))) throw new Refusal('driver-of-other-companies');
}

const isTakenByOther = (delivery: Delivery, driverId: number): boolean =>
  delivery.groupedInto === null && isCarried(delivery.status) && delivery.driverId !== driverId;

const isOpenOffer = (offer: Offer | undefined, now: Temporal.Instant): boolean =>
  offer?.state === 'open' && (!offer.expiresAt || Temporal.Instant.compare(now, offer.expiresAt) < 0);

/*
 * Where the central allows it, its drivers see what is being distributed as a list and take from it what was not offered
 * to them: on duty, of a category and a company they serve, near the pickup, and only so many at a time.
 */

/** Whether a delivery is, or was a moment ago, on the list of this driver. */
async function isOnList(
  tx: Tx,
  { central, centralId }: Caller,
  { status, driverSpecified, groupedInto, categoryId, companyId }: Delivery,
  driverId: number,
): Promise<boolean> {
  if (!central.settings.takeFromList || groupedInto !== null) return false;
  if (status === 'awaiting_release' || isOver(status)) return false;
  // An operator named the one it is for.
  if (status === 'offered' && driverSpecified) return false;
  return (
    (await hasCategory(tx, centralId, driverId, categoryId)) &&
    (await worksFor(tx, centralId, driverId, companyId))
  );
}

/** The caller holds the driver's lock, so that no two acceptances count the same load. */
async function assertMayTake(
  tx: Tx,
  { central: { settings }, centralId }: Caller,
  delivery: Delivery,
  driver: Driver & { isBusy: boolean },
  now: Temporal.Instant,
): Promise<void> {
  if (!driver.available) throw new Refusal('driver-off-duty');
  if (!isNear(driver, delivery, settings.takeMetresMax, settings.positionMinutesMax, now))
    throw new Refusal('driver-too-far');
  if (!driver.isBusy) return;
  if ((await countOnHold(tx, centralId, driver.id)) >= settings.takeWaitingMax)
    throw new Refusal('driver-busy');
}

function isNear(
  { position, seenAt }: Driver,
  { pickup }: Delivery,
  metresMax: number,
  positionMinutesMax: number,
  now: Temporal.Instant,
): boolean {
  if (!position || !seenAt || secondsBetween(seenAt, now) > positionMinutesMax * 60) return false;
  return haversineMetres(position, pickup.position) <= metresMax;
}
