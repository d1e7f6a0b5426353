import { betweenPieces } from '../kernel/inSlices.ts';
import { ChangedMeanwhile } from '../kernel/retryOnConflict.ts';
import { isOvertaken } from './databaseErrors.ts';

/** More rows in one statement would take long to write as JSON in one go, and save nothing. */
const ROWS_MAX = 50;

/**
 * Inserts many rows by statements with some of them each, and yields in between. Throws ChangedMeanwhile if a row that
 * they refer to was deleted since it was read, or a key was taken.
 */
export async function insertInParts<Row, Result>(
  rows: readonly Row[],
  insert: (part: readonly Row[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < rows.length; start += ROWS_MAX) {
    await betweenPieces();
    try {
      results.push(...(await insert(rows.slice(start, start + ROWS_MAX))));
    } catch (error) {
      throw isOvertaken(error) ? new ChangedMeanwhile() : error;
    }
  }
  return results;
}
