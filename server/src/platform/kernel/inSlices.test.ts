import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { inOwnTurn, inOwnTurns, inSlices } from './inSlices.ts';

/** Notes its name with each piece; each piece takes longer than a slice. */
function* slow(name: string, pieces: number, notes: string[]): Generator<void, string, void> {
  for (let piece = 0; piece < pieces; piece += 1) {
    const until = performance.now() + 12;
    while (performance.now() < until);
    notes.push(name);
    yield;
  }
  return name;
}

test('works take turns slice by slice, and the loop turns in between', async () => {
  const notes: string[] = [];
  const results = Promise.all([inSlices(slow('a', 3, notes)), inSlices(slow('b', 2, notes))]);
  assert.equal(notes.length, 0, 'nothing runs in the turn of the request');
  let isOver = false;
  const turns = (async () => {
    while (!isOver) {
      await nextTurn();
      notes.push('turn');
    }
  })();
  assert.deepEqual(await results, ['a', 'b']);
  isOver = true;
  await turns;
  assert.deepEqual(
    notes.filter((note) => note !== 'turn'),
    ['a', 'b', 'a', 'b', 'a'],
  );
  assert.equal(/[ab][ab]/.test(notes.map((note) => note[0]).join('')), false, notes.join(' '));
});

test('work without pieces runs between the slices of other work', async () => {
  const notes: string[] = [];
  const long = inSlices(slow('long', 4, notes));
  assert.equal(await inOwnTurn(() => notes.push('short')), 2);
  assert.deepEqual(notes, ['long', 'short']);
  await long;
});

test('work that fails rejects, and the next one still runs', async () => {
  const failing = inOwnTurn(() => {
    throw new Error('broken');
  });
  const next = inOwnTurn(() => 'done');
  await assert.rejects(failing, /broken/);
  assert.equal(await next, 'done');
  assert.equal(await inOwnTurn(() => 'later'), 'later');
});

test('each piece runs once, in its own turn of the event loop, for all callers that wait for it', async () => {
  const doneIn: number[] = [];
  let turn = 0;
  const count = (): void => {
    turn += 1;
    if (doneIn.length < 2) setImmediate(count);
  };
  count();
  const piece = () => doneIn.push(turn);
  const pieces = inOwnTurns([piece, piece]);
  assert.equal(pieces.isDone(), false);
  await Promise.all([pieces.run(), pieces.run()]);
  await pieces.run();
  assert.equal(pieces.isDone(), true);
  assert.equal(doneIn.length, 2);
  const [first, second] = doneIn;
  assert.ok(second! > first!, doneIn.join());
});
