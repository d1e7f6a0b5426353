import type { Caller } from '../centrals/caller.ts';
import { type Driver, hasCategory, worksFor } from '../drivers/driverStore.ts';
import { secondsBetween } from '../kernel/clock.ts';
import { haversineMetres } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { countOnHold, hasCurrentDelivery } from './driverStore.ts';
import { isOver } from './status.ts';

/*
 * Where the central allows it, its drivers see what is being distributed as a list and take from it what was not offered
 * to them: on duty, of a category and a company they serve, near the pickup, and only so many at a time.
 */

/** Whether a delivery is, or was a moment ago, on the list of this driver. */
export async function isOnList(
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
export async function assertMayTake(
  tx: Tx,
  { central: { settings }, centralId }: Caller,
  delivery: Delivery,
  driver: Driver,
  now: Temporal.Instant,
): Promise<void> {
  if (!driver.available) throw new Refusal('driver-off-duty');
  if (!isNear(driver, delivery, settings.takeMetresMax, settings.positionMinutesMax, now))
    throw new Refusal('driver-too-far');
  if (!(await hasCurrentDelivery(tx, centralId, driver.id))) return;
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
