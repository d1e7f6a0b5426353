import type { Db } from '../../server/src/postgres/database.ts';

/** All that the reports of central 1 are read from, in an order that does not depend on how it came about. */
export async function readTotals(db: Db): Promise<string[]> {
  const rows: string[] = [];
  for (const table of ['report_days', 'report_hours', 'report_reasons'])
    for (const { text } of await db.run<{ text: string }>(
      `select t::text as text from ${table} t where central_id = 1 order by 1`,
      [],
    ))
      rows.push(`${table} ${text}`);
  return rows;
}
