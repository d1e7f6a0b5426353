import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BASELINE_LAST,
  MIGRATION_RULES,
  type MigrationRule,
  migrationFaults,
} from '../scripts/migrationRules.ts';
import { sqlStatements } from '../server/src/platform/postgres/sqlStatements.ts';

const BASELINE = {
  name: '0004_deliveries.sql',
  sql: 'create table deliveries (id bigint not null, note text);',
};

const brokenBy = (...files: string[]): string[] =>
  migrationFaults([
    BASELINE,
    ...files.map((sql, index) => ({ name: `10${String(index).padStart(2, '0')}_change.sql`, sql })),
  ]).map((fault) => /^\S+ ([\w-]+):/.exec(fault)?.[1] ?? fault);

/** For each rule, statements that break it and similar ones that do not. */
const CASES: Record<MigrationRule, { refused: string[]; allowed: string[] }> = {
  'drop-or-rename': {
    refused: [
      'alter table deliveries drop column note',
      'alter table deliveries drop note',
      'DROP TABLE deliveries',
      'alter table deliveries rename column note to remark',
      'alter table deliveries rename to orders',
      'drop function next_id',
    ],
    allowed: [
      'alter table deliveries drop constraint deliveries_note_given',
      'alter table deliveries alter column note drop default',
      "comment on column deliveries.note is 'do not drop column, rename to nothing'",
    ],
  },
  'set-not-null': {
    refused: ['alter table deliveries alter column note set not null'],
    allowed: ['create table fresh (id bigint); alter table fresh alter column id set not null'],
  },
  'type-change': {
    refused: [
      'alter table deliveries alter column note type varchar(10)',
      'alter table deliveries alter note set data type integer using 0',
    ],
    allowed: ['create table fresh (id bigint); alter table fresh alter column id type integer'],
  },
  'index-not-concurrent': {
    refused: [
      'create index deliveries_note on deliveries (note)',
      'create unique index deliveries_note on deliveries (note) where note is not null',
      'drop index deliveries_note',
    ],
    allowed: [
      '-- no transaction\ncreate index concurrently deliveries_note on deliveries (note)',
      'create table fresh (id bigint); create index fresh_id on fresh (id)',
      'create table fresh (id bigint); create unique index on fresh (id)',
    ],
  },
  'scanning-constraint': {
    refused: [
      "alter table deliveries add constraint deliveries_note_given check (note <> '')",
      'alter table deliveries add constraint deliveries_self_fkey foreign key (id) references deliveries (id)',
      'alter table deliveries add column other bigint references deliveries',
    ],
    allowed: ["alter table deliveries add constraint deliveries_note_given check (note <> '') not valid"],
  },
  'validated-at-once': {
    refused: [
      `alter table deliveries add constraint deliveries_note_given check (note <> '') not valid;
       alter table deliveries validate constraint deliveries_note_given`,
    ],
    allowed: ['alter table deliveries validate constraint deliveries_note_given'],
  },
  'unique-without-index': {
    refused: ['alter table deliveries add constraint deliveries_note_unique unique (note)'],
    allowed: [
      'alter table deliveries add constraint deliveries_note_unique unique using index deliveries_note',
    ],
  },
  'required-column': {
    refused: ['alter table deliveries add column weight integer not null'],
    allowed: [
      'alter table deliveries add column weight integer not null default 0',
      'alter table deliveries add column weight integer',
    ],
  },
  'volatile-default': {
    refused: [
      'alter table deliveries add column uid uuid default gen_random_uuid()',
      'alter table deliveries add column number bigserial',
      'alter table deliveries add column loud text generated always as (upper(note)) stored',
    ],
    allowed: [
      'alter table deliveries add column seen_at timestamptz default now()',
      "alter table deliveries add column kind text not null default 'plain'",
      'alter table deliveries alter column note set default gen_random_uuid()',
    ],
  },
  'several-subcommands': {
    refused: ['alter table deliveries add column a integer, add column b integer'],
    allowed: [
      'alter table deliveries add column price numeric(10, 2)',
      'alter table deliveries add constraint deliveries_self_fkey foreign key (id, note) references deliveries (id, note) not valid',
    ],
  },
  'function-after-change': {
    refused: [
      `alter index some_words set (fastupdate = on);
       create function f() returns bigint language sql as $$ select 1 $$`,
      `alter table deliveries add column extra text;
       create or replace function f() returns bigint language sql as $$ select 1 $$`,
    ],
    allowed: [
      `create function f() returns bigint language sql as $$ select 1 $$;
       alter index some_words set (fastupdate = on)`,
      `-- no transaction
       alter index some_words set (fastupdate = on);
       create function f() returns bigint language sql as $$ select 1 $$`,
    ],
  },
  'rewrites-table': {
    refused: ['truncate deliveries', 'alter table deliveries set unlogged', 'lock table deliveries'],
    allowed: ['alter table deliveries set (fillfactor = 90)'],
  },
  'one-step-backfill': {
    refused: [
      "update deliveries set note = '' where note is null",
      'delete from deliveries',
      'with gone as (delete from deliveries returning *) select count(*) from gone',
    ],
    allowed: [
      `-- no transaction
       do $$ begin loop
         update deliveries set note = '' where id in (select id from deliveries where note is null limit 1000);
         exit when not found; commit;
       end loop; end $$`,
      'create table fresh (id bigint); update fresh set id = 1',
    ],
  },
  'trigger-notifies': {
    refused: [
      `create function f() returns trigger language plpgsql as $$ begin perform pg_notify('a', 'b'); return null; end $$`,
      `create or replace function f() returns trigger language plpgsql as $$ begin new.id = nextval('s'); return new; end $$`,
      `create function f() returns trigger language plpgsql as 'begin perform pg_notify(''a'', ''b''); return null; end'`,
    ],
    allowed: [
      `create function f() returns trigger language plpgsql as $$ begin raise notice 'malote_event 1'; return null; end $$`,
      `create function f() returns bigint language sql as $$ select nextval('s') $$`,
    ],
  },
};

for (const [rule, { refused, allowed }] of Object.entries(CASES)) {
  for (const sql of refused)
    test(`${rule} refuses: ${sql.replace(/\s+/g, ' ')}`, () => assert.deepEqual(brokenBy(sql), [rule]));
  for (const sql of allowed)
    test(`${rule} allows: ${sql.replace(/\s+/g, ' ')}`, () => assert.ok(!brokenBy(sql).includes(rule)));
}

test('every rule has statements that it refuses', () => {
  assert.deepEqual(Object.keys(CASES), Object.keys(MIGRATION_RULES));
});

test('a column may become not null once earlier files have validated that it is', () => {
  const added =
    'alter table deliveries add constraint deliveries_note_set check (note is not null) not valid';
  const validated = 'alter table deliveries validate constraint deliveries_note_set';
  const set = 'alter table deliveries alter column note set not null';
  assert.deepEqual(brokenBy(added, validated, set), []);
  assert.deepEqual(brokenBy(added, set), ['set-not-null']);
  assert.deepEqual(brokenBy(added.replace('note is', 'id is'), validated, set), ['set-not-null']);
});

test('an exemption with a reason allows the statement that follows it, and no other', () => {
  const drop = 'alter table deliveries drop column note;';
  const exemption = '-- exempt drop-or-rename: no released version reads it\n';
  assert.deepEqual(brokenBy(exemption + drop), []);
  assert.deepEqual(brokenBy(`${exemption}${drop}\n${drop}`), ['drop-or-rename']);
  assert.deepEqual(brokenBy(`-- exempt type-change: no released version reads it\n${drop}`).length, 2);
});

test('an exemption without a reason, or one that nothing needs, is refused', () => {
  const [without] = migrationFaults([
    BASELINE,
    {
      name: '1000_change.sql',
      sql: '-- exempt drop-or-rename: why not\nalter table deliveries drop column note',
    },
  ]);
  assert.equal(without, '1000_change.sql:2: the exemption from drop-or-rename gives no reason');
  const [needless] = migrationFaults([
    BASELINE,
    { name: '1000_change.sql', sql: '-- exempt type-change: because I can do it\nselect 1' },
  ]);
  assert.equal(needless, '1000_change.sql:2: it needs no exemption from type-change');
});

test('the schema of the first release is not checked, everything after it is', () => {
  const sql = 'create table a (id bigint); alter table b drop column c';
  assert.deepEqual(migrationFaults([{ name: BASELINE_LAST, sql }]), []);
  assert.equal(migrationFaults([{ name: '0018_next.sql', sql }]).length, 1);
});

test('statements are split at semicolons outside of quotes, functions and comments', () => {
  const sql = `-- first; not a statement
select ';', "a;b" /* ; */;
-- second
create function f() returns text language sql as $body$ select ';' $body$;`;
  assert.deepEqual(sqlStatements(sql), [
    { text: `select ';', "a;b"`, comments: ['first; not a statement'], line: 2 },
    {
      text: `create function f() returns text language sql as $body$ select ';' $body$`,
      comments: ['second'],
      line: 4,
    },
  ]);
});
