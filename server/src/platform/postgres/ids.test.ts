import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import pg from 'pg';
import { testDatabase } from '../../../../test/support/database.ts';
import { openDatabase } from './database.ts';
import { allocateIds, newId } from './ids.ts';

const connection = await testDatabase();
const db = openDatabase({ connection, poolSize: 4, onError: () => undefined });
after(() => db.close());

const INT8 = 20;
let lastCentral = 0;
const nextCentral = () => (lastCentral += 1);
const first = (centralId: number) => (centralId - 1) * 10_000_000 + 1;
const upTo = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);

/** The allocator of a process, with a clock that the test moves and the sizes of the blocks it reserved. */
function newProcess(t: TestContext) {
  const getTypeParser = (oid: number) => (oid === INT8 ? Number : String);
  const pool = new pg.Pool({ ...connection, max: 1, types: { getTypeParser } as pg.CustomTypesConfig });
  t.after(() => pool.end());
  let now = 0;
  let statements = 0;
  const query = pool.query.bind(pool);
  pool.query = ((...given: Parameters<typeof query>) => {
    statements += 1;
    return query(...given);
  }) as typeof pool.query;
  return {
    ...allocateIds(pool, () => now),
    pool,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    statements: () => statements,
  };
}

const nextOf = async (centralId: number, noun: string): Promise<number | undefined> => {
  const [row] = await db<{ next: number }>`
    select next from id_counters where central_id = ${centralId} and noun = ${noun}`;
  return row?.next;
};

test('ids count from the beginning of the range of their central, for each noun by itself', async (t) => {
  nextCentral();
  const centralId = nextCentral();
  const { newIds } = newProcess(t);
  assert.deepEqual(await newIds(centralId, 'delivery', 3), upTo(10_000_001, 3));
  assert.deepEqual(await newIds(centralId, 'delivery', 2), upTo(10_000_004, 2));
  assert.deepEqual(await newIds(centralId, 'stop', 1), [10_000_001]);
  assert.deepEqual(await newIds(centralId, 'stop', 0), []);
});

test('several processes that take ids at the same time never take the same one', async (t) => {
  const centralId = nextCentral();
  const processes = upTo(1, 4).map(() => newProcess(t));
  const taken = await Promise.all(
    processes.flatMap(({ newIds }) =>
      upTo(0, 300).map(async (index) => {
        if (index % 3 === 0) await new Promise((resolve) => setTimeout(resolve, index / 10));
        return newIds(centralId, index % 2 ? 'event' : 'stop', 1 + (index % 5));
      }),
    ),
  );
  const ofNoun = (odd: number) => taken.filter((_, index) => (index % 300) % 2 === odd).flat();
  for (const ids of [ofNoun(0), ofNoun(1)]) {
    assert.ok(ids.length >= 1_800);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((id) => Number.isSafeInteger(id) && id >= first(centralId)));
  }
  for (const ids of taken)
    assert.deepEqual(
      ids,
      ids.toSorted((each, other) => each - other),
    );
});

test('parallel transactions of one process take different ids, and a rollback leaves only a gap', async () => {
  const centralId = nextCentral();
  await db`create table numbered (id bigint primary key)`;
  const insert = (fails: boolean) =>
    db.begin(async (tx) => {
      const id = await newId(tx, centralId, 'delivery');
      await tx`insert into numbered values (${id})`;
      if (fails) throw new Error('rolled back');
    });
  await Promise.allSettled(upTo(0, 60).map((index) => insert(index % 3 === 0)));
  const rows = await db<{ id: number }>`select id from numbered order by id`;
  assert.equal(rows.length, 40);
  const id = await newId(db, centralId, 'delivery');
  assert.ok(id >= first(centralId) + 60, `${id} was not taken by a transaction that was rolled back`);
});

test('a transaction gets ids while transactions hold all connections', async (t) => {
  const centralId = nextCentral();
  const small = openDatabase({ connection, poolSize: 2, onError: () => undefined });
  t.after(() => small.close());
  let begun = 0;
  const all = Promise.withResolvers<void>();
  const hold = () =>
    small.begin(async (tx) => {
      await tx`select 1`;
      begun += 1;
      if (begun === 2) all.resolve();
      await all.promise;
      return tx.newIds(centralId, 'stop', 20);
    });
  const ids = (await Promise.all([hold(), hold()])).flat();
  assert.equal(new Set(ids).size, 40);
});

test('a transaction that took ids keeps no counter locked', async (t) => {
  const centralId = nextCentral();
  const other = newProcess(t);
  await db.begin(async (tx) => {
    await tx.newIds(centralId, 'event', 5);
    assert.equal((await other.newIds(centralId, 'event', 5)).length, 5);
  });
});

test('blocks double while they last less than ten seconds, up to 1,024, and shrink when they last longer', async (t) => {
  const centralId = nextCentral();
  const { newIds, pass } = newProcess(t);
  let taken = 0;
  /** Takes ids one by one until a block is reserved; returns its size. */
  const exhaust = async (): Promise<number> => {
    const before = await nextOf(centralId, 'offer');
    for (;;) {
      await newIds(centralId, 'offer', 1);
      taken += 1;
      const next = await nextOf(centralId, 'offer');
      if (next !== before) return next! - (before ?? first(centralId));
    }
  };
  const sizes: number[] = [];
  for (let round = 0; round < 4; round += 1) {
    sizes.push(await exhaust());
    pass(9);
  }
  assert.deepEqual(sizes, [8, 16, 32, 64]);
  pass(2);
  assert.equal(await exhaust(), 32);
  assert.equal(taken, 8 + 16 + 32 + 64 + 1, 'no reserved id is left out');
  for (let round = 0; round < 10; round += 1) {
    const next = await nextOf(centralId, 'offer');
    await newIds(centralId, 'offer', 1_024);
    if (round >= 6) assert.equal((await nextOf(centralId, 'offer'))! - next!, 1_024);
  }
});

test('records that people register get ids in the order of creation across processes', async (t) => {
  const centralId = nextCentral();
  const [before, after] = [newProcess(t), newProcess(t)];
  const ids: number[] = [];
  for (const { newIds, pass } of [before, after, after, before]) {
    ids.push(...(await newIds(centralId, 'company', 1)));
    pass(10);
  }
  assert.deepEqual(ids, upTo(first(centralId), 4));
});

test('more ids than a block holds are reserved at once', async (t) => {
  const centralId = nextCentral();
  const { newIds, statements } = newProcess(t);
  await newIds(centralId, 'stop', 5);
  assert.deepEqual(await newIds(centralId, 'stop', 5_000), upTo(first(centralId) + 5, 5_000));
  assert.equal(statements(), 2);
});

test('simultaneous requests for ids share one reservation for all counters', async (t) => {
  const [first, second] = [nextCentral(), nextCentral()];
  const { newIds, statements } = newProcess(t);
  const nouns = ['delivery', 'stop', 'event'] as const;
  await Promise.all(
    [first, second].flatMap((centralId) =>
      nouns.flatMap((noun) => upTo(0, 20).map(() => newIds(centralId, noun, 2))),
    ),
  );
  assert.equal(statements(), 1);
});

test('a process that ends gives back unused ids, unless another process has reserved ids after them', async (t) => {
  const [alone, shared] = [nextCentral(), nextCentral()];
  const [leaving, staying] = [newProcess(t), newProcess(t)];
  await leaving.newIds(alone, 'offer', 3);
  await leaving.newIds(shared, 'offer', 3);
  assert.deepEqual(await staying.newIds(shared, 'offer', 1), [first(shared) + 8]);
  await leaving.giveBack();
  assert.equal(await nextOf(alone, 'offer'), first(alone) + 3);
  assert.equal(await nextOf(shared, 'offer'), first(shared) + 16);
  await staying.giveBack();
  assert.equal(await nextOf(shared, 'offer'), first(shared) + 9);
  assert.deepEqual(await newProcess(t).newIds(alone, 'offer', 2), [first(alone) + 3, first(alone) + 4]);
});

test('closing the database gives unused ids back too', async () => {
  const centralId = nextCentral();
  const closing = openDatabase({ connection, poolSize: 2, onError: () => undefined });
  await newId(closing, centralId, 'entry');
  await closing.close();
  assert.equal(await nextOf(centralId, 'entry'), first(centralId) + 1);
});

test('a process that dies leaves a gap and nothing else', async (t) => {
  const centralId = nextCentral();
  assert.deepEqual(await newProcess(t).newIds(centralId, 'delivery', 2), upTo(first(centralId), 2));
  assert.deepEqual(await newProcess(t).newIds(centralId, 'delivery', 2), upTo(first(centralId) + 8, 2));
});

test('a failed reservation fails the requests that wait for it, and the next request tries again', async (t) => {
  const centralId = nextCentral();
  const { newIds, pool } = newProcess(t);
  const kept = await newIds(centralId, 'stop', 6);
  const query = pool.query;
  pool.query = (() => Promise.reject(new Error('the database is gone'))) as typeof pool.query;
  await assert.rejects(Promise.all([newIds(centralId, 'stop', 5), newIds(centralId, 'event', 1)]), {
    message: 'the database is gone',
  });
  pool.query = query;
  assert.deepEqual([...kept, ...(await newIds(centralId, 'stop', 5))], upTo(first(centralId), 11));
  assert.deepEqual(await newIds(centralId, 'event', 1), [first(centralId)]);
});

test('the last central whose ids are safe integers has them to the end of its range', async (t) => {
  const { newIds } = newProcess(t);
  const centralId = Math.floor(Number.MAX_SAFE_INTEGER / 10_000_000);
  const [id] = await newIds(centralId, 'event', 1);
  assert.equal(id, (centralId - 1) * 10_000_000 + 1);
  assert.ok(Number.isSafeInteger(id! + 9_999_999));
});
