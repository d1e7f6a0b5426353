import type { Sight } from '../centrals/caller.ts';
import type { Status } from '../deliveries/status.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';

/** Who carries a delivery, and whether that is anybody. */
export interface Carriage {
  status: Status;
  note: string | null;
  driver: { id: number; name: string; simulated: boolean } | null;
}

export async function findCarriage(tx: Tx, sight: Sight, deliveryId: number): Promise<Carriage> {
  const [row] = await tx<{
    status: Status;
    note: string | null;
    driver_id: number | null;
    name: string;
    simulated: boolean;
  }>`
    select d.status, d.note, driver.id as driver_id, driver.name, driver.simulated
    from deliveries d
    left join drivers driver on driver.central_id = d.central_id and driver.id = d.driver_id
    where d.central_id = ${sight.centralId} and d.id = ${deliveryId}
      and (${sight.companyId}::bigint is null or d.company_id = ${sight.companyId})`;
  if (!row) throw new Refusal('delivery-not-found');
  const { status, note, driver_id: id, name, simulated } = row;
  return { status, note, driver: id === null ? null : { id, name, simulated } };
}
