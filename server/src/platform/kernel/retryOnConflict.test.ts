import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangedMeanwhile, retryOnConflict } from './retryOnConflict.ts';

/** Fails with a conflict so often, and lists the attempts before which it paused. */
async function conflicts(count: number) {
  const pauses: number[] = [];
  let left = count;
  const result = await retryOnConflict(
    async () => {
      left -= 1;
      if (left >= 0) throw new ChangedMeanwhile();
      return 'done';
    },
    async (attempt) => void pauses.push(attempt),
  ).catch((error: Error) => error.message);
  return { result, pauses };
}

test('work that meets a change is run again after a pause', async () => {
  assert.deepEqual(await conflicts(0), { result: 'done', pauses: [] });
  assert.deepEqual(await conflicts(3), { result: 'done', pauses: [2, 3, 4] });
});

test('work that always meets a change is refused in the end', async () => {
  const { result, pauses } = await conflicts(100);
  assert.equal(result, 'unavailable');
  assert.equal(pauses.length, 19);
});

test('other failures are not repeated', async () => {
  let runs = 0;
  const failing = retryOnConflict(async () => {
    runs += 1;
    throw new Error('another failure');
  });
  await assert.rejects(failing, /another failure/);
  assert.equal(runs, 1);
});
