import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql } from '../../platform/postgres/sql.ts';

/*
 * Locks in the general order: deliveries that no driver has or that are a driver's current one, then drivers, then
 * deliveries on hold. Each statement locks in the order of ids.
 */

const BEFORE_DRIVERS = raw("'distributing', 'pending', 'offered', 'accepted'");
const AFTER_DRIVERS = raw("'on_hold'");

const lockIn =
  (statuses: Sql) =>
  async (tx: Tx, centralId: number, ids: readonly number[]): Promise<number[]> => {
    const rows = await tx.rows<{ id: number }>`
      select id from deliveries
      where central_id = ${centralId} and id = any(${ids}::bigint[]) and status in (${statuses})
        and grouped_into is null
      order by id for update`;
    return rows.map(({ id }) => id);
  };

/** Locks those of the deliveries that are searched for or accepted; returns them. */
export const lockBeforeDrivers = lockIn(BEFORE_DRIVERS);
/** Locks those on hold; returns them. The caller holds the locks of all their drivers. */
export const lockAfterDrivers = lockIn(AFTER_DRIVERS);

export async function lockDrivers(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx.rows`
    select id from drivers where central_id = ${centralId} and id = any(${ids}::bigint[])
    order by id for no key update`;
}

/** What the drivers carry. Certain while their locks are held. */
export const findCarried = (
  tx: Tx,
  centralId: number,
  driverIds: readonly number[],
): Promise<{ id: number; driverId: number | null }[]> =>
  tx.rows`
    select id, driver_id from deliveries
    where central_id = ${centralId} and driver_id = any(${driverIds}::bigint[])
      and status in ('accepted', 'in_progress', 'on_hold') and grouped_into is null`;
