import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedAttempts, type Slot } from './failedAttempts.ts';

const slot = (kind: Slot['kind'], key: string): Slot => ({
  kind,
  key,
  free: 5,
  pauseMsMax: 60_000,
  cleared: true,
});

function counters() {
  const counted = failedAttempts();
  const fail = (one: Slot, times: number): void => {
    const taken = counted.take([one], 0);
    for (let count = 0; count < times; count += 1) taken[0]!.fail(0);
    counted.giveBack(taken);
  };
  const isSlowedDown = (one: Slot): boolean => {
    const taken = counted.take([one], 0);
    const slowed = taken[0]!.isSlowedDown;
    counted.giveBack(taken);
    return slowed;
  };
  return { counted, fail, isSlowedDown };
}

test('a flood of other names does not flush the counter of one who is slowed down', () => {
  const { fail, isSlowedDown } = counters();
  fail(slot('login', 'ana at here'), 5);
  for (let index = 0; index < 60_000; index += 1) fail(slot('login', `name ${index} at there`), 1);
  assert.equal(isSlowedDown(slot('login', 'ana at here')), true);
});

test('a flood of one kind does not push out another kind', () => {
  const { fail, isSlowedDown } = counters();
  fail(slot('network', 'here'), 4);
  for (let index = 0; index < 60_000; index += 1) fail(slot('login', `name ${index} at there`), 5);
  fail(slot('network', 'here'), 1);
  assert.equal(isSlowedDown(slot('network', 'here')), true);
});

test('what is under way is never dropped', () => {
  const { counted, fail } = counters();
  const [held] = counted.take([slot('login', 'ana at here')], 0);
  for (let index = 0; index < 60_000; index += 1) fail(slot('login', `name ${index}`), 5);
  assert.equal(counted.take([slot('login', 'ana at here')], 0)[0], held);
});
