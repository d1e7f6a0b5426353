import type { Position } from '../kernel/position.ts';
import type { Tx } from '../postgres/database.ts';

/** A delivery that a driver carries, with the fields from which times are estimated. */
export interface Run {
  id: number;
  driverId: number;
  status: 'accepted' | 'on_hold' | 'in_progress';
  hasArrived: boolean;
  pickup: Position;
  pickupAddress: string;
  returning: boolean;
  plannedSeconds: number;
  /** In their order. */
  stops: readonly RunStop[];
}

export interface RunStop extends Position {
  id: number;
  address: string;
  concluded: boolean;
}

// Uses partial indexes of carried deliveries, so the cost does not depend on the history.
const RUNS = `
  select d.id, d.driver_id as "driverId", d.status, d.arrived_at is not null as "hasArrived",
    json_build_object('lat', d.pickup_lat, 'lng', d.pickup_lng) as pickup, d.pickup_address as "pickupAddress",
    d.has_return as returning,
    d.planned_seconds as "plannedSeconds", (
      select coalesce(json_agg(json_build_object('id', s.id, 'lat', s.lat, 'lng', s.lng, 'address', s.address,
        'concluded', s.concluded_at is not null) order by s.position, s.id), '[]')
      from stops s where s.central_id = $1 and s.delivery_id = d.id) as stops
  from deliveries d
  where d.central_id = $1 and d.grouped_into is null and d.status in ('accepted', 'on_hold', 'in_progress')`;

/** The runs of all drivers of a central, or of those named; for each driver the current one first. */
export const listRuns = (tx: Tx, centralId: number, driverIds: readonly number[] | null): Promise<Run[]> =>
  tx.run<Run>(
    `${RUNS} and ($2::bigint[] is null or d.driver_id = any($2::bigint[]))
     order by d.driver_id, d.status = 'on_hold', d.accepted_at, d.id`,
    [centralId, driverIds],
  );

export async function findRun(tx: Tx, centralId: number, deliveryId: number): Promise<Run | undefined> {
  const [row] = await tx.run<Run>(`${RUNS} and d.id = $2`, [centralId, deliveryId]);
  return row;
}
