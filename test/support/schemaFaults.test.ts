import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemaFaults } from './schemaFaults.ts';

const NONE = { withoutCentral: {}, uniqueWithoutCentral: {}, triggers: {}, clocks: {} };

const table = (name: string, lines: string[], comment = '-- What it holds.\n'): string =>
  `${comment}create table ${name} (\n  ${lines.join(',\n  ')}\n);\n`;
const KEY = 'constraint things_pkey PRIMARY KEY (central_id, id)';
const COLUMNS = ['central_id bigint not null', 'id bigint not null'];

const trigger = (body: string): string =>
  `CREATE OR REPLACE FUNCTION announce()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function$\nbegin\n  ${body}\n  return null;\nend $function$;\n`;

/** A schema without faults, and one change for each rule. */
const SOUND = table('things', [...COLUMNS, KEY]) + trigger(`raise notice 'malote_event %', new.central_id;`);

test('a sound schema has no faults', () => assert.deepEqual(schemaFaults(SOUND, NONE), []));

const CASES: [fault: string, schema: string][] = [
  ['table things has no comment', table('things', [...COLUMNS, KEY], '')],
  [
    'table things has no central_id',
    table('things', ['id bigint not null', 'constraint things_pkey PRIMARY KEY (id)']),
  ],
  [
    'things_pkey is unique without central_id',
    table('things', [...COLUMNS, 'constraint things_pkey PRIMARY KEY (id)']),
  ],
  [
    'things_id_unique is unique without central_id',
    table('things', [...COLUMNS, KEY, 'constraint things_id_unique UNIQUE (id)']),
  ],
  [
    'things_token is unique without central_id',
    `${table('things', [...COLUMNS, KEY])}CREATE UNIQUE INDEX things_token ON things USING btree (id) WHERE (central_id > 0);\n`,
  ],
  ...['things_check', 'things_check3', 'things_id_check', 'things_central_id_id_fkey', 'things_id_key'].map(
    (name): [string, string] => [
      `constraint ${name} of things has no name that says its rule`,
      table('things', [...COLUMNS, KEY, `constraint ${name} CHECK ((id > 0))`]),
    ],
  ),
  [
    `things_${'x'.repeat(50)} is longer than 50 characters`,
    table('things', [...COLUMNS, KEY, `constraint things_${'x'.repeat(50)} CHECK ((id > 0))`]),
  ],
  ...[`perform pg_notify('a', 'b');`, `new.id = nextval('ids');`, `new.id = next_id(1, 'thing');`].map(
    (body): [string, string] => ['trigger function announce notifies or uses a sequence', trigger(body)],
  ),
  ["trigger function announce reads the database's clock", trigger('new.at = now();')],
];

for (const [fault, schema] of CASES)
  test(`refuses: ${fault}${schema.includes('FUNCTION') ? ` (${schema.split('\n')[5]!.trim()})` : ''}`, () =>
    assert.deepEqual(schemaFaults(schema, NONE), [fault]));

test('a listed exception is allowed, and an unused exception is refused', () => {
  const schema = table('settings', ['id bigint not null', 'constraint settings_pkey PRIMARY KEY (id)']);
  const exceptions = { ...NONE, withoutCentral: { settings: 'of the whole installation' } };
  assert.deepEqual(schemaFaults(schema, exceptions), []);
  assert.deepEqual(schemaFaults(SOUND, exceptions), ['settings needs no exception']);
});
