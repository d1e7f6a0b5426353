import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findDriver } from '../../registers/drivers/driverStore.ts';
import { insertDriverEntry, lockAccount } from './earningStore.ts';

/** A manual entry in a driver's account. Amounts are above 0, except those of adjustments. */
export interface HandEntry {
  kind: 'adjustment' | 'payment' | 'handed_in';
  cents: number;
  deliveryId: number | null;
  note: string;
}

/** Returns the id of the entry. */
export async function enterByHand(
  { db, clock }: Deps,
  { centralId, central, userId }: Caller,
  driverId: number,
  entry: HandEntry,
): Promise<number> {
  return db.begin(async (tx) => {
    if (!(await findDriver(tx, centralId, driverId))) throw new Refusal('driver-not-found');
    await lockAccount(tx, centralId, driverId);
    const amountCents = entry.kind === 'payment' ? -entry.cents : entry.cents;
    const actor = { at: clock.now(), by: userId };
    return insertDriverEntry(tx, centralId, central, { ...entry, driverId, amountCents }, actor);
  });
}
