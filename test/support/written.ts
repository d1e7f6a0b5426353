import type { Database } from '../../server/src/postgres/database.ts';

/**
 * A mark of each table, which is equal before and after if nothing was written meanwhile: how many rows there are, and
 * the sum of the transactions that wrote them. A row that is changed is from then on a later transaction's. Comparing
 * what the rows hold takes many times as long, and some tests ask after each of hundreds of requests.
 */
export async function marksOf(db: Database, tables: readonly string[]): Promise<Record<string, string>> {
  const marks = await db.run<{ name: string; rows: number; written: string | null }>(
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
