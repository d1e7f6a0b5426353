import type { Caller } from '../../centrals/caller.ts';
import { centralShare } from '../../money/pricing/share.ts';
import { secondsBetween } from '../../platform/kernel/clock.ts';
import { haversineMetres } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';
import { type Driver, hasCategory, lockDriver, worksFor } from '../../registers/drivers/driverStore.ts';
import { acceptRun } from './acceptRun.ts';
import type { Delivery } from './delivery.ts';
import { countOnHold, findCurrentDeliveryId, lockDelivery, markDriver } from './deliveryStore.ts';
import { closeOffersAccepted, findOffer, type Offer } from './offerStore.ts';
import { assertStep, isCarried, isOver, type Status, steps } from './status.ts';
import { assertUngrouped, takeSteps } from './takeSteps.ts';

/**
 * A driver accepts an offer, or an operator accepts a delivery for a driver. An offer that is part of a run is accepted
 * with the rest of the run (acceptRun.ts).
 */
export async function acceptDelivery(
  deps: Deps,
  caller: Caller,
  id: number,
  driverId: number,
): Promise<Status> {
  try {
    return await acceptOne(deps, caller, id, driverId);
  } catch (error) {
    if (!(error instanceof PartOfRun)) throw error;
    return acceptRun(deps, caller, { id, driverId, planId: error.planId });
  }
}

/** The offer is part of a run, whose deliveries are locked together. */
class PartOfRun extends Error {
  override name = 'PartOfRun';
  readonly planId: number;
  constructor(planId: number) {
    super(`the offer is part of a run of plan ${planId}`);
    this.planId = planId;
  }
}

/**
 * A driver accepts an offer, or an operator accepts a delivery for a driver. Where the central allows it, a driver also
 * takes deliveries from the open list (assertMayTake). While the driver has another delivery, the new one waits on
 * hold. Of several simultaneous acceptances the first to get the lock succeeds.
 */
async function acceptOne({ db, clock }: Deps, caller: Caller, id: number, driverId: number): Promise<Status> {
  const { centralId } = caller;
  const isDriver = caller.driverId !== null;
  return db.begin(async (tx) => {
    const now = clock.now();
    const [delivery, offer] = await inOrder([
      lockDelivery(tx, caller, id),
      isDriver ? findOffer(tx, centralId, id, driverId) : Promise.resolve(undefined),
    ]);
    const isListed = isDriver && (await isOnList(tx, caller, delivery, driverId));
    // A delivery that was never offered to the driver is answered as missing.
    if (isDriver && delivery.driverId !== driverId && !offer && !isListed)
      throw new Refusal('delivery-not-found');
    // Only a driver with an earlier offer learns that another one has it.
    if (isTakenByOther(delivery, driverId)) throw new Refusal('delivery-taken');
    assertUngrouped(delivery);
    // Before the driver's lock, because a delivery on hold is locked after its driver.
    assertStep('accept', delivery.status);
    if (isDriver && isOpenOffer(offer, now) && offer?.planId) throw new PartOfRun(offer.planId);
    const isTaken = isDriver && !isOpenOffer(offer, now);
    if (isTaken && (!isListed || (offer && delivery.status === 'offered')))
      throw new Refusal('offer-not-open');
    // Under the driver's lock the load is certain: each of several simultaneous acceptances counts those before it.
    const [driver, currentId, isAllowed] = await inOrder([
      lockDriver(tx, centralId, driverId),
      findCurrentDeliveryId(tx, centralId, driverId),
      worksFor(tx, centralId, driverId, delivery.companyId),
    ]);
    const isBusy = currentId !== undefined;
    if (isTaken) await assertMayTake(tx, caller, delivery, { ...driver, isBusy }, now);
    if (!driver.active) throw new Refusal('driver-inactive');
    if (!isAllowed) throw new Refusal('driver-of-other-companies');

    const metres = driver.position ? haversineMetres(driver.position, delivery.pickup.position) : 0;
    const step = isBusy ? 'acceptAsNext' : 'accept';
    const accepted = {
      id: driverId,
      metresToPickup: Math.round(metres),
      centralShare: centralShare(caller.central.settings),
    };
    await markDriver(tx, centralId, id, accepted);
    await takeSteps(tx, centralId, [{ ...delivery, driverId }], step, { at: now, by: caller.userId });
    await closeOffersAccepted(tx, centralId, id, driverId, now);
    return steps[step].to;
  });
}

const isTakenByOther = (delivery: Delivery, driverId: number): boolean =>
  delivery.groupedInto === null && isCarried(delivery.status) && delivery.driverId !== driverId;

const isOpenOffer = (offer: Offer | undefined, now: Temporal.Instant): boolean =>
  offer?.state === 'open' && (!offer.expiresAt || Temporal.Instant.compare(now, offer.expiresAt) < 0);

/*
 * Where the central allows it, drivers see the deliveries being distributed as a list and take deliveries that were not
 * offered to them. The driver must be on duty, serve the category and the company, and be near the pickup. The number
 * of deliveries is limited.
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
  // An operator has named its driver.
  if (status === 'offered' && driverSpecified) return false;
  return (
    (await hasCategory(tx, centralId, driverId, categoryId)) &&
    (await worksFor(tx, centralId, driverId, companyId))
  );
}

/** The caller holds the driver's lock, so that two acceptances cannot count the same load. */
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
