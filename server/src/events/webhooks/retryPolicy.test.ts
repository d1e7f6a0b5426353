import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointPause, nextAttempt, RETRY_POLICY } from './retryPolicy.ts';

const now = Temporal.Instant.from('2026-11-16T15:00:00Z');
const hour = 3600;
const secondsTo = (instant: Temporal.Instant | null) => instant!.since(now).total('seconds');
const never = () => 0;
const always = () => 1;

test('a message is tried for more than 24 hours, whatever the random pauses are', () => {
  const pauses = RETRY_POLICY.messagePauses.map((_, index) =>
    secondsTo(nextAttempt(RETRY_POLICY, index + 1, now, never)),
  );
  assert.ok(pauses.reduce((sum, pause) => sum + pause, 0) > 24 * hour);
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  );
});

test('pauses are up to a fifth longer, so that not all come back together', () => {
  assert.equal(secondsTo(nextAttempt(RETRY_POLICY, 1, now, never)), 5);
  assert.equal(secondsTo(nextAttempt(RETRY_POLICY, 1, now, always)), 6);
});

test('after the last pause a message has failed', () => {
  assert.equal(nextAttempt(RETRY_POLICY, RETRY_POLICY.messagePauses.length + 1, now, never), null);
});

test('an endpoint is a failing one after three failures in a row, with pauses of at most an hour', () => {
  const pauseAfter = (failures: number) =>
    endpointPause(RETRY_POLICY, failures, now, now, never).nextAttemptAt;
  assert.equal(pauseAfter(2), null);
  assert.equal(secondsTo(pauseAfter(3)), 5);
  assert.equal(secondsTo(pauseAfter(4)), 30);
  assert.equal(secondsTo(pauseAfter(1_000)), hour);
});

test('an endpoint is paused after a day of failures, but not after a few failures that are a day apart', () => {
  const dayAgo = now.subtract({ hours: 24 });
  assert.equal(endpointPause(RETRY_POLICY, 28, dayAgo, now, never).paused, true);
  assert.equal(endpointPause(RETRY_POLICY, 28, dayAgo.add({ seconds: 1 }), now, never).paused, false);
  assert.equal(endpointPause(RETRY_POLICY, 3, dayAgo, now, never).paused, false);
});
