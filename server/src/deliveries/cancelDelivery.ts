import { type Caller, wholeCentral } from '../centrals/caller.ts';
import { isReasonActive } from '../centrals/reasonStore.ts';
import type { EstimateDeps } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/actor.ts';
import { Refusal } from '../kernel/refusal.ts';
import { retryOnConflict } from '../kernel/retryOnConflict.ts';
import type { Tx } from '../postgres/database.ts';
import { type Cancellation, lockCancelled, planCancellation } from './cancellation.ts';
import { chargeCancellation } from './chargeCancellation.ts';
import type { Delivery } from './delivery.ts';
import { clearReserved, findDelivery, markReason } from './deliveryStore.ts';
import { resumeNext } from './driverSteps.ts';
import { leaveCarrier } from './leaveCarrier.ts';
import { closeOffers } from './offerStore.ts';
import { giveBack } from './reserveCredit.ts';
import { assertStep, isCurrent } from './status.ts';
import { takeStep } from './takeStep.ts';

/** Contract 4.8. */
export const cancelDelivery = (
  deps: EstimateDeps,
  caller: Caller,
  id: number,
  reasonId: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const { db, clock } = deps;
    const { centralId } = caller;
    const before = await findDelivery(db, caller, id);
    const cancellation = await planCancellation(deps, caller.central, before);
    await db.begin(async (tx) => {
      const actor = { at: clock.now(), by: caller.userId };
      await lockCancelled(tx, wholeCentral(centralId), cancellation);
      if (!(await isReasonActive(tx, centralId, reasonId))) throw new Refusal('reason-not-found');
      await cancelLocked(tx, centralId, cancellation, reasonId, actor);
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
  actor: Actor,
): Promise<void> {
  const { delivery, departure, doneCents } = cancellation;
  assertStep('cancel', delivery.status);
  if (departure?.remaining.length) await leaveCarrier(tx, centralId, delivery, departure, reasonId, actor);
  // A carrier whose own stops were all removed carries nothing without it, and ends with it.
  else await cancelCarrier(tx, centralId, departure?.carrier ?? delivery, reasonId, actor);
  await chargeCancellation(tx, centralId, delivery, doneCents, actor);
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
  actor: Actor,
): Promise<void> {
  const held = await clearReserved(tx, centralId, delivery.id);
  await takeStep(tx, centralId, delivery, 'cancel', actor, { reasonId });
  await markReason(tx, centralId, delivery.id, reasonId);
  await closeOffers(tx, centralId, delivery.id, null, 'withdrawn', actor.at);
  if (delivery.driverId !== null && isCurrent(delivery.status))
    await resumeNext(tx, centralId, delivery.driverId, actor.at);
  await giveBack(tx, centralId, held, actor);
}
