import type { Tx } from '../postgres/database.ts';

/** Where a driver was seen, and what it carries. */
export interface LivePosition {
  centralId: number;
  driverId: number;
  lat: number;
  lng: number;
  at: Temporal.Instant;
  deliveries: readonly { id: number; companyId: number | null }[];
}

/** Of all drivers of these centrals that were seen after `since`. */
export async function findPositionsSince(
  tx: Tx,
  centralIds: readonly number[],
  since: Temporal.Instant,
): Promise<LivePosition[]> {
  return tx<LivePosition>`
    with carried as (
      select central_id, driver_id, jsonb_agg(jsonb_build_object('id', id, 'companyId', company_id) order by id) as deliveries
      from deliveries
      where central_id = any(${centralIds}::bigint[]) and status in ('accepted', 'on_hold', 'in_progress')
      group by central_id, driver_id)
    select p.central_id as "centralId", p.driver_id as "driverId", p.lat, p.lng, p.at,
      coalesce(carried.deliveries, '[]') as deliveries
    from driver_positions p left join carried using (central_id, driver_id)
    where p.central_id = any(${centralIds}::bigint[]) and p.at > ${since}`;
}
