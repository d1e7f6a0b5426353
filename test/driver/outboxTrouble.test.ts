import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrive, start, startPhone, WHEN } from './outboxPhone.ts';

test('a button tapped twice before the phone has stored the action is one action', async () => {
  const sent: string[] = [];
  const { outbox, pass } = await startPhone(async ({ action }) => {
    sent.push(action.kind);
    return { kind: 'done' };
  });
  await Promise.all([outbox.add([arrive('1')], WHEN), outbox.add([arrive('1')], WHEN)]);
  await Promise.all([outbox.add([start('1')], WHEN), outbox.add([arrive('2')], WHEN)]);
  await pass(0);
  assert.deepEqual(sent, ['arrive-pickup', 'start', 'arrive-pickup']);
  // The same step taken later is a new action, as after the delivery was given back and accepted again.
  await outbox.add([arrive('1')], WHEN);
  await pass(0);
  assert.equal(sent.length, 4);
});

test('actions that could not be stored may be tried again', async () => {
  const { outbox, storage } = await startPhone(async () => ({ kind: 'done' }));
  const { add } = storage;
  storage.add = () => Promise.reject(new Error('full'));
  await assert.rejects(outbox.add([arrive('1')], WHEN), /full/);
  storage.add = add;
  await outbox.add([arrive('1')], WHEN);
  assert.equal(outbox.entries().length, 1);
});

test('an action that waited too long is sent with the oldest allowed time, also when repeated', async () => {
  const hours = (count: number) => count * 3_600_000;
  const requests: string[] = [];
  const { outbox, pass } = await startPhone(async ({ happenedAt, key }) => {
    requests.push(`${happenedAt} ${key}`);
    return requests.length < 3 ? { kind: 'later', afterMs: null } : { kind: 'done' };
  });
  outbox.actFor(null);
  await pass(0);
  outbox.actFor('1');
  const old = new Date(Date.parse(WHEN) - hours(100)).toISOString();
  const young = new Date(Date.parse(WHEN) - hours(70)).toISOString();
  await outbox.add([arrive('1')], old);
  await pass(60_000);
  await pass(60_000);
  await pass(60_000);
  await outbox.add([start('1')], young);
  await pass(0);
  const [first, second, third, last] = requests;
  assert.equal(first!.split(' ')[0], new Date(Date.parse(WHEN) - hours(71)).toISOString());
  assert.equal(second, first);
  assert.equal(third, first);
  assert.equal(last!.split(' ')[0], young);
});
