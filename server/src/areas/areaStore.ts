import type { Tx } from '../postgres/database.ts';
import type { AreaShape, OperatingArea } from './area.ts';

export async function listAreas(tx: Tx, centralId: number): Promise<OperatingArea[]> {
  return tx<{ id: number; name: string; isDefault: boolean; shape: AreaShape }>`
    select id, name, is_default as "isDefault", shape from operating_areas
    where central_id = ${centralId} order by id`;
}
