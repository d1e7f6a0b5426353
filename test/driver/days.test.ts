import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAt, daysOf } from '../../web/driver/src/core/days.ts';

test('the day changes at the phone’s midnight', () => {
  assert.equal(dayAt(new Date(2026, 10, 16, 23, 59, 59).getTime()), '2026-11-16');
  assert.equal(dayAt(new Date(2026, 10, 17).getTime()), '2026-11-17');
});

test('a period ends today; a week begins on Monday, a month on its first day', () => {
  assert.deepEqual(daysOf('today', '2026-11-17'), { from: '2026-11-17', to: '2026-11-17' });
  assert.deepEqual(daysOf('week', '2026-11-16'), { from: '2026-11-16', to: '2026-11-16' });
  assert.deepEqual(daysOf('week', '2026-11-22'), { from: '2026-11-16', to: '2026-11-22' });
  assert.deepEqual(daysOf('week', '2026-12-01'), { from: '2026-11-30', to: '2026-12-01' });
  assert.deepEqual(daysOf('month', '2026-12-01'), { from: '2026-12-01', to: '2026-12-01' });
});
