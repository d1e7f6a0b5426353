import { lockCentral } from '../centrals/centralStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import { deleteArea, listAreas } from './areaStore.ts';

/** False when there is no such area. */
export async function removeArea(tx: Tx, centralId: number, id: number): Promise<boolean> {
  await lockCentral(tx, centralId);
  const areas = await listAreas(tx, centralId);
  const area = areas.find((one) => one.id === id);
  if (!area) return false;
  if (area.isDefault && areas.length > 1) throw new Refusal('default-area-needed');
  await deleteArea(tx, centralId, id);
  return true;
}
