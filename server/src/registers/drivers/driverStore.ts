import type { Capacity } from '../../platform/kernel/load.ts';
import type { Page } from '../../platform/kernel/page.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { refuseIfUsed, refuseViolations } from '../../platform/postgres/databaseErrors.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { names, type Sql, sql, values } from '../../platform/postgres/sql.ts';
import { capacityJson, capacityRow } from './capacityStore.ts';

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
  return toDriver(await tx.row<DriverRow>`${driverNow(centralId, id)} for no key update of d`);
}

/** Reads a driver without the lock of `lockDriver`, for a check before the decision. */
export async function findDriverNow(tx: Tx, centralId: number, id: number): Promise<Driver> {
  return toDriver(await tx.row<DriverRow>`${driverNow(centralId, id)}`);
}

const driverNow = (centralId: number, id: number): Sql => sql`
  select d.id, d.name, d.active, d.available, p.lat, p.lng, p.at
  from drivers d
  left join driver_positions p on p.central_id = ${centralId} and p.driver_id = d.id
  where d.central_id = ${centralId} and d.id = ${id}`;

function toDriver(row: DriverRow | undefined): Driver {
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
  await tx.rows`
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
  const row = await tx.row<{ works: boolean }>`
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
  const rows = await tx.rows`
    select 1 from driver_categories
    where central_id = ${centralId} and driver_id = ${driverId} and category_id = ${categoryId}`;
  return rows.length > 0;
}

/** A driver as the operators register it. */
export interface DriverRecord extends Omit<DriverValues, 'active'> {
  id: number;
  available: boolean;
  active: boolean;
  simulated: boolean;
}

export interface DriverValues {
  name: string;
  phone: string;
  vehicle: string;
  plate: string;
  color: string | null;
  /** Null keeps the current value; a new driver is active. */
  active: boolean | null;
  /** The categories it may be offered. */
  categoryIds: readonly number[];
  /** The companies it works for. An empty list means all companies, and deliveries without a company. */
  companyIds: readonly number[];
  /** Null: as its category. Absent: keeps what is known. */
  capacity?: Capacity | null | undefined;
}

export interface NewDriver extends DriverValues {
  /**
   * Moves by itself where its central simulates couriers. Set at creation only: a real driver never becomes
   * simulated.
   */
  simulated?: boolean;
}

const recordsOf = (centralId: number): Sql => sql`
  select id, name, phone, vehicle, plate, color, available, active, simulated, (
    select coalesce(json_agg(category_id order by category_id), '[]') from driver_categories c
    where c.central_id = ${centralId} and c.driver_id = d.id) as category_ids, (
    select coalesce(json_agg(company_id order by company_id), '[]') from driver_companies b
    where b.central_id = ${centralId} and b.driver_id = d.id) as company_ids, (
    select ${capacityJson('capacity')} from driver_capacities capacity
    where capacity.central_id = ${centralId} and capacity.driver_id = d.id) as capacity
  from drivers d where central_id = ${centralId}`;

export const listDrivers = (tx: Tx, centralId: number, { limit, offset }: Page): Promise<DriverRecord[]> =>
  tx.rows<DriverRecord>`${recordsOf(centralId)} order by id limit ${limit} offset ${offset}`;

export const findDriver = (tx: Tx, centralId: number, id: number): Promise<DriverRecord | undefined> =>
  tx.row<DriverRecord>`${recordsOf(centralId)} and id = ${id}`;

export async function insertDriver(tx: Tx, centralId: number, driver: NewDriver): Promise<number> {
  const id = await newId(tx, centralId, 'driver');
  await tx.rows`
    insert into drivers (central_id, id, name, phone, vehicle, plate, color, active, simulated)
    values (${centralId}, ${id}, ${driver.name}, ${driver.phone}, ${driver.vehicle},
      ${driver.plate}, ${driver.color}, coalesce(${driver.active}, true), ${driver.simulated ?? false})`;
  await replaceCategories(tx, centralId, id, driver.categoryIds);
  await replaceCompanies(tx, centralId, id, driver.companyIds);
  await saveDriverCapacity(tx, centralId, id, driver.capacity);
  return id;
}

/** A driver that becomes inactive takes no offers. */
export async function updateDriver(
  tx: Tx,
  centralId: number,
  id: number,
  driver: DriverValues,
): Promise<boolean> {
  const rows = await tx.rows`
    update drivers set name = ${driver.name}, phone = ${driver.phone}, vehicle = ${driver.vehicle},
      plate = ${driver.plate}, color = ${driver.color}, active = coalesce(${driver.active}, active),
      available = available and coalesce(${driver.active}, active)
    where central_id = ${centralId} and id = ${id} returning id`;
  if (rows.length === 0) return false;
  await replaceCategories(tx, centralId, id, driver.categoryIds);
  await replaceCompanies(tx, centralId, id, driver.companyIds);
  await saveDriverCapacity(tx, centralId, id, driver.capacity);
  return true;
}

async function replaceCategories(
  tx: Tx,
  centralId: number,
  driverId: number,
  categoryIds: readonly number[],
): Promise<void> {
  await tx.rows`
    delete from driver_categories
    where central_id = ${centralId} and driver_id = ${driverId} and category_id <> all(${categoryIds}::bigint[])`;
  const inserted = tx.rows`
    insert into driver_categories (central_id, driver_id, category_id)
    select ${centralId}, ${driverId}, unnest(${categoryIds}::bigint[])
    on conflict do nothing`;
  await refuseViolations(inserted, {
    driver_categories_category_fkey: () => new Refusal('category-not-found'),
  });
}

async function replaceCompanies(
  tx: Tx,
  centralId: number,
  driverId: number,
  companyIds: readonly number[],
): Promise<void> {
  await tx.rows`
    delete from driver_companies
    where central_id = ${centralId} and driver_id = ${driverId} and company_id <> all(${companyIds}::bigint[])`;
  const inserted = tx.rows`
    insert into driver_companies (central_id, driver_id, company_id)
    select ${centralId}, ${driverId}, unnest(${companyIds}::bigint[])
    on conflict do nothing`;
  await refuseViolations(inserted, {
    driver_companies_company_fkey: () => new Refusal('company-not-found'),
  });
}

export async function deleteDriver(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx.rows`delete from drivers where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}

async function saveDriverCapacity(
  tx: Tx,
  centralId: number,
  driverId: number,
  capacity: Capacity | null | undefined,
): Promise<void> {
  if (capacity === undefined) return;
  await tx.rows`delete from driver_capacities where central_id = ${centralId} and driver_id = ${driverId}`;
  if (capacity === null) return;
  const row = { central_id: centralId, driver_id: driverId, ...capacityRow(capacity) };
  await tx.rows`insert into driver_capacities (${names(row)}) values (${values(row)})`;
}
