import type { TestContext } from 'node:test';
import type { Db } from '../../server/src/platform/postgres/database.ts';
import { runText } from './runText.ts';

/** Makes certain changes of a table fail until the test ends, as damaged rows do. */
export const failingTrigger =
  (db: Db) =>
  async (t: TestContext, when: string, condition = 'true'): Promise<void> => {
    const [, table] = / on (\w+)/.exec(when)!;
    await runText(
      db,
      `create or replace function fail_as_damaged() returns trigger language plpgsql as $$
         begin raise exception 'damaged'; end $$`,
      [],
    );
    await runText(
      db,
      `create trigger fail_as_damaged ${when} for each row when (${condition}) execute function fail_as_damaged()`,
      [],
    );
    t.after(() => runText(db, `drop trigger fail_as_damaged on ${table}`, []));
  };
