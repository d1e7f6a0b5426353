import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { requestTurns } from './requestTurns.ts';

test('requests that arrive together begin in their order, a few per turn once ten milliseconds are used up', async () => {
  let time = 0;
  const begun: number[] = [];
  const inTurn = requestTurns(() => time);
  for (let number = 0; number < 30; number += 1)
    inTurn(() => {
      begun.push(number);
      time += 1;
    });
  assert.equal(begun.length, 10);
  await nextTurn();
  assert.equal(begun.length, 22);
  inTurn(() => begun.push(30));
  assert.equal(begun.length, 22, 'a newcomer does not overtake those that wait');
  await nextTurn();
  assert.deepEqual(begun, [...Array(31).keys()]);
});

test('a request that comes alone begins at once, however late', async () => {
  let time = 0;
  let begun = 0;
  const inTurn = requestTurns(() => time);
  for (; time < 100_000; time += 10_000) {
    inTurn(() => {
      begun += 1;
    });
    await nextTurn();
  }
  assert.equal(begun, 10);
});

test('a request that throws at its beginning does not prevent the others from beginning', async () => {
  const inTurn = requestTurns(() => 0);
  let begun = 0;
  assert.throws(() =>
    inTurn(() => {
      throw new Error('broken');
    }),
  );
  inTurn(() => {
    begun += 1;
  });
  assert.equal(begun, 1);
});
