import type { Tx } from './queries.ts';
import { raw } from './sql.ts';

/**
 * Copies the rows of a table from one central to another, with all columns that the table has, so that a column of a
 * later migration is not forgotten. `condition` selects among them.
 */
export async function copyRows(
  tx: Tx,
  table: string,
  { from, to, condition = 'true' }: { from: number; to: number; condition?: string },
): Promise<void> {
  const row = await tx.row<{ columns: string }>`
    select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = ${table}::text::regclass and attnum > 0 and not attisdropped and attgenerated = ''
      and attname <> 'central_id'`;
  const columns = raw(row!.columns);
  await tx.rows`
    insert into ${raw(table)} (central_id, ${columns})
    select ${to}::bigint, ${columns} from ${raw(table)} where central_id = ${from} and ${raw(condition)}
    on conflict do nothing`;
}
