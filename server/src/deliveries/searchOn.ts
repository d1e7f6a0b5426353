import type { Deed } from '../events/deed.ts';
import type { Tx } from '../postgres/database.ts';
import type { Delivery } from './delivery.ts';
import { hasOpenOffer } from './offerStore.ts';
import { type Status, steps } from './status.ts';
import { clearDriver } from './stepStore.ts';
import { takeStep } from './takeStep.ts';

/**
 * After an offer was closed without being accepted: with none left open the central searches on, and anew where an
 * operator had named the driver. The caller holds the delivery's lock.
 */
export async function searchOn(tx: Tx, centralId: number, delivery: Delivery, deed: Deed): Promise<Status> {
  if (await hasOpenOffer(tx, centralId, delivery.id)) return delivery.status;
  const step = delivery.driverSpecified ? 'declineAssigned' : 'decline';
  await clearDriver(tx, centralId, delivery.id);
  await takeStep(tx, centralId, delivery, step, deed);
  return steps[step].to;
}
