import { lockCentral } from '../centrals/centralStore.ts';
import { assertRoom } from '../centrals/recordLimitStore.ts';
import type { Tx } from '../postgres/database.ts';
import { insertNewArea } from './addArea.ts';
import type { AreaValues, OperatingArea } from './area.ts';
import { findAreaNamed, listAreas } from './areaStore.ts';
import { assertAreasFit } from './assertAreasFit.ts';
import { replaceArea } from './changeArea.ts';

/**
 * Takes areas over from a file: those whose name is known are replaced, the others are new, and what the file
 * does not name stays. So the same file a second time changes nothing. Answers with the areas of the file.
 */
export async function importAreas(
  tx: Tx,
  centralId: number,
  all: readonly AreaValues[],
): Promise<OperatingArea[]> {
  await lockCentral(tx, centralId);
  // The new default first: the file may also hold the old one, as no longer that.
  const isNewDefault = ({ isDefault }: AreaValues) => Number(isDefault === true);
  const ids = new Set<number>();
  for (const values of all.toSorted((a, b) => isNewDefault(b) - isNewDefault(a))) {
    const known = await findAreaNamed(tx, centralId, values.name);
    if (known) await replaceArea(tx, centralId, known.id, values);
    else await assertRoom(tx, centralId, 'areas');
    ids.add(known?.id ?? (await insertNewArea(tx, centralId, values)));
  }
  await assertAreasFit(tx, centralId);
  return (await listAreas(tx, centralId)).filter(({ id }) => ids.has(id));
}
