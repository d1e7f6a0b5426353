import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  centralFaults,
  citusFaults,
  ownerFaults,
  type SqlException,
  tablesOfCentrals,
} from './support/sqlFaults.ts';

const folder = mkdtempSync(join(tmpdir(), 'malote-sql-'));
after(() => rmSync(folder, { recursive: true }));

const TABLES = tablesOfCentrals(`
create table deliveries (
  central_id bigint not null,
  id bigint not null
);
create table stops (
  central_id bigint not null
);
create table centrals (
  id bigint not null
);`);

/** Sources are quoted here, where a real placeholder would look like a mistake. */
const withPlaceholders = (source: string): string => source.replaceAll('%{', '$' + '{');

/** The faults in the SQL of a file with this source. */
function faultsOf(source: string, exceptions: SqlException[] = []): string[] {
  const file = join(folder, 'someStore.ts');
  writeFileSync(file, withPlaceholders(source));
  return centralFaults(folder, [{ file, room: 'some' }], TABLES, exceptions);
}

test('tables of centrals are those with a central', () => {
  assert.deepEqual(TABLES, ['deliveries', 'stops']);
});

const RIGHT = {
  'a parameter in a tagged template':
    'tx`select 1 from deliveries where central_id = %{centralId} and id = %{id}`',
  'a numbered parameter for each table':
    'run(`select 1 from deliveries d join stops s on s.central_id = $1 where d.central_id = $1`)',
  'a condition in a constant of the same file':
    "const OF_CENTRAL = 'central_id = $1';\nrun(`select 1 from stops where %{OF_CENTRAL}`)",
  'a condition in a constant that is defined later':
    'run(`select 1 from stops where %{OF_CENTRAL}`);\nconst OF_CENTRAL = `central_id = $1`;',
  'a table expression with the name of a table':
    'run(`with stops as (select 1 from deliveries where central_id = $1) select 1 from stops`)',
  'a table without central': 'tx`select id from centrals where active`',
};
for (const [what, source] of Object.entries(RIGHT))
  test(`a statement is right with ${what}`, () => assert.deepEqual(faultsOf(source), []));

const WRONG = {
  'no central': 'tx`select 1 from deliveries where id = %{id}`',
  'a central for one table only':
    'tx`select 1 from deliveries d join stops s on s.id = d.id where d.central_id = %{centralId}`',
  'tables that are tied to one another':
    'run(`select 1 from deliveries d join stops s on s.central_id = d.central_id where d.central_id = $1 and s.central_id = $1`)',
  'the central of a row that is given by an expression':
    'const f = (row) => `(select 1 from stops where central_id = %{row}.central_id)`',
  'an update without central': 'tx`update deliveries set id = %{id}`',
  'a delete by a pair of columns':
    'tx`delete from stops where (central_id, id) in (select central_id, id from stops limit 1)`',
  'a table that is chosen at run time': 'run(`select 1 from %{table} where id = $1`)',
  'a constant that holds the statement': 'const FIND = `select 1 from stops`;\nrun(FIND)',
};
for (const [what, source] of Object.entries(WRONG))
  test(`a statement is wrong with ${what}`, () => assert.equal(faultsOf(source).length, 1));

test('an exception covers one statement, and must be needed', () => {
  const exception = { file: 'someStore.ts', begins: 'select 1 from deliveries', why: 'a test' };
  const wrong = 'tx`select 1 from deliveries`';
  assert.deepEqual(faultsOf(wrong, [exception]), []);
  assert.match(faultsOf('', [exception])[0]!, /no exception is needed/);
  assert.equal(faultsOf('tx`select 2 from deliveries`', [exception]).length, 2);
});

test('an insert with a subquery among its values is reported, insert … select is not', () => {
  const file = join(folder, 'someStore.ts');
  const faults = (source: string): number => {
    writeFileSync(file, withPlaceholders(source));
    return citusFaults(folder, [{ file, room: 'some' }]).length;
  };
  const below = '(select max(id) from deliveries where central_id = $1)';
  assert.equal(faults(`run(\`insert into stops (central_id, id) values ($1, coalesce(${below}, 0))\`)`), 1);
  assert.equal(faults(`run(\`insert into stops (central_id, id) select $1, id from ${below} d (id)\`)`), 0);
  const expression = 'with s as (insert into stops (central_id) values ($1) returning id)';
  assert.equal(faults(`run(\`${expression} select id from s where id > ${below}\`)`), 0);
});

const REFUSED_BY_CITUS = {
  'an update that adds an interval to a column':
    "tx`update deliveries set due_at = made_at + interval '1 minute' where central_id = %{centralId}`",
  'an update that takes an interval from a column with a name before it':
    'run(`update deliveries d set due_at = greatest(d.made_at, $2) , seen_at = d.made_at - make_interval(secs => $2) where d.central_id = $1`)',
  'an insert that selects a moved moment and returns something':
    "run(`insert into stops (central_id, at) select 1, s.at + interval '1 day' from stops s where s.central_id = $1 returning id`)",
  'an insert that selects the present and returns something':
    'run(`with made as (insert into stops (central_id, at) select 1, now() from stops s where s.central_id = $1 returning id) select 1 from made`)',
};
const TAKEN_BY_CITUS = {
  'an update that adds an interval to a parameter':
    "tx`update deliveries set due_at = %{now}::timestamptz + interval '1 minute' where central_id = %{centralId}`",
  'an update that adds an interval to the present':
    "tx`update deliveries set due_at = now() - interval '1 minute' where central_id = %{centralId}`",
  'an update with an interval in a subquery':
    "run(`update deliveries set due_at = (select max(at) + interval '1 minute' from stops where central_id = $1) where central_id = $1`)",
  'an update with an interval in its condition':
    "run(`update deliveries set id = 1 where central_id = $1 and made_at + interval '1 minute' < $2`)",
  'an insert whose table has a name':
    'run(`insert into stops as made (central_id, at) select 1, now() from stops s where s.central_id = $1 returning made.id`)',
  'an insert that returns nothing':
    'run(`insert into stops (central_id, at) select 1, now() from stops s where s.central_id = $1`)',
};
function citusFaultsOf(source: string): string[] {
  const file = join(folder, 'someStore.ts');
  writeFileSync(file, withPlaceholders(source));
  return citusFaults(folder, [{ file, room: 'some' }]);
}
for (const [what, source] of Object.entries(REFUSED_BY_CITUS))
  test(`${what} is reported`, () => assert.equal(citusFaultsOf(source).length, 1));
for (const [what, source] of Object.entries(TAKEN_BY_CITUS))
  test(`${what} is not reported`, () => assert.deepEqual(citusFaultsOf(source), []));

test('a table that two rooms write, or none, is reported with its writers', () => {
  const write = (room: string, source: string) => {
    const file = join(folder, `${room}Store.ts`);
    writeFileSync(file, withPlaceholders(source));
    return { file, room };
  };
  const files = [
    write('one', 'tx`insert into deliveries (central_id) values (%{centralId})`'),
    write(
      'other',
      'tx`with d as (update deliveries set id = 1 returning id) select 1 from stops for update`',
    ),
  ];
  assert.deepEqual(ownerFaults(folder, files, TABLES, {}), ['deliveries: one, other', 'stops: nobody']);
  const chosen = [write('one', 'run(`delete from %{table} where central_id = $1`)')];
  assert.deepEqual(ownerFaults(folder, chosen, TABLES, { 'oneStore.ts': TABLES }), []);
  assert.match(ownerFaults(folder, chosen, TABLES, {})[0]!, /at run time/);
});
