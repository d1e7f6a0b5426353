import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatDegrees, formatDuration, formatKm } from './values.ts';

test('durations are hours, minutes and seconds, past a day too', () => {
  assert.equal(formatDuration(0), '00:00:00');
  assert.equal(formatDuration(59.999), '00:00:59');
  assert.equal(formatDuration(3_661), '01:01:01');
  assert.equal(formatDuration(100 * 3_600 + 62), '100:01:02');
});

test('kilometres have two decimals, a half is rounded up', () => {
  assert.equal(formatKm(0), '0.00');
  assert.equal(formatKm(4), '0.00');
  assert.equal(formatKm(5), '0.01');
  assert.equal(formatKm(1_004), '1.00');
  assert.equal(formatKm(1_005), '1.01');
  assert.equal(formatKm(123_456), '123.46');
});

test('degrees are plain decimals, with a point even for whole degrees', () => {
  assert.equal(formatDegrees(-30.0312), '-30.0312');
  assert.equal(formatDegrees(-51), '-51.0');
  assert.equal(formatDegrees(0), '0.0');
  assert.equal(formatDegrees(-0.0000001), '-0.0000001');
  assert.equal(formatDegrees(-0), '0.0');
  assert.equal(formatDegrees(1e-20), '0.0');
});
