import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Tx, violatedConstraint } from '../postgres/database.ts';

/** A report that was overtaken by a later one on its way changes nothing. */
export async function upsertPosition(
  tx: Tx,
  centralId: number,
  driverId: number,
  { lat, lng }: Position,
  now: Temporal.Instant,
): Promise<void> {
  try {
    await tx`
      insert into driver_positions as known (central_id, driver_id, lat, lng, at)
      values (${centralId}, ${driverId}, ${lat}, ${lng}, ${now})
      on conflict (central_id, driver_id) do update
        set lat = excluded.lat, lng = excluded.lng, at = excluded.at
        where known.at <= excluded.at`;
  } catch (error) {
    // Only the first report of a driver asks whether there is such a driver.
    if (violatedConstraint(error) === 'driver_positions_central_id_driver_id_fkey')
      throw new Refusal('driver-not-found');
    throw error;
  }
}

/** Where it was last seen. */
export async function findPosition(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<Position | undefined> {
  const [row] = await tx<Position>`
    select lat, lng from driver_positions where central_id = ${centralId} and driver_id = ${driverId}`;
  return row;
}
