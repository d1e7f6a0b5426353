import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import { actingDriver } from './actingDriver.ts';
import { lockDriver, markAvailable } from './driverStore.ts';

/** A driver begins or ends taking offers; what it carries stays with it. */
export async function setAvailability(
  { db }: Needs,
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
