import type { Caller } from '../../centrals/caller.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { findDriver } from '../../registers/drivers/driverStore.ts';
import { insertDriverEntry, lockAccount } from '../earnings/earningStore.ts';
import { type Closing, findClosing } from './closingStore.ts';
import { takeBackCash } from './enterCharges.ts';
import { findReversible, markUnpaid, type Reversible } from './reversalStore.ts';

export interface Reversed {
  entryId: number;
  /** The closing that the entry had paid, in its state before; null: it paid none. */
  unpaid: Closing | null;
}

/**
 * Reverses an entry of a driver's account. Cash that was collected is taken back from the company's account too. A
 * closing that the entry had paid is unpaid again.
 */
export async function reverseEntry(
  { db, clock }: Deps,
  caller: Caller,
  driverId: number,
  { entryId: reversesId, note }: { entryId: number; note: string },
): Promise<Reversed> {
  const { centralId, central, userId } = caller;
  return db.begin(async (tx) => {
    if (!(await findDriver(tx, centralId, driverId))) throw new Refusal('driver-not-found');
    await lockAccount(tx, centralId, driverId);
    const reversed = await findReversible(tx, centralId, driverId, reversesId);
    if (!reversed) throw new Refusal('entry-not-found');
    // A reversal cannot be reversed: the amount is entered again instead.
    if (reversed.reversesId !== null) throw new Refusal('entry-reversed');
    const { kind, deliveryId, stopId, paidClosingId } = reversed;
    const of = { driverId, kind, deliveryId, stopId, reversesId, note };
    const cents = { amountCents: 0 - reversed.amountCents, settledCashCents: unsettledCash(reversed) };
    const actor = { at: clock.now(), by: userId };
    const entryId = await insertDriverEntry(tx, centralId, central, { ...of, ...cents }, actor);
    if (kind === 'collected')
      await takeBackCash(tx, central, { ...reversed, deliveryId: deliveryId! }, actor);
    if (paidClosingId === null) return { entryId, unpaid: null };
    const unpaid = await findClosing(tx, caller, paidClosingId);
    await markUnpaid(tx, centralId, paidClosingId, [reversesId, entryId]);
    return { entryId, unpaid };
  });
}

/**
 * When the payment of a closing is reversed, the driver must hand in its cash again, except cash reversed since. Cash
 * entered by mistake and settled since is not in the driver's hands: its reversal changes the balance only.
 */
function unsettledCash(entry: Reversible): number {
  if (entry.kind === 'collected' && entry.isSettled) return entry.amountCents;
  return 0 - Math.max(0, entry.settledCashCents - entry.takenBackCents);
}
