import type { Central } from '../centrals/central.ts';
import { findPosition } from '../drivers/positionStore.ts';
import type { Tx } from '../postgres/database.ts';
import { estimatorFor } from '../routing/router.ts';
import { expectedAt } from './arrivals.ts';
import { findRun } from './runStore.ts';

/** When the driver reaches each open stop that a delivery carries; empty while no driver is on the way. */
export async function findExpected(
  tx: Tx,
  { id: centralId, settings }: Central,
  deliveryId: number,
  now: Temporal.Instant,
): Promise<ReadonlyMap<number, Temporal.Instant>> {
  const run = await findRun(tx, centralId, deliveryId);
  if (!run) return new Map();
  const driverAt = await findPosition(tx, centralId, run.driverId);
  return expectedAt(estimatorFor(settings), run, driverAt ?? null, now);
}
