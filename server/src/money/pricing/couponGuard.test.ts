import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '../../../../test/support/clock.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { couponGuard } from './couponGuard.ts';

test('a clock that is set back does not prolong the refusal of right codes', async () => {
  const clock = testClock();
  const guard = couponGuard(clock);
  const login = { centralId: 1, userId: 1 };
  const attempt = (found: string | undefined) => guard.attempt(login, 1, async () => found);
  await attempt(undefined);
  await assert.rejects(attempt('found'), Refusal);
  clock.advance({ hours: -3 });
  assert.equal(await attempt('found'), 'found');
});
