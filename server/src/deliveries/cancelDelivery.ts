import { type Caller, wholeCentral } from '../centrals/caller.ts';
import { isReasonActive } from '../centrals/reasonStore.ts';
import type { EstimateNeeds } from '../estimates/estimateTrip.ts';
import type { Deed } from '../events/deed.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retryOnConflict.ts';
import type { Tx } from '../postgres/database.ts';
import { type Cancellation, lockCancelled, planCancellation } from './cancellation.ts';
import { chargeCancellation } from './chargeCancellation.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery, markReason } from './deliveryStore.ts';
import { leaveCarrier } from './leaveCarrier.ts';
import { closeOffers } from './offerStore.ts';
import { giveBack, unreserve } from './reserveCredit.ts';
import { resumeNext } from './resumeNext.ts';
import { assertStep, isCurrent } from './status.ts';
import { takeStep } from './takeStep.ts';

/** Contract 4.8. */
export const cancelDelivery = (
  needs: EstimateNeeds,
  caller: Caller,
  id: number,
  reasonId: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const { db, clock } = needs;
    const { centralId } = caller;
    const before = await findDelivery(db, caller, id);
    const cancellation = await planCancellation(needs, caller.central, before);
    await db.begin(async (tx) => {
      const deed = { at: clock.now(), by: caller.userId };
      await lockCancelled(tx, wholeCentral(centralId), cancellation);
      if (!(await isReasonActive(tx, centralId, reasonId))) throw new Refusal('reason-not-found');
      await cancelLocked(tx, centralId, cancellation, reasonId, deed);
    });
  });

/**
 * Cancels a delivery that lockCancelled locked. Wallets are locked last: a caller that locks others or more
 * deliveries does that first.
 */
export async function cancelLocked(
  tx: Tx,
  centralId: number,
  cancellation: Cancellation,
  reasonId: number | null,
  deed: Deed,
): Promise<void> {
  const { delivery, departure, doneCents } = cancellation;
  assertStep('cancel', delivery.status);
  if (departure?.remaining.length) await leaveCarrier(tx, centralId, delivery, departure, reasonId, deed);
  // A carrier whose own stops were all removed carries nothing without it, and ends with it.
  else await cancelCarrier(tx, centralId, departure?.carrier ?? delivery, reasonId, deed);
  await chargeCancellation(tx, centralId, delivery, doneCents, deed);
}

/**
 * With it all that were grouped into it are cancelled: what was reserved is given back, open offers are withdrawn,
 * and its driver goes on to the next one.
 */
async function cancelCarrier(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  reasonId: number | null,
  deed: Deed,
): Promise<void> {
  const held = await unreserve(tx, centralId, delivery.id);
  await takeStep(tx, centralId, delivery, 'cancel', deed, { reasonId });
  await markReason(tx, centralId, delivery.id, reasonId);
  await closeOffers(tx, centralId, delivery.id, null, 'withdrawn', deed.at);
  if (delivery.driverId !== null && isCurrent(delivery.status))
    await resumeNext(tx, centralId, delivery.driverId, deed.at);
  await giveBack(tx, centralId, held, deed);
}
