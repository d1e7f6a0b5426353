import { lockCentral } from '../centrals/centralStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { AreaValues } from './area.ts';
import { findArea, markNoDefault, updateArea } from './areaStore.ts';

/** False when there is no such area. */
export async function changeArea(
  tx: Tx,
  centralId: number,
  id: number,
  { name, shape, isDefault }: AreaValues,
): Promise<boolean> {
  await lockCentral(tx, centralId);
  const area = await findArea(tx, centralId, id);
  if (!area) return false;
  if (area.isDefault && isDefault === false) throw new Refusal('default-area-needed');
  if (isDefault && !area.isDefault) await markNoDefault(tx, centralId);
  await updateArea(tx, centralId, { id, name, shape, isDefault: isDefault ?? area.isDefault });
  return true;
}
