import type { Caller } from '../centrals/caller.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { lockDriver, markAvailable } from './driverStore.ts';
import { upsertPosition } from './positionStore.ts';

/**
 * Where a driver is now. Phones send it every few seconds, so nothing is locked beside it or recorded after it, and it
 * shares its statement with whatever else is reported at the moment.
 */
export async function reportPosition(
  { db, clock }: Deps,
  caller: Caller,
  driverId: number,
  position: Position,
): Promise<void> {
  actingDriver(caller, driverId);
  const { centralId } = caller;
  const isKnown = await upsertPosition(db, { centralId, driverId, position, at: clock.now() });
  if (!isKnown) throw new Refusal('driver-not-found');
}

/** A driver begins or ends taking offers; what it carries stays with it. */
export async function setAvailability(
  { db }: Deps,
  caller: Caller,
  driverId: number,
  available: boolean,
): Promise<void> {
  actingDriver(caller, driverId);
  await db.begin(async (tx) => {
    const driver = await lockDriver(tx, caller.centralId, driverId);
    if (available && !driver.active) throw new Refusal('driver-inactive');
    await markAvailable(tx, caller.centralId, driverId, available);
  });
}

/**
 * For whom somebody acts: a driver's login only for itself, and any other driver is to it the same as none;
 * an operator for whom it names, which is null when it names nobody.
 */
export function actingDriver(caller: Pick<Caller, 'driverId'>, named: number | undefined): number | null {
  if (caller.driverId === null) return named ?? null;
  if (named !== undefined && named !== caller.driverId) throw new Refusal('driver-not-found');
  return caller.driverId;
}
