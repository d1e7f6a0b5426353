import type { Caller } from '../centrals/caller.ts';
import { isReasonActive } from '../centrals/reasonStore.ts';
import type { Deed } from '../events/deed.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Needs } from '../postgres/needs.ts';
import { chargeCancellation } from './chargeCancellation.ts';
import type { Delivery } from './delivery.ts';
import { lockDelivery, markReason } from './deliveryStore.ts';
import { closeOffers } from './offerStore.ts';
import { giveBack, unreserve } from './reserveCredit.ts';
import { resumeNext } from './resumeNext.ts';
import { assertStep, isCurrent } from './status.ts';
import { assertUngrouped, takeStep } from './takeStep.ts';

/** Contract 4.8. */
export async function cancelDelivery(
  { db, clock }: Needs,
  caller: Caller,
  id: number,
  reasonId: number,
): Promise<void> {
  await db.begin(async (tx) => {
    const delivery = await lockDelivery(tx, caller, id);
    if (!(await isReasonActive(tx, caller.centralId, reasonId))) throw new Refusal('reason-not-found');
    const deed = { at: clock.now(), by: caller.userId };
    await cancelLocked(tx, caller.centralId, delivery, reasonId, deed);
  });
}

/**
 * Cancels a delivery whose lock the caller holds, and with it all that were grouped into it: what was
 * reserved is given back, open offers are withdrawn, its driver goes on to the next one, and the central's fee
 * is charged. Wallets are
 * locked last: a caller that locks others or more deliveries does that first.
 */
export async function cancelLocked(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  reasonId: number | null,
  deed: Deed,
): Promise<void> {
  assertUngrouped(delivery);
  assertStep('cancel', delivery.status);
  const held = await unreserve(tx, centralId, delivery.id);
  await takeStep(tx, centralId, delivery, 'cancel', deed, { reasonId });
  await markReason(tx, centralId, delivery.id, reasonId);
  await closeOffers(tx, centralId, delivery.id, null, 'withdrawn', deed.at);
  if (delivery.driverId !== null && isCurrent(delivery.status))
    await resumeNext(tx, centralId, delivery.driverId, deed.at);
  await giveBack(tx, centralId, held, deed);
  await chargeCancellation(tx, centralId, delivery, deed);
}
