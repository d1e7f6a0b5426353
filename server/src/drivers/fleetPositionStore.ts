import type { Position } from '../kernel/position.ts';
import type { Tx } from '../postgres/database.ts';

/** Where many drivers are at the same moment, in one statement that commits by itself; see reportPosition.ts. */
export async function upsertPositions(
  tx: Tx,
  centralId: number,
  fleet: readonly { driverId: number; position: Position }[],
  now: Temporal.Instant,
): Promise<void> {
  if (fleet.length === 0) return;
  // Rows in id order, so that two such statements never wait for each other in a circle.
  await tx`
    insert into driver_positions as known (central_id, driver_id, lat, lng, at)
    select ${centralId}, driver_id, lat, lng, ${now}
    from unnest(${fleet.map((one) => one.driverId)}::bigint[],
      ${fleet.map((one) => one.position.lat)}::double precision[],
      ${fleet.map((one) => one.position.lng)}::double precision[]) as seen (driver_id, lat, lng)
    order by driver_id
    on conflict (central_id, driver_id) do update
      set lat = excluded.lat, lng = excluded.lng, at = excluded.at
      where known.at <= excluded.at`;
}
