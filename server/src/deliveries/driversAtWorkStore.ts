import type { Sight } from '../centrals/caller.ts';
import type { Tx } from '../postgres/database.ts';

/** A driver who is available, carries something, or was seen a short while ago. */
export interface DriverAtWork {
  id: number;
  name: string;
  vehicle: string;
  plate: string;
  available: boolean;
  simulated: boolean;
  categoryIds: readonly number[];
  lat: number | null;
  lng: number | null;
  seenAt: Temporal.Instant | null;
  /** What it carries, the current one first; of others' companies none. */
  deliveryIds: readonly number[];
}

/** A company sees the drivers who carry something of it, while they do. */
export async function listDriversAtWork(
  tx: Tx,
  { centralId, companyId }: Sight,
  seenSince: Temporal.Instant,
  limit: number,
): Promise<DriverAtWork[]> {
  return tx<DriverAtWork>`
    with carried as (
      select driver_id, json_agg(id order by status = 'on_hold', accepted_at, id) as ids
      from deliveries
      where central_id = ${centralId} and status in ('accepted', 'on_hold', 'in_progress') and grouped_into is null
        and (${companyId}::bigint is null or company_id = ${companyId})
      group by driver_id)
    select d.id, d.name, d.vehicle, d.plate, d.available, d.simulated, p.lat, p.lng, p.at as "seenAt",
      coalesce(carried.ids, '[]') as "deliveryIds", (
        select coalesce(json_agg(c.category_id order by c.category_id), '[]') from driver_categories c
        where c.central_id = d.central_id and c.driver_id = d.id) as "categoryIds"
    from drivers d
    left join driver_positions p on p.central_id = d.central_id and p.driver_id = d.id
    left join carried on carried.driver_id = d.id
    where d.central_id = ${centralId}
      and (carried.driver_id is not null or ${companyId}::bigint is null and d.active
        and (d.available or p.at > ${seenSince}))
    order by d.name, d.id limit ${limit}`;
}
