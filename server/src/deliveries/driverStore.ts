import type { Scope } from '../centrals/caller.ts';
import type { ShareRule } from '../estimates/share.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Stepping } from './takeStep.ts';

/**
 * Stores the driver of a delivery, the driver's distance to the pickup, and the share agreed: that of the tariff, or
 * else of the central.
 */
export async function markDriver(
  tx: Tx,
  centralId: number,
  id: number,
  driver: { id: number; metresToPickup: number; centralShare: ShareRule },
): Promise<void> {
  await tx.defer`
    update deliveries set driver_id = ${driver.id}, driver_to_pickup_metres = ${driver.metresToPickup},
      share = coalesce(
        (select t.share from tariffs t where t.central_id = ${centralId} and t.id = deliveries.tariff_id),
        ${driver.centralShare}::jsonb)
    where central_id = ${centralId} and id = ${id}`;
}

/** Removes the driver, including one named by an operator. */
export async function clearDriver(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.defer`
    update deliveries set driver_id = null, driver_to_pickup_metres = 0, driver_specified = false, share = null
    where central_id = ${centralId} and id = ${id}`;
}

export async function markDriverSpecified(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.defer`
    update deliveries set driver_specified = true where central_id = ${centralId} and id = ${id}`;
}

export async function markTravelled(tx: Tx, centralId: number, id: number, metres: number): Promise<void> {
  await tx.defer`
    update deliveries set travelled_metres = ${metres} where central_id = ${centralId} and id = ${id}`;
}

/** The driver’s current delivery, of which there is one at most. Certain only while the driver's lock is held. */
export async function findCurrentDeliveryId(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<number | undefined> {
  const [row] = await tx<{ id: number }>`
    select id from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status in ('accepted', 'in_progress')
      and grouped_into is null`;
  return row?.id;
}

/** How many deliveries wait on hold for a driver. Certain only while the driver's lock is held. */
export async function countOnHold(tx: Tx, centralId: number, driverId: number): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status = 'on_hold'`;
  return row!.count;
}

/** Locks the delivery on hold longest for a driver without a current delivery. The caller holds the driver's lock. */
export async function lockNextOnHold(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<Stepping | undefined> {
  const [next] = await tx<Stepping>`
    select id, status, driver_id as "driverId" from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status = 'on_hold' and not exists (
      select from deliveries current
      where current.central_id = ${centralId} and current.driver_id = ${driverId}
        and current.status in ('accepted', 'in_progress') and current.grouped_into is null)
    order by accepted_at, id for update`;
  return next;
}

/** The position of the driver who carries a delivery, or its carrier; null while there is none. */
export async function findCarrierPosition(tx: Tx, scope: Scope, id: number): Promise<Position | null> {
  const [row] = await tx<{ lat: number | null; lng: number | null }>`
    select p.lat, p.lng
    from deliveries d
    join deliveries carrier on carrier.central_id = ${scope.centralId} and carrier.id = coalesce(d.grouped_into, d.id)
    left join driver_positions p on p.central_id = ${scope.centralId} and p.driver_id = carrier.driver_id
      and carrier.status in ('accepted', 'on_hold', 'in_progress')
    where d.central_id = ${scope.centralId} and d.id = ${id}
      and (${scope.companyId}::bigint is null or d.company_id = ${scope.companyId})`;
  if (!row) throw new Refusal('delivery-not-found');
  const { lat, lng } = row;
  return lat === null || lng === null ? null : { lat, lng };
}

/** A driver who is available, carries a delivery, or was seen recently. */
export interface DriverAtWork {
  id: number;
  name: string;
  phone: string;
  vehicle: string;
  plate: string;
  available: boolean;
  simulated: boolean;
  categoryIds: readonly number[];
  lat: number | null;
  lng: number | null;
  seenAt: Temporal.Instant | null;
  /** The deliveries it carries, the current one first; only those in the caller's scope. */
  deliveryIds: readonly number[];
}

/** A company sees only drivers who carry a delivery of that company now. */
export async function listDriversAtWork(
  tx: Tx,
  { centralId, companyId }: Scope,
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
    select d.id, d.name, d.phone, d.vehicle, d.plate, d.available, d.simulated, p.lat, p.lng, p.at as "seenAt",
      coalesce(carried.ids, '[]') as "deliveryIds", (
        select coalesce(json_agg(c.category_id order by c.category_id), '[]') from driver_categories c
        where c.central_id = ${centralId} and c.driver_id = d.id) as "categoryIds"
    from drivers d
    left join driver_positions p on p.central_id = ${centralId} and p.driver_id = d.id
    left join carried on carried.driver_id = d.id
    where d.central_id = ${centralId}
      and (carried.driver_id is not null or ${companyId}::bigint is null and d.active
        and (d.available or p.at > ${seenSince}))
    order by d.name, d.id limit ${limit}`;
}
