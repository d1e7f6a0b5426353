import { EVERYTHING, type Page } from '../kernel/page.ts';
import type { Tx } from '../postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../postgres/refuseViolations.ts';
import type { Profile } from '../routing/router.ts';

/** A kind of vehicle and service, with tariffs of its own. */
export interface Category {
  id: number;
  name: string;
  description: string;
  profile: Profile;
  active: boolean;
}

export interface CategoryValues extends Omit<Category, 'id' | 'active'> {
  /** Null keeps the current value; a new category is active. */
  active: boolean | null;
}

const violations = { categories_name: duplicate('name') };

export async function listCategories(
  tx: Tx,
  centralId: number,
  page: Page = EVERYTHING,
): Promise<Category[]> {
  return tx<Category>`
    select id, name, description, profile, active from categories
    where central_id = ${centralId} order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findCategory(tx: Tx, centralId: number, id: number): Promise<Category | undefined> {
  const [row] = await tx<Category>`
    select id, name, description, profile, active from categories
    where central_id = ${centralId} and id = ${id}`;
  return row;
}

export async function insertCategory(tx: Tx, centralId: number, category: CategoryValues): Promise<number> {
  const inserted = tx<{ id: number }>`
    insert into categories (central_id, id, name, description, profile, active)
    values (${centralId}, next_id(${centralId}, 'category'), ${category.name}, ${category.description},
      ${category.profile}, coalesce(${category.active}, true))
    returning id`;
  const [row] = await refuseViolations(inserted, violations);
  return row!.id;
}

export async function updateCategory(
  tx: Tx,
  centralId: number,
  id: number,
  category: CategoryValues,
): Promise<boolean> {
  const updated = tx`
    update categories set name = ${category.name}, description = ${category.description},
      profile = ${category.profile}, active = coalesce(${category.active}, active)
    where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseViolations(updated, violations)).length > 0;
}

export async function deleteCategory(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx`delete from categories where central_id = ${centralId} and id = ${id} returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}
