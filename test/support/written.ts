import type { Database } from '../../server/src/platform/postgres/database.ts';
import { runText } from './runText.ts';

/**
 * A mark of each table, which stays equal while nothing is written: the number of rows and the sum of the transaction
 * ids that wrote them. A change gives a row a later transaction id. Comparing the contents takes many times as long,
 * and some tests compare after each of hundreds of requests.
 */
export async function marksOf(db: Database, tables: readonly string[]): Promise<Record<string, string>> {
  const marks = await runText<{ name: string; rows: number; written: string | null }>(
    db,
    tables
      .map(
        (name) =>
          `select '${name}' as name, count(*) as rows, sum(xmin::text::bigint)::text as written from ${name}`,
      )
      .join(' union all '),
    [],
  );
  return Object.fromEntries(
    marks.map(({ name, rows, written }) => [name, `${rows} rows, written by ${written}`]),
  );
}
