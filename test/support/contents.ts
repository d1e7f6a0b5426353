import assert from 'node:assert/strict';
import type { Database } from '../../server/src/postgres/database.ts';

/** What every table holds, as a digest for each: equal before and after means that nothing was written. */
async function contentsOf(db: Database): Promise<Record<string, string>> {
  const tables = await db<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const [row] = await db.run<{ rows: number; digest: string | null }>(
      `select count(*) as rows, md5(string_agg(t::text, ',' order by t::text)) as digest from "${name}" t`,
      [],
    );
    contents[name] = `${row!.rows} rows, ${row!.digest}`;
  }
  return contents;
}

export async function assertNothingWritten(db: Database, work: () => Promise<unknown>): Promise<void> {
  const before = await contentsOf(db);
  await work();
  assert.deepEqual(await contentsOf(db), before);
}
