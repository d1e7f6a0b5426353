import { lockCentral } from '../centrals/centralStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { AreaValues } from './area.ts';
import { findArea, markNoDefault, updateArea } from './areaStore.ts';
import { assertAreasFit } from './assertAreasFit.ts';

/** One of several; whoever changes the last one asks assertAreasFit. False when there is no such area. */
export async function replaceArea(
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

/** False when there is no such area. */
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
