import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Client, type QueryResult } from 'pg';
import { testDatabase } from '../../../../test/support/database.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { migrate } from './migrate.ts';

const database = await testDatabase();

test('a migrated database has nothing left to apply', async () => {
  assert.deepEqual((await migrate(database)).applied, []);
});

test('applies new files in the order of their names, each once', async (t) => {
  const folder = await migrations(t, {
    '9002_fill.sql': 'insert into order_a values (2)',
    '9001_make.sql': 'create table order_a (id integer)',
  });
  assert.deepEqual((await migrate(database, folder)).applied, ['9001_make.sql', '9002_fill.sql']);
  assert.deepEqual((await migrate(database, folder)).applied, []);
  assert.deepEqual(await query('select id from order_a'), [{ id: 2 }]);
});

test('processes that start together apply each file once', async (t) => {
  const folder = await migrations(t, { '9101_make.sql': 'create table together_a (id integer)' });
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(database, folder)));
  assert.deepEqual(
    runs.flatMap(({ applied }) => applied),
    ['9101_make.sql'],
  );
});

test('refuses a file that was edited after it had been applied', async (t) => {
  const folder = await migrations(t, { '9201_make.sql': 'create table edited_a (id integer)' });
  await migrate(database, folder);
  await writeFile(join(folder, '9201_make.sql'), 'create table edited_a (id bigint)');
  await assert.rejects(migrate(database, folder), { message: /9201_make\.sql was changed after/ });
});

test('an edited file is refused before any new file is applied', async (t) => {
  const folder = await migrations(t, { '9251_make.sql': 'create table untouched_a (id integer)' });
  await migrate(database, folder);
  await writeFile(join(folder, '9250_earlier.sql'), 'create table untouched_b (id integer)');
  await writeFile(join(folder, '9251_make.sql'), 'create table untouched_a (id bigint)');
  await assert.rejects(migrate(database, folder), { message: /9251_make\.sql was changed after/ });
  assert.deepEqual(await query("select to_regclass('untouched_b') as untouched_b"), [{ untouched_b: null }]);
});

for (const unreleased of ['0003_deliveries.sql', '0004_requests.sql'])
  test(`a database of a version before the first release (${unreleased}) is refused with instructions and not changed`, async (t) => {
    const connection = await testDatabase(t);
    await query(`insert into migrations (name, sha256) values ('${unreleased}', 'x')`, connection);
    await query(`delete from migrations where name = '0001_centrals.sql'`, connection);
    await assert.rejects(migrate(connection), {
      message:
        'this database was made by a version of Malote before its first release and cannot be upgraded: ' +
        'use a new, empty database (DATABASE_URL) or another data folder (MALOTE_DATA), and remove the old one',
    });
    assert.deepEqual(
      await query(`select name from migrations where name = '0001_centrals.sql'`, connection),
      [],
    );
  });

test('a file that fails leaves nothing behind, and the error names its line', async (t) => {
  const folder = await migrations(t, {
    '9301_make.sql': 'create table half_a (id integer);\ncreate table half_b (id nonsense);',
  });
  await assert.rejects(migrate(database, folder), {
    message: 'migration 9301_make.sql, line 2, failed: type "nonsense" does not exist',
  });
  assert.deepEqual(await query("select to_regclass('half_a') as half_a"), [{ half_a: null }]);
});

const WAITING = `
  select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('a migration that cannot get a lock lets other transactions pass and tries again', async (t) => {
  const folder = await migrations(t, { '9401_add.sql': 'alter table busy_a add column note text' });
  await query('create table busy_a (id integer)');
  const reader = new Client(database);
  await reader.connect();
  await reader.query('begin; select * from busy_a');
  const migrating = migrate(database, folder);
  const isWaiting = async () => (await query(WAITING)).length > 0;
  await waitUntil('it waits for the lock', isWaiting);
  await waitUntil('it has given up its first wait', async () => !(await isWaiting()));
  // Another reader of the table waits at most for one short attempt.
  assert.deepEqual(await query("set statement_timeout = '30s'; select * from busy_a"), []);
  await reader.query('commit');
  await reader.end();
  assert.deepEqual((await migrating).applied, ['9401_add.sql']);
});

test('a file without a transaction runs its statements one by one', async (t) => {
  const folder = await migrations(t, {
    '9501_make.sql': 'create table apart_a (id integer)',
    '9502_index.sql':
      '-- no transaction: an index is built beside the running service\n' +
      'drop index concurrently if exists apart_a_id;\n' +
      'create index concurrently apart_a_id on apart_a (id);\n' +
      'do $$ begin insert into apart_a values (1); commit; insert into apart_a values (2); end $$;\n',
  });
  assert.deepEqual((await migrate(database, folder)).applied, ['9501_make.sql', '9502_index.sql']);
  assert.deepEqual(await query('select id from apart_a order by id'), [{ id: 1 }, { id: 2 }]);
  assert.deepEqual(await query("select to_regclass('apart_a_id')::text as name"), [{ name: 'apart_a_id' }]);
});

test('an error in a file without a transaction names its line', async (t) => {
  const folder = await migrations(t, {
    '9601_fail.sql': '-- no transaction\n\nselect 1;\n-- why\nselect\n  nonsense;\n',
  });
  await assert.rejects(migrate(database, folder), {
    message: 'migration 9601_fail.sql, line 6, failed: column "nonsense" does not exist',
  });
});

test('refuses a file whose name has no number', async (t) => {
  const folder = await migrations(t, { 'fix.sql': 'select 1' });
  await assert.rejects(migrate(database, folder), { message: /fix\.sql must be named like/ });
});

async function migrations(t: TestContext, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-migrations-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
  return folder;
}

async function query(sql: string, connection = database): Promise<unknown[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    const results: QueryResult | QueryResult[] = await client.query(sql);
    return (Array.isArray(results) ? results.at(-1)! : results).rows;
  } finally {
    await client.end();
  }
}
