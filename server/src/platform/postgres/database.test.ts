import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import { after, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { testDatabase } from '../../../../test/support/database.ts';
import { faultyProxy } from '../../../../test/support/faultyProxy.ts';
import { runText } from '../../../../test/support/runText.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { openDatabase, type Tx } from './database.ts';
import { isDatabaseUnavailable, OutcomeUnknown, refuseIfUsed, violatedConstraint } from './databaseErrors.ts';
import { withinTransaction } from './queries.ts';
import { changes, names, sql, values } from './sql.ts';

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

test('a transaction that was aborted is not reported as committed, even if its work ignored the error', async () => {
  await db`create table ignored (id integer primary key check (id > 0))`;
  const ended = db.begin(async (tx) => {
    await tx`insert into ignored values (1)`;
    await tx`insert into ignored values (0)`.catch(() => undefined);
    return 'done';
  });
  await assert.rejects(ended, { code: '23514' });
  assert.deepEqual(await db`select id from ignored`, []);
});

test('a connection that is lost after the commit was sent leaves the outcome unknown', async () => {
  const proxy = await faultyProxy(connection);
  const other = openDatabase({ connection: proxy.connection, poolSize: 1, onError: () => undefined });
  await db`create table doubtful (id integer primary key)`;
  const insert = (tx: Tx, id: number) => tx`insert into doubtful values (${id})`;
  const loseAnswer = async (work: () => Promise<unknown>, id: number) => {
    await other`select 1`;
    const lost = assert.rejects(work(), OutcomeUnknown);
    await waitUntil('it is committed', async () => {
      return (await db`select from doubtful where id = ${id}`).length === 1;
    });
    proxy.reset();
    await lost;
  };
  const inTransaction = () =>
    other.begin(async (tx) => {
      await insert(tx, 1);
      proxy.dropOpen(['toClient']);
    });
  await loseAnswer(inTransaction, 1);
  const alone = () => {
    proxy.dropOpen(['toClient']);
    return insert(other, 2);
  };
  await loseAnswer(alone, 2);

  const asked = other`select pg_sleep(60)`;
  const isOutage = (error: unknown) => isDatabaseUnavailable(error) && !(error instanceof OutcomeUnknown);
  const refused = assert.rejects(asked, isOutage, 'reading changes nothing');
  await waitUntil('it is read', async () => {
    const sleeping = await db`select from pg_stat_activity where wait_event = 'PgSleep'`;
    return sleeping.length === 1;
  });
  proxy.reset();
  await refused;
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

test('a deletion is refused as in use only if a row refers to what it deletes', async () => {
  await db`create table used (id integer primary key)`;
  await db`create table users_of (used integer references used)`;
  await db`insert into used values (1), (2)`;
  await db`insert into users_of values (1)`;
  const remove = (tx: Tx, id: number) => refuseIfUsed(tx`delete from used where id = ${id}`);
  await assert.rejects(
    db.begin((tx) => remove(tx, 1)),
    { kind: 'record-in-use' },
  );
  const afterAnother = db.begin(async (tx) => {
    // As the claim of an Idempotency-Key, which travels with the first statement.
    await tx.write`insert into used values (1)`;
    await remove(tx, 2);
  });
  await assert.rejects(afterAnother, { code: '23505' });
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

test('arrays of bigint and of instants are read as numbers and instants, like single values', async () => {
  const [row] = await db<{ ids: (number | null)[]; at: Temporal.Instant[] }>`
    select array[1, null, 9007199254740991]::bigint[] as ids, array['2026-01-02 03:04:05.678+00'::timestamptz] as at`;
  assert.deepEqual(row!.ids, [1, null, Number.MAX_SAFE_INTEGER]);
  assert.deepEqual(row!.at.map(String), ['2026-01-02T03:04:05.678Z']);
  await assert.rejects(
    async () => db`select array[9007199254740992]::bigint[]`,
    /does not fit a safe integer/,
  );
});

test('statements in pieces are sent as one text with parameters, also deferred ones', async () => {
  await runText(db, 'create table pieces (id integer primary key, note text, at timestamptz)', []);
  const row = { id: 1, note: "it's", at: Temporal.Instant.from('2026-01-01T00:00:00Z') };
  const own = sql`id = ${1}`;
  const [changed] = await db.begin(async (tx) => {
    await tx`insert into pieces (${names(row)}) values (${values(row)})`;
    void tx.write`update pieces set ${changes({ at: sql`at + ${'1 hour'}::interval` })} where ${own}`;
    return tx`select * from pieces where ${own}`;
  });
  assert.deepEqual(changed, { ...row, at: Temporal.Instant.from('2026-01-01T01:00:00Z') });
});

test('columns come back in camelCase, in and outside of a transaction, and also by text', async () => {
  await runText(db, 'create table cased (central_id bigint, line_2 text, at timestamptz)', []);
  await db.write`insert into cased values (${7}, ${'b'}, null)`;
  const row = { centralId: 7, line2: 'b', at: null };
  assert.deepEqual(await db.rows`select * from cased`, [row]);
  assert.deepEqual(await runText(db, 'select * from cased where central_id = $1', [7]), [row]);
  await db.begin(async (tx) => {
    await tx.write`update cased set line_2 = 'c'`;
    assert.deepEqual(await tx.row`select * from cased`, { ...row, line2: 'c' });
    assert.equal(await tx.row`select * from cased where false`, undefined);
  });
  assert.deepEqual(await db`select * from cased`, [{ central_id: 7, line_2: 'c', at: null }]);
});

test('a statement that nobody waits for fails what comes after it', async () => {
  await runText(db, 'create table failing (id integer primary key)', []);
  let work: unknown;
  const ended = db.begin(async (tx) => {
    await tx.write`insert into failing values (1), (1)`;
    await setImmediate();
    work = await tx.rows`select 1 as one`.catch((error: unknown) => error);
  });
  await assert.rejects(ended, { code: '23505' });
  assert.equal(violatedConstraint(work), 'failing_pkey');
});

test('commands within a transaction that is open take effect together, or not at all', async () => {
  await runText(db, 'create table nested (id integer primary key)', []);
  const failed = db.begin(async (tx) => {
    const within = withinTransaction(tx);
    await within.begin((inner) => inner.write`insert into nested values (1)`);
    await within.rows`insert into nested values (1)`;
  });
  await assert.rejects(failed, { code: '23505' });
  assert.deepEqual(await db`select id from nested`, []);
});
