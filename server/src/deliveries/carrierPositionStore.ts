import type { Sight } from '../centrals/caller.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';

/** Where the driver is who carries a delivery now; null while nobody does. A grouped one is carried by its grouper's. */
export async function findCarrierPosition(tx: Tx, sight: Sight, id: number): Promise<Position | null> {
  const [row] = await tx<{ lat: number | null; lng: number | null }>`
    select p.lat, p.lng
    from deliveries d
    join deliveries carrier on carrier.central_id = d.central_id and carrier.id = coalesce(d.grouped_into, d.id)
    left join driver_positions p on p.central_id = carrier.central_id and p.driver_id = carrier.driver_id
      and carrier.status in ('accepted', 'on_hold', 'in_progress')
    where d.central_id = ${sight.centralId} and d.id = ${id}
      and (${sight.companyId}::bigint is null or d.company_id = ${sight.companyId})`;
  if (!row) throw new Refusal('delivery-not-found');
  const { lat, lng } = row;
  return lat === null || lng === null ? null : { lat, lng };
}
