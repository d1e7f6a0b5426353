import { assertRoom, lockCentral } from '../../centrals/centralStore.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import type { AreaValues, NamedArea } from './area.ts';
import {
  deleteArea,
  findAreaNamed,
  findNamedArea,
  findShapesSize,
  hasAreas,
  insertArea,
  listAreaNames,
  markNoDefault,
  updateArea,
} from './areaStore.ts';

/** Adds one area of several; after the last one the caller calls assertAreasFit. */
async function insertNewArea(
  tx: Tx,
  centralId: number,
  { name, shape, isDefault = false }: AreaValues,
): Promise<number> {
  await lockCentral(tx, centralId);
  const isFirst = !(await hasAreas(tx, centralId));
  if (isDefault) await markNoDefault(tx, centralId);
  return insertArea(tx, centralId, { name, shape, isDefault: isDefault || isFirst });
}

export async function addArea(tx: Tx, centralId: number, values: AreaValues): Promise<number> {
  const id = await insertNewArea(tx, centralId, values);
  await assertAreasFit(tx, centralId);
  return id;
}

/**
 * Changes one area of several; after the last one the caller calls assertAreasFit. False when the area does not
 * exist.
 */
async function replaceArea(
  tx: Tx,
  centralId: number,
  id: number,
  { name, shape, isDefault }: AreaValues,
): Promise<boolean> {
  await lockCentral(tx, centralId);
  const area = await findNamedArea(tx, centralId, id);
  if (!area) return false;
  if (area.isDefault && isDefault === false) throw new Refusal('default-area-needed');
  if (isDefault && !area.isDefault) await markNoDefault(tx, centralId);
  await updateArea(tx, centralId, { id, name, shape, isDefault: isDefault ?? area.isDefault });
  return true;
}

/** False when the area does not exist. */
export async function changeArea(
  tx: Tx,
  centralId: number,
  id: number,
  values: AreaValues,
): Promise<boolean> {
  if (!(await replaceArea(tx, centralId, id, values))) return false;
  await assertAreasFit(tx, centralId);
  return true;
}

/** False when the area does not exist. */
export async function removeArea(tx: Tx, centralId: number, id: number): Promise<boolean> {
  await lockCentral(tx, centralId);
  const areas = await listAreaNames(tx, centralId);
  const area = areas.find((candidate) => candidate.id === id);
  if (!area) return false;
  if (area.isDefault && areas.length > 1) throw new Refusal('default-area-needed');
  await deleteArea(tx, centralId, id);
  return true;
}

/**
 * Imports areas from a file. Areas with a known name are replaced, the others are created, and areas that the file
 * does not name stay, so importing the same file again changes nothing. Returns the areas of the file.
 */
export async function importAreas(
  tx: Tx,
  centralId: number,
  all: readonly AreaValues[],
): Promise<NamedArea[]> {
  await lockCentral(tx, centralId);
  // The new default is written first, because the file may also contain the old default as an ordinary area.
  const isNewDefault = ({ isDefault }: AreaValues) => Number(isDefault === true);
  const ids = new Set<number>();
  for (const values of all.toSorted((a, b) => isNewDefault(b) - isNewDefault(a))) {
    const known = await findAreaNamed(tx, centralId, values.name);
    if (known) await replaceArea(tx, centralId, known.id, values);
    else await assertRoom(tx, centralId, 'areas');
    ids.add(known?.id ?? (await insertNewArea(tx, centralId, values)));
  }
  await assertAreasFit(tx, centralId);
  return (await listAreaNames(tx, centralId)).filter(({ id }) => ids.has(id));
}

/**
 * About 75,000 positions: the outlines of hundreds of districts. Every process keeps all areas in memory, and
 * lists and files of them are written in one piece, so their total size is bounded.
 */
const SHAPES_BYTES_MAX = 2 * 1024 * 1024;

/**
 * Called after the areas are written. The lock on the central keeps two concurrent writers from exceeding the
 * limit together.
 */
async function assertAreasFit(tx: Tx, centralId: number): Promise<void> {
  if ((await findShapesSize(tx, centralId)) > SHAPES_BYTES_MAX) throw new Refusal('areas-too-large');
}
