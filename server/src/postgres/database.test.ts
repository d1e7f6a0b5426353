import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { openDatabase, type Tx } from './database.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(() => db.close());

test('two transactions that wait for each other both take effect, one of them on a second attempt', async () => {
  await db`create table counters (id integer primary key, value integer not null)`;
  await db`insert into counters values (1, 0), (2, 0)`;
  const raise = (tx: Tx, id: number) => tx`update counters set value = value + 1 where id = ${id}`;
  let arrived = 0;
  let attempts = 0;
  let bothArrived = () => {};
  const both = new Promise<void>((resolve) => {
    bothArrived = resolve;
  });
  const crossing = (first: number, second: number) =>
    db.begin(async (tx) => {
      attempts += 1;
      await raise(tx, first);
      arrived += 1;
      if (arrived >= 2) bothArrived();
      await both;
      await raise(tx, second);
    });
  await Promise.all([crossing(1, 2), crossing(2, 1)]);
  assert.equal(attempts, 3);
  assert.deepEqual(await db`select id, value from counters order by id`, [
    { id: 1, value: 2 },
    { id: 2, value: 2 },
  ]);
});
