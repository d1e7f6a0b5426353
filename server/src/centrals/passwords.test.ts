import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refusal } from '../platform/kernel/refusal.ts';
import { passwordQueue } from './passwords.ts';

/** A queue whose work the test ends. It records the order in which work was begun and refused. */
function queued() {
  const queue = passwordQueue();
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, network: string, isKnown = false) => {
    queue
      .run({ isKnown, network }, () => {
        begun.push(name);
        return new Promise<void>((end) => ends.push(end));
      })
      .catch((error) => {
        assert.ok(
          error instanceof Refusal && error.kind === 'logins-busy' && Number(error.details.seconds) > 0,
        );
        refused.push(name);
      });
  };
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));
  const endOne = async () => {
    ends.shift()?.();
    await nextTurn();
  };
  return { queue, begun, refused, ask, nextTurn, endOne };
}

/** Starts as many unknown clients as run at once, so that the next one waits. */
async function fillLanes({ ask, begun, nextTurn }: ReturnType<typeof queued>): Promise<number> {
  for (let count = 0; count < 20; count += 1) ask(`first ${count}`, `lane ${count}`);
  await nextTurn();
  return begun.length;
}

test('unknown clients never take the last lane: a known client begins at once', async () => {
  const single = queued();
  const lanes = await fillLanes(single);
  assert.ok(lanes < 20);
  single.ask('known', 'home', true);
  await single.nextTurn();
  assert.equal(single.begun.at(-1), 'known');
  assert.equal(single.begun.length, lanes + 1);
});

test('a known client is served before all unknown clients that came first', async () => {
  const single = queued();
  const lanes = await fillLanes(single);
  for (let count = 0; count < 3; count += 1) single.ask(`known ${count}`, 'home', true);
  for (let count = 0; count < 3; count += 1) await single.endOne();
  assert.deepEqual(single.begun.slice(lanes, lanes + 3), ['known 0', 'known 1', 'known 2']);
});

test('a network with one request is served before one with many', async () => {
  const single = queued();
  const lanes = await fillLanes(single);
  for (let count = 0; count < 50; count += 1) single.ask(`flood ${count}`, 'flood');
  single.ask('modest', 'modest');
  while (!single.begun.includes('modest')) await single.endOne();
  assert.equal(single.begun.filter((name) => name.startsWith('flood')).length, 0);
  assert.ok(single.begun.length > lanes);
});

test('a full queue refuses the network with the most requests, and lets a new one wait', async () => {
  const single = queued();
  const lanes = await fillLanes(single);
  for (let count = 0; count < 500; count += 1) single.ask(`flood ${count}`, `flood ${count % 2}`);
  const waiting = single.queue.waiting();
  single.ask('newcomer', 'new');
  await single.nextTurn();
  assert.equal(single.queue.waiting(), waiting);
  assert.ok(!single.refused.includes('newcomer'));
  assert.equal(single.refused.length, 501 + 20 - lanes - waiting);
  assert.ok(waiting <= 200, `${waiting} wait`);
});

test('work that fails gives its lane back', async () => {
  const queue = passwordQueue();
  for (let count = 0; count < 20; count += 1)
    await assert.rejects(
      queue.run({ isKnown: false, network: 'here' }, () => {
        throw new Error('broken hash');
      }),
      /broken hash/,
    );
  assert.equal(await queue.run({ isKnown: false, network: 'here' }, async () => 'done'), 'done');
});
