import type { Caller } from '../centrals/caller.ts';
import { findDriver } from '../drivers/driverStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { findReversible, insertDriverEntry, lockAccount, type Reversible } from './earningStore.ts';

/** What an operator enters in a driver's account. Amounts are above 0, except that of an adjustment. */
export type HandEntry =
  | { kind: 'adjustment' | 'payment' | 'handed_in'; cents: number; deliveryId: number | null; note: string }
  | { kind: 'reversal'; entryId: number; note: string };

/** Answers with the id of the entry. */
export async function enterByHand(
  { db, clock }: Deps,
  { centralId, central, userId }: Caller,
  driverId: number,
  entry: HandEntry,
): Promise<number> {
  return db.begin(async (tx) => {
    if (!(await findDriver(tx, centralId, driverId))) throw new Refusal('driver-not-found');
    const actor = { at: clock.now(), by: userId };
    await lockAccount(tx, centralId, driverId);
    if (entry.kind !== 'reversal') {
      const amountCents = entry.kind === 'payment' ? -entry.cents : entry.cents;
      return insertDriverEntry(tx, centralId, central, { ...entry, driverId, amountCents }, actor);
    }
    const reversed = await findReversible(tx, centralId, driverId, entry.entryId);
    if (!reversed) throw new Refusal('entry-not-found');
    // What was taken back is entered anew, not by taking back its reversal.
    if (reversed.reversesId !== null) throw new Refusal('entry-reversed');
    const { kind, deliveryId } = reversed;
    const taken = {
      driverId,
      kind,
      amountCents: 0 - reversed.amountCents,
      deliveryId,
      reversesId: entry.entryId,
      settledCashCents: unsettledCash(reversed),
      note: entry.note,
    };
    return insertDriverEntry(tx, centralId, central, taken, actor);
  });
}

/**
 * Without the payment of a closing its cash is to be handed in again. Cash that was entered by mistake and settled since
 * is nothing that the driver holds: taking it back changes the balance alone.
 */
function unsettledCash({ kind, amountCents, settledCashCents, isSettled }: Reversible): number {
  if (kind === 'collected' && isSettled) return amountCents;
  return 0 - settledCashCents;
}
