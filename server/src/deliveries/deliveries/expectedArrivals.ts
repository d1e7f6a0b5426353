import type { Central } from '../../centrals/central.ts';
import { estimatorFor } from '../../geo/routing/routers.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { findPosition } from '../../registers/drivers/positionStore.ts';
import { findRun } from './driverWorkStore.ts';
import { expectedAt } from './runArrivals.ts';

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
