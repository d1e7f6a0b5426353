import { lockDriver } from '../drivers/driverStore.ts';
import { doneByService } from '../events/deed.ts';
import type { Tx } from '../postgres/database.ts';
import { hasCurrentDelivery, lockOnHold } from './driverLoadStore.ts';
import { takeStep } from './takeStep.ts';

/**
 * A driver's current delivery ended, or left it: the one that waited longest on hold becomes current.
 * Whoever ended the other one decided nothing about this one, which may be another company's: the service does it.
 *
 * Order of locks, everywhere: deliveries at hand, their driver, what is on hold for it, wallets. It is safe
 * because nobody who holds a delivery on hold goes on to ask for its driver: taking such a one away frees
 * nobody, so callers leave this out.
 */
export async function resumeNext(
  tx: Tx,
  centralId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<void> {
  await lockDriver(tx, centralId, driverId);
  if (await hasCurrentDelivery(tx, centralId, driverId)) return;
  const [next] = await lockOnHold(tx, centralId, driverId);
  if (next) await takeStep(tx, centralId, next, 'resume', doneByService(now));
}
