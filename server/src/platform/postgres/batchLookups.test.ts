import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../../test/support/database.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { batchLookups } from './batchLookups.ts';
import { openDatabase, type Tx } from './database.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 2, onError: () => undefined });
after(() => db.close());

const statements: string[][] = [];
const lookUpLength = batchLookups<{ centralId: number; word: string }, number>(async (tx, asked) => {
  const words = asked.map(({ word }) => word);
  statements.push(words);
  const rows = await tx<{ length: number }>`
    select length(1 / (word <> 'nought')::integer || word) - 1 as length
    from unnest(${words}::text[]) with ordinality as asked (word, place) order by place`;
  return rows.map((row) => row.length);
});
const lengthOf = (tx: Tx, word: string, centralId = 1) => lookUpLength(tx, { centralId, word });

test('lookups of one turn share a statement, and each gets its own answer', async () => {
  statements.length = 0;
  const words = Array.from({ length: 200 }, (_, index) => 'x'.repeat(1 + ((index * 7) % 31)));
  const lengths = await Promise.all(words.map((word) => lengthOf(db, word)));
  assert.deepEqual(
    lengths,
    words.map((word) => word.length),
  );
  assert.deepEqual(statements, [words]);
});

test('a lookup of a later turn is answered by a later statement', async () => {
  statements.length = 0;
  assert.equal(await lengthOf(db, 'one'), 3);
  assert.equal(await lengthOf(db, 'three'), 5);
  assert.deepEqual(statements, [['one'], ['three']]);
});

test('on a distributed database each statement is of one central', async () => {
  statements.length = 0;
  const distributed: Tx = Object.assign(db.unhurried, { isDistributed: true });
  const words = ['a', 'bb', 'ccc', 'dddd'];
  const lengths = await Promise.all(words.map((word, index) => lengthOf(distributed, word, 1 + (index % 2))));
  assert.deepEqual(lengths, [1, 2, 3, 4]);
  assert.deepEqual(statements, [
    ['a', 'ccc'],
    ['bb', 'dddd'],
  ]);
});

test('lookups inside a transaction stay inside it', async () => {
  statements.length = 0;
  await db.begin(async (tx) => {
    const [inside, outside] = await Promise.all([lengthOf(tx, 'inside'), lengthOf(db, 'out')]);
    assert.deepEqual([inside, outside], [6, 3]);
  });
  assert.deepEqual(statements, [['inside'], ['out']]);
});

test('a failed statement fails all lookups that it carried, and no later ones', async () => {
  const outcomes = await Promise.allSettled([lengthOf(db, 'fine'), lengthOf(db, 'nought')]);
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['rejected', 'rejected'],
  );
  assert.equal(await lengthOf(db, 'fine'), 4);
});

test('oneAtATime: lookups made during a statement are carried by the next one, also after a failure', async () => {
  const batches: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  let underWay = 0;
  const lookUpDouble = batchLookups<{ centralId: number; n: number }, number>(
    async (tx, asked) => {
      const numbers = asked.map(({ n }) => n);
      batches.push(numbers);
      underWay += 1;
      assert.equal(underWay, 1);
      try {
        const gate = Promise.withResolvers<void>();
        gates.push(gate);
        await gate.promise;
        const rows = await tx<{ double: number }>`
          select 2 * n / (n <> 13)::integer as double
          from unnest(${numbers}::integer[]) with ordinality as asked (n, place) order by place`;
        return rows.map((row) => row.double);
      } finally {
        underWay -= 1;
      }
    },
    { oneAtATime: true },
  );
  const ask = (n: number) => lookUpDouble(db, { centralId: 1, n }).catch(() => 'failed');
  const turns: Promise<unknown>[] = [];
  for (const [statement, asked] of [[1], [2, 13], [4, 5, 6]].entries()) {
    turns.push(...asked.map(ask));
    gates[statement - 1]?.resolve();
    await waitUntil('the statement is under way', () => gates.length === statement + 1);
  }
  gates.at(-1)!.resolve();
  assert.deepEqual(await Promise.all(turns), [2, 'failed', 'failed', 8, 10, 12]);
  assert.deepEqual(batches, [[1], [2, 13], [4, 5, 6]]);
});
