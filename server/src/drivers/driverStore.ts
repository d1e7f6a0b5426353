import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';

/** A driver carries deliveries, one at a time; deliveries accepted meanwhile wait on hold. */
export interface Driver {
  id: number;
  name: string;
  active: boolean;
  available: boolean;
  /** The last known position. */
  position: Position | null;
  seenAt: Temporal.Instant | null;
}

interface DriverRow {
  id: number;
  name: string;
  active: boolean;
  available: boolean;
  lat: number | null;
  lng: number | null;
  at: Temporal.Instant | null;
}

/**
 * Every command that gives a driver a delivery or takes the current one away holds this lock, so two commands
 * never decide on the same load. It is taken after the locks of the deliveries involved.
 */
export async function lockDriver(tx: Tx, centralId: number, id: number): Promise<Driver> {
  const [row] = await tx<DriverRow>`
    select d.id, d.name, d.active, d.available, p.lat, p.lng, p.at
    from drivers d
    left join driver_positions p on p.central_id = d.central_id and p.driver_id = d.id
    where d.central_id = ${centralId} and d.id = ${id}
    for no key update of d`;
  if (!row) throw new Refusal('driver-not-found');
  const { lat, lng } = row;
  return {
    id: row.id,
    name: row.name,
    active: row.active,
    available: row.available,
    position: lat === null || lng === null ? null : { lat, lng },
    seenAt: row.at,
  };
}

export async function markAvailable(
  tx: Tx,
  centralId: number,
  id: number,
  available: boolean,
): Promise<void> {
  await tx`
    update drivers set available = ${available} where central_id = ${centralId} and id = ${id}`;
}

/**
 * Whether a driver takes deliveries of this company, or of no company. A driver bound to companies takes only
 * theirs. Guaranteed while the driver's lock is held.
 */
export async function worksFor(
  tx: Tx,
  centralId: number,
  driverId: number,
  companyId: number | null,
): Promise<boolean> {
  const [row] = await tx<{ works: boolean }>`
    select coalesce(bool_or(company_id = ${companyId}::bigint), count(*) = 0) as works from driver_companies
    where central_id = ${centralId} and driver_id = ${driverId}`;
  return row!.works;
}

/** Whether the driver's vehicle fits the category. */
export async function hasCategory(
  tx: Tx,
  centralId: number,
  driverId: number,
  categoryId: number,
): Promise<boolean> {
  const rows = await tx`
    select 1 from driver_categories
    where central_id = ${centralId} and driver_id = ${driverId} and category_id = ${categoryId}`;
  return rows.length > 0;
}
