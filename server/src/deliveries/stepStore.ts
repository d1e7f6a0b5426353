import type { Tx } from '../postgres/database.ts';

/** Who carries the delivery from now on, and how far away that driver was. */
export async function markDriver(
  tx: Tx,
  centralId: number,
  id: number,
  driverId: number,
  metresToPickup: number,
): Promise<void> {
  await tx`
    update deliveries set driver_id = ${driverId}, driver_to_pickup_metres = ${metresToPickup}
    where central_id = ${centralId} and id = ${id}`;
}

/** Nobody carries it any more, and nobody in particular is meant to. */
export async function clearDriver(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx`
    update deliveries set driver_id = null, driver_to_pickup_metres = 0, driver_specified = false
    where central_id = ${centralId} and id = ${id}`;
}

export async function markDriverSpecified(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx`
    update deliveries set driver_specified = true where central_id = ${centralId} and id = ${id}`;
}

export async function markTravelled(tx: Tx, centralId: number, id: number, metres: number): Promise<void> {
  await tx`
    update deliveries set travelled_metres = ${metres} where central_id = ${centralId} and id = ${id}`;
}
