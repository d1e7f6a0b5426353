import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { testDatabase } from '../../../../test/support/database.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Batch } from './batch.ts';
import { inOrder, openTransaction, type Transaction } from './transaction.ts';

const pool = new pg.Pool({ ...(await testDatabase()), max: 1 });
const client = await pool.connect();
after(async () => {
  client.release(true);
  await pool.end();
});
await client.query('create table kept (n integer primary key check (n < 100))');

/** The statements sent, one list for each message. */
const sent: string[][] = [];
const query = client.query.bind(client) as (...given: unknown[]) => unknown;
client.query = ((...given: unknown[]) => {
  const [asked] = given;
  sent.push(asked instanceof Batch ? asked.statements.map(({ text }) => text) : [String(asked)]);
  return query(...given);
}) as typeof client.query;

const INSERT = 'insert into kept (n) values ($1) returning n';
const insert = (n: unknown) => ({ name: 'insert', text: INSERT, values: [n] });
const kept = async (): Promise<number[]> => {
  const { rows } = await client.query<{ n: number }>('select n from kept order by n');
  return rows.map(({ n }) => n);
};
const connection = Object.assign(Object.create(client) as pg.PoolClient, { release: () => undefined });
const begin = (): Transaction => {
  sent.length = 0;
  return openTransaction(async () => connection, { begun: () => undefined, ended: () => undefined });
};

test('a transaction begins with its first statement, and commits with its last ones', async () => {
  const tx = begin();
  const rows = await tx.query(insert(1));
  assert.deepEqual(rows, [{ n: 1 }]);
  void tx.write(insert(2));
  void tx.write(insert(3));
  await tx.commit();
  assert.deepEqual(sent, [
    ['begin', INSERT],
    [INSERT, INSERT, 'commit'],
  ]);
  assert.deepEqual(await kept(), [1, 2, 3]);
});

test('statements of one turn are one message, and each has its own result', async () => {
  const tx = begin();
  const results = await Promise.all([
    tx.query(insert(4)),
    tx.query({ name: 'none', text: 'delete from kept where n = $1', values: [99] }),
    tx.query({ name: 'two', text: 'select n from kept where n < $1 order by n', values: [3] }),
  ]);
  assert.deepEqual(results, [[{ n: 4 }], [], [{ n: 1 }, { n: 2 }]]);
  await tx.commit();
  assert.equal(sent.length, 2);
});

test('a statement that nobody waits for and that fails keeps the commit from happening', async () => {
  const tx = begin();
  await tx.query(insert(5));
  void tx.write(insert(1));
  await assert.rejects(tx.commit(), { code: '23505' });
  await tx.rollback();
  assert.deepEqual(await kept(), [1, 2, 3, 4]);
});

test('statements after a failed one in the same message are not carried out, and can be sent again', async () => {
  const tx = begin();
  const later = { name: 'new here', text: 'insert into kept (n) values ($1)', values: [7] };
  const results = await Promise.allSettled([tx.query(insert(100)), tx.query(later)]);
  assert.deepEqual(
    results.map((result) => (result.status === 'rejected' ? result.reason.code : 'done')),
    ['23514', '23514'],
  );
  await tx.rollback();
  const again = begin();
  await again.query(later);
  await again.commit();
  assert.deepEqual(await kept(), [1, 2, 3, 4, 7]);
});

test('a value that cannot be sent fails its transaction, and the connection remains usable', async () => {
  const tx = begin();
  await assert.rejects(Promise.all([tx.query(insert(8)), tx.query(insert({ n: 1n }))]), TypeError);
  await tx.rollback();
  assert.deepEqual(await kept(), [1, 2, 3, 4, 7]);
});

test('a transaction that got no connection for what nobody waited for does not commit', async () => {
  const unreachable = openTransaction(() => Promise.reject(new Error('no connection')), {
    begun: () => undefined,
    ended: () => undefined,
  });
  void unreachable.write(insert(9));
  await setImmediate();
  await assert.rejects(unreachable.commit(), /no connection/);
  await unreachable.rollback();
});

test('a transaction without a statement sends nothing', async () => {
  const tx = begin();
  await tx.commit();
  await tx.rollback();
  assert.deepEqual(sent, []);
});

test('of several refusals that of the first statement is thrown, whichever arrives first', async () => {
  const slow = new Promise((_, reject) => setTimeout(reject, 5, new Refusal('delivery-not-found')));
  await assert.rejects(inOrder([slow, Promise.reject(new Refusal('stop-not-found'))]), {
    kind: 'delivery-not-found',
  });
  assert.deepEqual(await inOrder([Promise.resolve(1), Promise.resolve('two')]), [1, 'two']);
});
