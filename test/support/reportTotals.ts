import type { Db } from '../../server/src/platform/postgres/database.ts';
import { runText } from './runText.ts';

/** All rows from which the reports of central 1 are read, in an order independent of how they were written. */
export async function readTotals(db: Db): Promise<string[]> {
  const rows: string[] = [];
  for (const table of ['report_days', 'report_hours', 'report_reasons'])
    for (const { text } of await runText<{ text: string }>(
      db,
      `select t::text as text from ${table} t where central_id = 1 order by 1`,
      [],
    ))
      rows.push(`${table} ${text}`);
  return rows;
}
