import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { testDatabase } from '../../../test/support/database.ts';
import { openDatabase, type Tx } from './database.ts';
import { isDatabaseUnavailable, violatedConstraint } from './databaseErrors.ts';

const connection = await testDatabase();
const db = openDatabase({ connection, poolSize: 4, onError: () => undefined });
after(() => db.close());

test('two transactions that wait for each other both take effect, one of them on a later attempt', async () => {
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
  // On a busy machine the second attempt may meet the other transaction once more.
  assert.ok(attempts >= 3, `${attempts} attempts`);
  assert.deepEqual(await db`select id, value from counters order by id`, [
    { id: 1, value: 2 },
    { id: 2, value: 2 },
  ]);
});

test('a connection that the server ends is reported once, and its loss while closing not at all', async () => {
  const lost: string[] = [];
  const { promise: notified, resolve: notify } = Promise.withResolvers<void>();
  const other = openDatabase({
    connection,
    poolSize: 1,
    onError: (error) => {
      lost.push(error.message);
      notify();
    },
  });
  const clients: EventEmitter[] = [];
  other.pool.on('connect', (client) => clients.push(client));
  const [session] = await other<{ pid: number }>`select pg_backend_pid() as pid`;
  await db`select pg_terminate_backend(${session?.pid})`;
  await notified;
  await setImmediate();
  assert.deepEqual(lost, ['terminating connection due to administrator command']);

  await other`select 1`;
  assert.equal(clients.length, 2);
  const closed = other.close();
  await setImmediate();
  clients[1]?.emit('error', new Error('lost while closing'));
  await closed;
  assert.equal(lost.length, 1);
});

test('a transaction whose connection is lost between statements fails with a retriable error', async () => {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();
  const other = openDatabase({ connection, poolSize: 1, onError: () => lose() });
  const ended = other.begin(async (tx) => {
    const [session] = await tx<{ pid: number }>`select pg_backend_pid() as pid`;
    await db`select pg_terminate_backend(${session?.pid})`;
    await lost;
    await tx`select 1`;
  });
  await assert.rejects(ended, isDatabaseUnavailable);
  await other.close();
});

test('a violated constraint is known by its name, whichever shard of a distributed table reports it', async () => {
  await db`create table named (id integer constraint named_not_zero check (id <> 0))`;
  const violation = await db`insert into named values (0)`.catch((error: unknown) => error);
  assert.equal(violatedConstraint(violation), 'named_not_zero');

  const ofShard = violationOf('', { constraint: 'named_not_zero_102034' });
  assert.equal(violatedConstraint(ofShard), 'named_not_zero');
  const inMessage = violationOf('duplicate key value violates unique constraint "named_unique_102035"');
  assert.equal(violatedConstraint(inMessage), 'named_unique');
  assert.equal(violatedConstraint(violationOf('', { constraint: 'named_check1' })), 'named_check1');
  assert.equal(violatedConstraint(violationOf('something else')), '');
});

test('errors other than violations name no constraint', async () => {
  const other = await db`select * from missing_table`.catch((error: unknown) => error);
  assert.equal(violatedConstraint(other), undefined);
  assert.equal(violatedConstraint(new Error('constraint "named_unique"')), undefined);
});

const violationOf = (message: string, fields: { constraint?: string } = {}): DatabaseError =>
  Object.assign(new DatabaseError(message, 0, 'error'), { code: '23505', ...fields });

test('a transaction of one statement commits by itself, and a second statement in it is refused', async () => {
  await db`create table singles (id integer primary key)`;
  await db.beginOne((tx) => tx`insert into singles values (1)`);
  const twice = db.beginOne(async (tx) => {
    await tx`insert into singles values (2)`;
    await tx`insert into singles values (3)`;
  });
  await assert.rejects(twice, /given a second one/);
  assert.deepEqual(await db`select id from singles order by id`, [{ id: 1 }, { id: 2 }]);
});

test('a refused statement costs no connection, and its locks are released when its error arrives', async () => {
  const other = openDatabase({ connection, poolSize: 2, onError: () => undefined });
  let opened = 0;
  other.pool.on('connect', () => {
    opened += 1;
  });
  await db`create table bounded (id integer primary key, value integer check (value < 100))`;
  await db`insert into bounded select n, 0 from generate_series(1, 500) n`;
  // Two connections, so that the connection that looks for the locks is not the one that held them.
  await Promise.all([other`select pg_sleep(0.1)`, other`select pg_sleep(0.1)`]);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const refused = other`update bounded set value = id`;
    const beside = other`select`;
    await assert.rejects(refused, { code: '23514' });
    const [free] = await other.begin(
      (tx) => tx`select count(*) as rows from (select from bounded for update skip locked) unlocked`,
    );
    assert.deepEqual(free, { rows: 500 });
    await beside;
  }
  assert.equal(opened, 2);
  await other.close();
});

test('a statement that failed in a transaction at its first use is used outside of one', async () => {
  const single = openDatabase({ connection, poolSize: 1, onError: () => undefined });
  try {
    const divide = (tx: Tx, by: number) => tx<{ result: number }>`select 6 / ${by}::integer as result`;
    await assert.rejects(
      single.begin((tx) => divide(tx, 0)),
      /division by zero/,
    );
    for (const by of [1, 2, 3]) assert.deepEqual(await divide(single, by), [{ result: 6 / by }]);
    assert.deepEqual(await single.begin((tx) => divide(tx, 6)), [{ result: 1 }]);
  } finally {
    await single.close();
  }
});
