import type { Caller } from '../centrals/caller.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { lockDelivery } from './deliveryStore.ts';
import { findOffer } from './offerStore.ts';
import { assertUngrouped } from './takeStep.ts';

/** Locks a delivery that is about to take a step, as far as the caller may see it and it takes steps at all. */
export async function lockForStep(tx: Tx, caller: Caller, id: number): Promise<Delivery> {
  const delivery = await lockDelivery(tx, caller, id);
  await assertInSight(tx, caller, delivery);
  assertUngrouped(delivery);
  return delivery;
}

/**
 * A driver's login sees its own deliveries, and those that were offered to it and that nobody else took. All others are
 * to it the same as none.
 */
async function assertInSight(tx: Tx, caller: Caller, delivery: Delivery): Promise<void> {
  const { driverId, centralId } = caller;
  if (driverId === null || delivery.driverId === driverId) return;
  if (delivery.driverId === null && (await findOffer(tx, centralId, delivery.id, driverId))) return;
  throw new Refusal('delivery-not-found');
}
