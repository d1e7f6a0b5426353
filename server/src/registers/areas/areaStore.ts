import { EVERYTHING, type Page } from '../../platform/kernel/page.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../../platform/postgres/databaseErrors.ts';
import { newId } from '../../platform/postgres/ids.ts';
import type { NamedArea, OperatingArea } from './area.ts';

const violations = { operating_areas_name_unique: duplicate('name') };

export async function listAreas(
  tx: Tx,
  centralId: number,
  page: Page = EVERYTHING,
): Promise<OperatingArea[]> {
  return tx.rows<OperatingArea>`
    select id, name, is_default, shape from operating_areas
    where central_id = ${centralId} order by id limit ${page.limit} offset ${page.offset}`;
}

/** Reads no shapes, because a large one takes milliseconds. */
export async function listAreaNames(tx: Tx, centralId: number): Promise<NamedArea[]> {
  return tx.rows<NamedArea>`
    select id, name, is_default from operating_areas
    where central_id = ${centralId} order by id`;
}

export async function findArea(tx: Tx, centralId: number, id: number): Promise<OperatingArea | undefined> {
  const row = await tx.row<OperatingArea>`
    select id, name, is_default, shape from operating_areas
    where central_id = ${centralId} and id = ${id}`;
  return row;
}

export async function findNamedArea(tx: Tx, centralId: number, id: number): Promise<NamedArea | undefined> {
  const row = await tx.row<NamedArea>`
    select id, name, is_default from operating_areas
    where central_id = ${centralId} and id = ${id}`;
  return row;
}

export async function findAreaNamed(tx: Tx, centralId: number, name: string): Promise<NamedArea | undefined> {
  const row = await tx.row<NamedArea>`
    select id, name, is_default from operating_areas
    where central_id = ${centralId} and lower(name) = lower(${name})`;
  return row;
}

export async function hasAreas(tx: Tx, centralId: number): Promise<boolean> {
  const rows = await tx.rows`select 1 from operating_areas where central_id = ${centralId} limit 1`;
  return rows.length > 0;
}

/** Bytes of all shapes together, as text. */
export async function findShapesSize(tx: Tx, centralId: number): Promise<number> {
  const row = await tx.row<{ bytes: number }>`
    select coalesce(sum(octet_length(shape::text)), 0)::bigint as bytes
    from operating_areas where central_id = ${centralId}`;
  return row!.bytes;
}

export async function insertArea(
  tx: Tx,
  centralId: number,
  { name, isDefault, shape }: Omit<OperatingArea, 'id'>,
): Promise<number> {
  const id = await newId(tx, centralId, 'area');
  const inserted = tx.rows`
    insert into operating_areas (central_id, id, name, is_default, shape)
    values (${centralId}, ${id}, ${name}, ${isDefault}, ${shape})`;
  await refuseViolations(inserted, violations);
  return id;
}

export async function updateArea(
  tx: Tx,
  centralId: number,
  { id, name, isDefault, shape }: OperatingArea,
): Promise<void> {
  const updated = tx.rows`
    update operating_areas set name = ${name}, is_default = ${isDefault}, shape = ${shape}
    where central_id = ${centralId} and id = ${id}`;
  await refuseViolations(updated, violations);
}

export async function markNoDefault(tx: Tx, centralId: number): Promise<void> {
  await tx.rows`update operating_areas set is_default = false where central_id = ${centralId} and is_default`;
}

export async function deleteArea(tx: Tx, centralId: number, id: number): Promise<void> {
  await refuseIfUsed(tx.rows`delete from operating_areas where central_id = ${centralId} and id = ${id}`);
}
