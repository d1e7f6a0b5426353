import type { Tx } from '../postgres/database.ts';
import type { Stepping } from './takeStep.ts';

/** Whether a driver has a current delivery. Certain only while the driver's lock is held. */
export async function hasCurrentDelivery(tx: Tx, centralId: number, driverId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status in ('accepted', 'in_progress')
      and grouped_into is null
    limit 1`;
  return rows.length > 0;
}

/** How many wait for a driver. Certain only while the driver's lock is held. */
export async function countOnHold(tx: Tx, centralId: number, driverId: number): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status = 'on_hold'`;
  return row!.count;
}

/** What waits for a driver, the longest waiting first. */
export async function lockOnHold(tx: Tx, centralId: number, driverId: number): Promise<Stepping[]> {
  return tx<Stepping>`
    select id, status, driver_id as "driverId" from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status = 'on_hold'
    order by accepted_at, id for update`;
}
