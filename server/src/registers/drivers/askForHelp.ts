import { randomInt } from 'node:crypto';
import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { recordDriverEvent } from './driverEventStore.ts';
import { lockDriver } from './driverStore.ts';
import { carries, deleteHelpRequests, deleteOldestHelpRequests, insertHelpRequest } from './helpStore.ts';
import { actingDriver } from './reportPosition.ts';

/** The maximum of open requests of a driver. A further one replaces the oldest. */
const WAITING_MAX = 5;
const IDS = 2 ** 47;

/**
 * A driver asks the central for help. The text is for operators only, so the event, which integrators may receive, does
 * not contain it.
 */
export async function askForHelp(
  { db, clock }: Deps,
  caller: Caller,
  driverId: number,
  { deliveryId, text }: { deliveryId: number | null; text: string },
): Promise<number> {
  actingDriver(caller, driverId);
  const { centralId, userId } = caller;
  return db.begin(async (tx) => {
    const now = clock.now();
    await lockDriver(tx, centralId, driverId);
    if (deliveryId !== null && !(await carries(tx, centralId, driverId, deliveryId)))
      throw new Refusal('delivery-not-found');
    await deleteOldestHelpRequests(tx, centralId, driverId, WAITING_MAX - 1);
    const id = randomInt(1, IDS);
    await insertHelpRequest(tx, centralId, { id, driverId, deliveryId, text, createdAt: now });
    const event = { driverId, type: 'driver.help', payload: { deliveryId } } as const;
    await recordDriverEvent(tx, centralId, event, { at: now, by: userId });
    return id;
  });
}

/** An operator answers a driver's requests; returns how many were ended. */
export async function endHelp({ db }: Deps, centralId: number, driverId: number): Promise<number> {
  return db.begin(async (tx) => {
    await lockDriver(tx, centralId, driverId);
    return deleteHelpRequests(tx, centralId, driverId);
  });
}
