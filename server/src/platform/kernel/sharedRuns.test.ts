import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedRuns } from './sharedRuns.ts';

/** Runs that end when the test says so; each returns the value at its beginning. */
function slowReader() {
  const ends: PromiseWithResolvers<void>[] = [];
  const source = { value: 0 };
  const read = async (): Promise<number> => {
    const { value } = source;
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return value;
  };
  return { source, ends, read };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('a call never gets a result of a run that began before it, and all that wait share the next run', async () => {
  const { source, ends, read } = slowReader();
  const share = sharedRuns<number>();
  const first = share('a', read);
  source.value = 1;
  const later = [share('a', read), share('a', read), share('a', read)];
  await nextTurn();
  assert.equal(ends.length, 1);
  ends[0]!.resolve();
  assert.equal(await first, 0);
  await nextTurn();
  assert.equal(ends.length, 2);
  source.value = 2;
  const last = share('a', read);
  ends[1]!.resolve();
  assert.deepEqual(await Promise.all(later), [1, 1, 1]);
  await nextTurn();
  ends[2]!.resolve();
  assert.equal(await last, 2);
});

test('other keys have runs of their own at the same time', async () => {
  const { ends, read } = slowReader();
  const share = sharedRuns<number>();
  const both = [share('a', read), share('b', read)];
  assert.equal(ends.length, 2);
  for (const end of ends) end.resolve();
  await Promise.all(both);
});

test('the next run is made by the work of the newest call', async () => {
  const { ends, read } = slowReader();
  const share = sharedRuns<number>();
  const first = share('a', read);
  const older = share('a', async () => 1);
  const newest = share('a', async () => 2);
  ends[0]!.resolve();
  assert.deepEqual(await Promise.all([first, older, newest]), [0, 2, 2]);
});

test('a run that fails fails those who share it, and the next one runs', async () => {
  const share = sharedRuns<number>();
  const failing = share('a', async () => {
    throw new Error('out of reach');
  });
  const next = share('a', async () => 3);
  await assert.rejects(failing, /out of reach/);
  assert.equal(await next, 3);
  assert.equal(await share('a', async () => 4), 4);
});
