import type { Caller } from '../../centrals/caller.ts';
import type { EstimateDeps } from '../../money/pricing/estimateTrip.ts';
import { isUnplannable, planStops } from '../../money/pricing/planStops.ts';
import { categoryOf } from '../../money/pricing/priceBook.ts';
import { haversineMetres } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { ChangedMeanwhile, retryOnConflict } from '../../platform/kernel/retryOnConflict.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { inOrder } from '../../platform/postgres/transaction.ts';
import { type Driver, findDriverNow, lockDriver, worksFor } from '../../registers/drivers/driverStore.ts';
import { inVisitOrder, type Stop, splitByVisit } from '../orders/request.ts';
import { findStops, moveStops } from '../orders/stopStore.ts';
import { findTried, nameConcluder } from '../orders/visitStore.ts';
import type { Delivery } from './delivery.ts';
import { findCurrentDeliveryId, findDelivery, lockDelivery } from './deliveryStore.ts';
import { insertHandover, withdrawOffers } from './offerStore.ts';
import { isCarried, isCurrent, isOver, type Status, steps } from './status.ts';
import { resumeNext } from './steps.ts';
import { assertUngrouped, takeHandover } from './takeSteps.ts';

export interface Reassignment {
  driverId: number;
  /** The operator's text. */
  reason: string;
}

/**
 * An operator reassigns a carried delivery to another driver, at any time until its end. Concluded stops stay with the
 * first driver. The open stops move, together with all deliveries grouped into it, and are ordered from the position of
 * the new driver. Price, reserve and planned figures stay, because the order itself has not changed.
 *
 * Before the start, it waits on hold while the new driver has another delivery. After the start, only a driver without
 * a delivery can take it, because a driver has one current delivery (deliveries_one_current_per_driver).
 *
 * The router is asked while nothing is locked. If a step, a grouping or another reassignment came first, the version
 * differs and the reassignment is repeated from the start.
 */
export const reassignDelivery = (
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  reassignment: Reassignment,
): Promise<Status> => retryOnConflict(() => reassignOnce(deps, caller, id, reassignment));

async function reassignOnce(
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  { driverId, reason }: Reassignment,
): Promise<Status> {
  const { db, clock } = deps;
  const { centralId } = caller;
  const before = await findDelivery(db, caller, id);
  assertHandable(before, driverId);
  const order = await orderFor(deps, caller, before, await findDriverNow(db, centralId, driverId));

  return db.begin(async (tx) => {
    const actor = { at: clock.now(), by: caller.userId };
    const { delivery, driver } = await lockBoth(tx, caller, before, driverId);
    const step = await chooseStep(tx, centralId, delivery, driver);
    const fromDriverId = delivery.driverId!;
    if (order.isChanged)
      await moveStops(
        tx,
        centralId,
        'delivery',
        id,
        order.stops.map((stop) => stop.id),
      );
    await nameConcluder(tx, centralId, id, fromDriverId);
    const received = { driverId, metresToPickup: metresToPickup(delivery, driver) };
    await takeHandover(tx, centralId, delivery, step, received, actor);
    await withdrawOffers(tx, centralId, [id], ['open', 'accepted'], actor.at);
    await insertHandover(
      tx,
      centralId,
      { deliveryId: id, fromDriverId, toDriverId: driverId, reason },
      actor,
    );
    if (isCurrent(delivery.status)) await resumeNext(tx, centralId, fromDriverId, actor.at);
    return steps[step].to;
  });
}

/**
 * Locks the delivery and the drivers in the general order of locks: current deliveries, drivers by id, deliveries on
 * hold. The version is compared before the second lock, because a delivery that has changed between these states is in
 * another place of the order.
 */
async function lockBoth(
  tx: Tx,
  caller: Caller,
  before: Delivery,
  driverId: number,
): Promise<{ delivery: Delivery; driver: Driver }> {
  const { centralId } = caller;
  const assertUnchanged = ({ version }: Delivery): void => {
    if (version !== before.version) throw new ChangedMeanwhile();
  };
  if (!isCurrent(before.status)) {
    const [driver, seen] = await inOrder([
      lockDriver(tx, centralId, driverId),
      findDelivery(tx, caller, before.id),
    ]);
    assertUnchanged(seen);
    const delivery = await lockDelivery(tx, caller, before.id);
    assertUnchanged(delivery);
    return { driver, delivery };
  }
  const delivery = await lockDelivery(tx, caller, before.id);
  assertUnchanged(delivery);
  const first = Math.min(driverId, before.driverId!);
  if (first !== driverId) await lockDriver(tx, centralId, first);
  return { delivery, driver: await lockDriver(tx, centralId, driverId) };
}

export function assertHandable(delivery: Delivery, driverId: number): void {
  assertUngrouped(delivery);
  if (isOver(delivery.status)) throw new Refusal('delivery-over');
  if (!isCarried(delivery.status)) throw new Refusal('delivery-without-driver');
  if (delivery.driverId === driverId) throw new Refusal('driver-carries-it');
}

/** The step of the reassignment; refuses an unsuitable driver. Certain only while the driver's lock is held. */
export async function chooseStep(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  driver: Driver,
): Promise<'handOver' | 'handOverAsNext' | 'handOverStarted'> {
  if (!driver.active) throw new Refusal('driver-inactive');
  if (!(await worksFor(tx, centralId, driver.id, delivery.companyId)))
    throw new Refusal('driver-of-other-companies');
  const current = await findCurrentDeliveryId(tx, centralId, driver.id);
  if (delivery.status !== 'in_progress') return current === undefined ? 'handOver' : 'handOverAsNext';
  if (current !== undefined) throw new Refusal('driver-has-current', { id: current });
  return 'handOverStarted';
}

const metresToPickup = (delivery: Delivery, driver: Driver): number | null => {
  if (delivery.status === 'in_progress') return null;
  return driver.position ? Math.round(haversineMetres(driver.position, delivery.pickup.position)) : 0;
};

export interface RemainingOrder {
  /** All stops: concluded ones first, in the order of their visits. */
  stops: readonly Stop[];
  isChanged: boolean;
}

/**
 * The order of the stops for a driver. Before the start it stays, because every driver begins at the pickup. It also
 * stays if the router does not answer, so that a router that is down does not block a reassignment.
 */
export async function orderFor(
  deps: EstimateDeps,
  { central, centralId }: Pick<Caller, 'central' | 'centralId'>,
  delivery: Delivery,
  driver: Driver,
): Promise<RemainingOrder> {
  const stops = inVisitOrder(await findStops(deps.db, centralId, 'delivery', [delivery.id]));
  const { done, open } = splitByVisit(stops);
  const asItIs = { stops, isChanged: false };
  if (delivery.status !== 'in_progress' || !driver.position || open.length < 2) return asItIs;
  const { profile } = categoryOf(await deps.priceBooks.of(centralId), delivery);
  try {
    const { order } = await planStops(deps.routers.forPlanning(central.settings), {
      start: driver.position,
      stops: open.map(({ position }) => position),
      last: await findTried(deps.db, centralId, open),
      profile,
      optimise: true,
      ...(delivery.returning && { end: delivery.pickup.position }),
    });
    return { stops: [...done, ...order.map((index) => open[index]!)], isChanged: true };
  } catch (error) {
    if (isUnplannable(error)) return asItIs;
    throw error;
  }
}
