import { lockCentral } from '../centrals/centralStore.ts';
import type { Tx } from '../postgres/database.ts';
import type { AreaValues } from './area.ts';
import { hasAreas, insertArea, markNoDefault } from './areaStore.ts';

export async function addArea(
  tx: Tx,
  centralId: number,
  { name, shape, isDefault = false }: AreaValues,
): Promise<number> {
  await lockCentral(tx, centralId);
  const isFirst = !(await hasAreas(tx, centralId));
  if (isDefault) await markNoDefault(tx, centralId);
  return insertArea(tx, centralId, { name, shape, isDefault: isDefault || isFirst });
}
