import { lockCentral } from '../centrals/centralStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { AreaValues } from './area.ts';
import { hasAreas, insertArea, markNoDefault } from './areaStore.ts';
import { assertAreasFit } from './assertAreasFit.ts';

/** One of several; whoever adds the last one asks assertAreasFit. */
export async function insertNewArea(
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
