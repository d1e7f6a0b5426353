import type { Profile } from '../../geo/routing/router.ts';
import type { Capacity } from '../../platform/kernel/load.ts';
import { EVERYTHING, type Page } from '../../platform/kernel/page.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../../platform/postgres/databaseErrors.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { names, type Sql, sql, values } from '../../platform/postgres/sql.ts';
import { capacityJson, capacityRow } from '../../registers/drivers/capacityStore.ts';
import type { Tariff } from './price.ts';
import type { ShareRule } from './share.ts';

/** A tariff and its area; without an area it applies wherever the category has no tariff for the area. */
export interface PlacedTariff extends Tariff {
  categoryId: number;
  areaId: number | null;
  /** The drivers' share. Null: that of the central's settings. */
  share: ShareRule | null;
}

export type TariffValues = Omit<PlacedTariff, 'id'>;

const violations = {
  tariffs_one_per_category_and_area: duplicate('area'),
  tariffs_category_fkey: () => new Refusal('category-not-found'),
  tariffs_area_fkey: () => new Refusal('area-not-found'),
};

export async function listTariffs(
  tx: Tx,
  centralId: number,
  page: Page = EVERYTHING,
): Promise<PlacedTariff[]> {
  return tx.rows<PlacedTariff>`
    select id, category_id, area_id, name, base_cents,
      per_km_cents, per_minute_cents,
      per_extra_stop_cents, return_factor,
      minimum_cents, windows, share
    from tariffs where central_id = ${centralId} order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findTariff(tx: Tx, centralId: number, id: number): Promise<PlacedTariff | undefined> {
  const row = await tx.row<PlacedTariff>`
    select id, category_id, area_id, name, base_cents,
      per_km_cents, per_minute_cents,
      per_extra_stop_cents, return_factor,
      minimum_cents, windows, share
    from tariffs where central_id = ${centralId} and id = ${id}`;
  return row;
}

export async function insertTariff(tx: Tx, centralId: number, tariff: TariffValues): Promise<number> {
  const id = await newId(tx, centralId, 'tariff');
  const inserted = tx.rows`
    insert into tariffs (central_id, id, category_id, area_id, name, base_cents, per_km_cents, per_minute_cents,
      per_extra_stop_cents, return_factor, minimum_cents, windows, share)
    values (${centralId}, ${id}, ${tariff.categoryId}, ${tariff.areaId}, ${tariff.name},
      ${tariff.baseCents}, ${tariff.perKmCents}, ${tariff.perMinuteCents}, ${tariff.perExtraStopCents},
      ${tariff.returnFactor}, ${tariff.minimumCents}, ${JSON.stringify(tariff.windows)}::jsonb, ${tariff.share}::jsonb)`;
  await refuseViolations(inserted, violations);
  return id;
}

export async function updateTariff(
  tx: Tx,
  centralId: number,
  id: number,
  tariff: TariffValues,
): Promise<boolean> {
  const updated = tx.rows`
    update tariffs set category_id = ${tariff.categoryId}, area_id = ${tariff.areaId}, name = ${tariff.name},
      base_cents = ${tariff.baseCents}, per_km_cents = ${tariff.perKmCents},
      per_minute_cents = ${tariff.perMinuteCents}, per_extra_stop_cents = ${tariff.perExtraStopCents},
      return_factor = ${tariff.returnFactor}, minimum_cents = ${tariff.minimumCents},
      windows = ${JSON.stringify(tariff.windows)}::jsonb, share = ${tariff.share}::jsonb
    where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseViolations(updated, violations)).length > 0;
}

export async function deleteTariff(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx.rows`delete from tariffs where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}

/** A kind of vehicle and service, with tariffs of its own. */
export interface Category {
  id: number;
  name: string;
  description: string;
  profile: Profile;
  active: boolean;
  /** What its vehicles carry; null: not known. */
  capacity: Capacity | null;
}

export interface CategoryValues extends Omit<Category, 'id' | 'active' | 'capacity'> {
  /** Null keeps the current value; a new category is active. */
  active: boolean | null;
  /** Absent: keeps what is known. */
  capacity?: Capacity | null | undefined;
}

const categoryViolations = { categories_name_unique: duplicate('name') };

const categories = (centralId: number): Sql => sql`
    select id, name, description, profile, active, (
      select ${capacityJson('capacity')} from category_capacities capacity
      where capacity.central_id = ${centralId} and capacity.category_id = categories.id) as capacity
    from categories where central_id = ${centralId}`;

export async function listCategories(
  tx: Tx,
  centralId: number,
  page: Page = EVERYTHING,
): Promise<Category[]> {
  return tx.rows<Category>`
    ${categories(centralId)} order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findCategory(tx: Tx, centralId: number, id: number): Promise<Category | undefined> {
  const row = await tx.row<Category>`
    ${categories(centralId)} and id = ${id}`;
  return row;
}

export async function insertCategory(tx: Tx, centralId: number, category: CategoryValues): Promise<number> {
  const id = await newId(tx, centralId, 'category');
  const inserted = tx.rows`
    insert into categories (central_id, id, name, description, profile, active)
    values (${centralId}, ${id}, ${category.name}, ${category.description},
      ${category.profile}, coalesce(${category.active}, true))`;
  await refuseViolations(inserted, categoryViolations);
  await saveCapacity(tx, centralId, id, category.capacity);
  return id;
}

export async function updateCategory(
  tx: Tx,
  centralId: number,
  id: number,
  category: CategoryValues,
): Promise<boolean> {
  const updated = tx.rows`
    update categories set name = ${category.name}, description = ${category.description},
      profile = ${category.profile}, active = coalesce(${category.active}, active)
    where central_id = ${centralId} and id = ${id} returning id`;
  if ((await refuseViolations(updated, categoryViolations)).length === 0) return false;
  await saveCapacity(tx, centralId, id, category.capacity);
  return true;
}

async function saveCapacity(
  tx: Tx,
  centralId: number,
  categoryId: number,
  capacity: Capacity | null | undefined,
): Promise<void> {
  if (capacity === undefined) return;
  await tx.rows`
    delete from category_capacities where central_id = ${centralId} and category_id = ${categoryId}`;
  if (capacity === null) return;
  const row = { central_id: centralId, category_id: categoryId, ...capacityRow(capacity) };
  await tx.rows`insert into category_capacities (${names(row)}) values (${values(row)})`;
}

export async function deleteCategory(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx.rows`delete from categories where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}
