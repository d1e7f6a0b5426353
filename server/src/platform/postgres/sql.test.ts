import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changes, named, names, prepare, raw, type Sql, sql, values } from './sql.ts';

const prepared = (piece: Sql) => prepare(piece.literals, piece.values);

test('values become parameters, numbered through nested pieces', () => {
  const own = sql`central_id = ${1} and id = ${2}`;
  const { text, values: given } = prepared(
    sql`update deliveries set ${changes({ status: 'x', note: null })} where ${own} and ${own}`,
  );
  assert.equal(
    text,
    'update deliveries set status = $1, note = $2 where central_id = $3 and id = $4 and central_id = $5 and id = $6',
  );
  assert.deepEqual(given, ['x', null, 1, 2, 1, 2]);
});

test('a value is never text', () => {
  const { text, values: given } = prepared(sql`select ${"'; drop table deliveries"}`);
  assert.deepEqual([text, given], ['select $1', ["'; drop table deliveries"]]);
});

test('a row gives its columns and values in one order, and a value may be a piece', () => {
  const row = { central_id: 1, at: sql`greatest(${2}, ${3})`, id: 4 };
  const { text, values: given } = prepared(sql`insert into stops (${names(row)}) values (${values(row)})`);
  assert.equal(text, 'insert into stops (central_id, at, id) values ($1, greatest($2, $3), $4)');
  assert.deepEqual(given, [1, 2, 3, 4]);
});

test('a statement is named by its text, however it is put together', () => {
  const find = (order: 'asc' | 'desc', id: number) =>
    prepared(sql`select from stops where id = ${id} order by id ${raw(order)}`).name;
  assert.equal(find('asc', 1), find('asc', 2));
  assert.notEqual(find('asc', 1), find('desc', 1));
  assert.equal(find('asc', 1), named('select from stops where id = $1 order by id asc').name);
});

test('a value and a piece at one place make two texts', () => {
  const select = (what: unknown) => prepared(sql`select ${what}`).text;
  assert.deepEqual([select(1), select(raw('now()')), select(2)], ['select $1', 'select now()', 'select $1']);
});

test('a piece that ends where another one begins makes a text of its own', () => {
  const select = (first: unknown, second: unknown) => prepared(sql`select ${first}, ${second}`).text;
  const deep = sql`${sql`(${1})`}`;
  assert.deepEqual(
    [select(deep, 1), select(1, deep), select(deep, deep)],
    ['select ($1), $2', 'select $1, ($2)', 'select ($1), ($2)'],
  );
});
