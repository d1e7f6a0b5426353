import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atNode, centralOf } from './nodes.ts';

const statements: [text: string, values: unknown[], central: number | undefined][] = [
  ['select status from deliveries where central_id = $1 and id = $2', [7, 3], 7],
  ['select 1 from deliveries d where d.id = $1 and d.central_id = $2', [3, 7], 7],
  ['insert into claims (central_id, noun) values ($2, $1)', ['delivery', 7], 7],
  ['insert into driver_positions as before (central_id, at)\n select $1::bigint, $2', [7, null], 7],
  [
    'with new as (insert into deliveries (central_id, id)\n    values ($1, $2) returning *) select 1',
    [7, 3],
    7,
  ],
  ['update centrals set settings = $1 where id = $2', [{}, 7], undefined],
  ['select distinct central_id from claims where expires_at < $1', ['2026-01-01'], undefined],
  ['select 1 from unnest($1::bigint[]) asked (central_id) where central_id = $1', [[7, 8]], undefined],
];
for (const [text, values, central] of statements)
  test(`${text.replace(/\s+/g, ' ')} -> ${central ?? 'the coordinator'}`, () =>
    assert.equal(centralOf({ name: '', text, values }), central));

test('a node is reached as the coordinator is, by address or by URL', () => {
  const node = { host: '10.0.0.2', port: 5433 };
  assert.deepEqual(atNode({ host: 'coordinator', port: 5432, user: 'malote' }, node), {
    ...node,
    user: 'malote',
  });
  assert.deepEqual(
    atNode({ connectionString: 'postgres://malote:p%40ss@coordinator:5432/db?sslmode=require' }, node),
    { connectionString: 'postgres://malote:p%40ss@10.0.0.2:5433/db?sslmode=require' },
  );
});
