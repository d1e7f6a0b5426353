import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../../../../test/support/database.ts';
import { type Statement, send } from './batch.ts';

const client = new pg.Client(await testDatabase());
await client.connect();
after(() => client.end());
await client.query('create table items (id integer primary key, note text)');

/** What the server answers, by the name that pg's connection gives it. */
const heard: string[] = [];
client.connection.on('message', ({ name }: { name: string }) => heard.push(name));

const statement = (text: string, ...values: unknown[]): Statement => ({ name: text, text, values });
const listItems = statement('select id, note from items order by id');

test('a statement is described at its first use on a connection only', async () => {
  await send(client, [statement('insert into items values ($1, $2)', 1, "it's")]);
  const first = await send(client, [listItems]);
  heard.length = 0;
  assert.deepEqual(await send(client, [listItems]), first);
  assert.deepEqual(first, [{ tag: 'SELECT 1', rows: [{ id: 1, note: "it's" }] }]);
  assert.deepEqual(heard, ['bindComplete', 'dataRow', 'commandComplete', 'readyForQuery']);
});

test('a statement occurs several times in a message, also at its first use', async () => {
  const insert = (id: number) => statement('insert into items values ($1) returning id, note', id);
  const results = await send(client, [insert(2), insert(3)]);
  assert.deepEqual(
    results.map(({ rows }) => rows),
    [[{ id: 2, note: null }], [{ id: 3, note: null }]],
  );
});

test('a connection whose prepared statements are gone fails once', async () => {
  await send(client, [listItems]);
  await client.query('deallocate all');
  await assert.rejects(send(client, [listItems]), { code: '26000' });
  const [items] = await send(client, [listItems]);
  assert.equal(items!.rows.length, 3);
});

test('a statement whose columns have changed fails once', async () => {
  const all = statement('select * from items where id = $1', 1);
  await send(client, [all]);
  await client.query('alter table items add column added text');
  await assert.rejects(send(client, [all]), { code: '0A000' });
  assert.deepEqual((await send(client, [all]))[0]!.rows, [{ id: 1, note: "it's", added: null }]);
});

test('a value that cannot be read fails its message, and the connection remains usable', async () => {
  const large = statement('select 9007199254740993::bigint as n from items');
  await assert.rejects(send(client, [large, listItems]), RangeError);
  assert.equal((await send(client, [listItems]))[0]!.rows.length, 3);
});
