import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { forEachIsolated, startRounds, workPerCentral } from './rounds.ts';

const LONG_MS = 600_000;
const noError = (error: unknown) => assert.fail(String(error));

test('the first round comes after the pause, or at once where that is wanted', async () => {
  const done: string[] = [];
  const later = startRounds({ everyMs: LONG_MS, round: async () => done.push('later'), onError: noError });
  const atOnce = startRounds({
    everyMs: LONG_MS,
    round: async () => done.push('at once'),
    onError: noError,
    beginsAtOnce: true,
  });
  await sleep(20);
  assert.deepEqual(done, ['at once']);
  await Promise.all([later.stop(), atOnce.stop()]);
  assert.deepEqual(done, ['at once']);
});

test('a round that is woken while another runs follows it, and only once', async () => {
  let begun = 0;
  let gate = Promise.withResolvers<void>();
  const rounds = startRounds({
    everyMs: LONG_MS,
    beginsAtOnce: true,
    onError: noError,
    async round() {
      begun += 1;
      await gate.promise;
    },
  });
  for (let time = 1; time <= 3; time += 1) rounds.wake();
  await sleep(10);
  assert.equal(begun, 1);
  const first = gate;
  gate = Promise.withResolvers<void>();
  first.resolve();
  await sleep(10);
  assert.equal(begun, 2);
  gate.resolve();
  await sleep(10);
  assert.equal(begun, 2);
  await rounds.stop();
});

test('what arrives within the shortest pause is done by one round', async () => {
  let begun = 0;
  const rounds = startRounds({
    everyMs: LONG_MS,
    // Longer than a timer is late on a busy machine.
    pauseMsMin: 1_000,
    onError: noError,
    round: async () => {
      begun += 1;
    },
  });
  for (let time = 1; time <= 4; time += 1) {
    rounds.wake();
    await sleep(5);
  }
  while (begun === 0) await sleep(5);
  await sleep(50);
  assert.equal(begun, 1);
  await rounds.stop();
});

test('stopping ends the shortest pause', async () => {
  let begun = 0;
  const rounds = startRounds({
    everyMs: LONG_MS,
    pauseMsMin: LONG_MS,
    onError: noError,
    round: async () => {
      begun += 1;
    },
  });
  rounds.wake();
  await sleep(5);
  await rounds.stop();
  assert.equal(begun, 0);
});

test('a round that fails is reported, and the next one follows', async () => {
  const errors: unknown[] = [];
  let begun = 0;
  const rounds = startRounds({
    everyMs: () => 1,
    onError: (error) => errors.push(error),
    async round() {
      begun += 1;
      if (begun === 1) throw new Error('once');
    },
  });
  while (begun < 3) await sleep(5);
  await rounds.stop();
  assert.deepEqual(errors, [new Error('once')]);
});

test('stopping waits for the round that is running', async () => {
  const gate = Promise.withResolvers<void>();
  let isOver = false;
  const rounds = startRounds({
    everyMs: LONG_MS,
    beginsAtOnce: true,
    onError: noError,
    async round() {
      await gate.promise;
      isOver = true;
    },
  });
  const stopping = rounds.stop();
  setTimeout(gate.resolve, 20);
  await stopping;
  assert.equal(isOver, true);
});

test('work on a list continues after a failure, which is thrown at the end', async () => {
  const done: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error('two');
    done.push(item);
  };
  await assert.rejects(forEachIsolated([1, 2, 3], work), /two/);
  assert.deepEqual(done, [1, 3]);
  await assert.rejects(forEachIsolated([2, 2, 3], work, 2), (error) => {
    assert.ok(error instanceof AggregateError);
    assert.match(String(error.cause), /two/, 'logs describe causes');
    return true;
  });
});

/** Work that lasts until it is released or the test is over, and the centrals in the order in which they began. */
function heldWork(t: TestContext) {
  const begun: number[] = [];
  const gates = new Map<number, () => void>();
  let isOver = false;
  t.after(() => {
    isOver = true;
    for (const release of gates.values()) release();
  });
  const work = (centralId: number) => {
    begun.push(centralId);
    return new Promise<void>((resolve) => (isOver ? resolve() : void gates.set(centralId, resolve)));
  };
  return { begun, work, release: (centralId: number) => gates.get(centralId)!() };
}

test('a central has one run at a time, however often it is requested while it waits', async (t) => {
  const { begun, work, release } = heldWork(t);
  const centrals = workPerCentral(work, noError, { atOnce: 2, isCrowded: () => true });
  const asked = [centrals.begin([1, 2, 3]), centrals.begin([1, 2, 3]), centrals.begin([3, 2, 1])];
  assert.deepEqual(begun, [1, 2]);
  release(1);
  await sleep(10);
  assert.deepEqual(begun, [1, 2, 3]);
  assert.deepEqual(centrals.underWay(), [2, 3]);
  release(2);
  release(3);
  await Promise.all(asked);
  assert.deepEqual(begun, [1, 2, 3]);
  const again = centrals.begin([1]);
  release(1);
  await again;
  assert.deepEqual(begun, [1, 2, 3, 1], 'its last work has ended');
});

test('begin() resolves after all of its centrals have ended, not after the first', async (t) => {
  const { work, release } = heldWork(t);
  const centrals = workPerCentral(work, noError, { isCrowded: () => true });
  const begins = centrals.begin([1, 2]);
  release(1);
  const first = await Promise.race([begins.then(() => 'all have ended'), sleep(10, 'one is at work')]);
  release(2);
  await begins;
  assert.equal(first, 'one is at work');
});

test('slow work gives up its place, except while work waits for connections', async (t) => {
  const { begun, work, release } = heldWork(t);
  let isCrowded = true;
  const centrals = workPerCentral(work, noError, { atOnce: 2, isCrowded: () => isCrowded, placeMs: 5 });
  const all = Array.from({ length: 100 }, (_, index) => index);
  const begins = centrals.begin(all);
  await sleep(100);
  assert.deepEqual(begun, [0, 1]);
  isCrowded = false;
  await begins;
  assert.deepEqual(begun, all);
  all.forEach(release);
  await centrals.end();
  assert.deepEqual(centrals.underWay(), []);
});

test('a central that waits for a place is not begun after the end', async (t) => {
  const { begun, work, release } = heldWork(t);
  const centrals = workPerCentral(work, noError, { atOnce: 1, isCrowded: () => true });
  const begins = centrals.begin([1, 2, 3]);
  const ending = centrals.end();
  release(1);
  await Promise.all([begins, ending]);
  assert.deepEqual(begun, [1]);
});
