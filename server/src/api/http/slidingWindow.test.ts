import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SlidingWindow } from './slidingWindow.ts';

test('exactly the limit passes in any 60 seconds, whatever the pattern of arrivals', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.integer({ min: 0, max: 25_000 }), { maxLength: 60 }),
      (limit, pauses) => {
        const window = new SlidingWindow();
        const admitted: number[] = [];
        let now = 1_000_000;
        for (const pause of pauses) {
          now += pause;
          const recent = admitted.filter((moment) => moment > now - 60_000).length;
          const answer = window.admit(now, limit);
          assert.equal(answer.admitted, recent < limit);
          if (answer.admitted) admitted.push(now);
          assert.equal(answer.remaining, limit - Math.min(limit, recent + 1));
        }
      },
    ),
  );
});

test('a client that waits as told by the answer is admitted, and not a second earlier', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 5, maxLength: 30 }),
      (limit, pauses) => {
        const window = new SlidingWindow();
        let now = 1_000_000;
        for (const pause of pauses) {
          now += pause * 1000;
          const { admitted, retryAfterSeconds } = window.admit(now, limit);
          if (admitted) continue;
          assert.equal(window.admit(now + (retryAfterSeconds - 1) * 1000, limit).admitted, false);
          now += retryAfterSeconds * 1000;
          assert.equal(window.admit(now, limit).admitted, true);
        }
      },
    ),
  );
});

test('a lower limit holds at once for what was already counted', () => {
  const window = new SlidingWindow();
  for (let second = 0; second < 10; second += 1) window.admit(second * 1000, 10);
  const refused = window.admit(10_000, 4);
  assert.deepEqual(refused, { admitted: false, limit: 4, remaining: 0, retryAfterSeconds: 56 });
  assert.equal(window.admit(66_000, 4).admitted, true);
});

test('a higher limit keeps what was counted', () => {
  const window = new SlidingWindow();
  for (let count = 0; count < 3; count += 1) window.admit(0, 3);
  assert.equal(window.admit(1, 3).admitted, false);
  const { countAs: _, ...admission } = window.admit(1, 5);
  assert.deepEqual(admission, { admitted: true, limit: 5, remaining: 1, retryAfterSeconds: 60 });
});

test('a request that counts as many is admitted where all of them have room, and else not counted at all', () => {
  const window = new SlidingWindow();
  assert.equal(window.admit(0, 10).countAs!(0, 7).remaining, 3);
  const refused = window.admit(20_000, 10).countAs!(20_000, 4);
  assert.deepEqual(refused, { admitted: false, limit: 10, remaining: 3, retryAfterSeconds: 40 });
  assert.equal(window.total(20_000), 7);
  assert.equal(window.admit(20_000, 10).countAs!(20_000, 3).remaining, 0);
  assert.equal(window.admit(60_001, 10).countAs!(60_001, 7).admitted, true);
});

test('more than the limit are admitted where nothing is counted, and fill the windows that they need', () => {
  const window = new SlidingWindow();
  window.admit(0, 10);
  assert.deepEqual(window.admit(1_000, 10).countAs!(1_000, 25), {
    admitted: false,
    limit: 10,
    remaining: 9,
    retryAfterSeconds: 59,
  });
  assert.equal(window.admit(60_001, 10).countAs!(60_001, 25).admitted, true);
  // Two windows of 10 and one of 5.
  for (const now of [60_002, 120_002, 180_000])
    assert.equal(window.admit(now, 10).retryAfterSeconds, Math.ceil((180_001 - now) / 1_000), String(now));
  for (let left = 4; left >= 0; left -= 1) assert.equal(window.admit(180_002, 10).remaining, left);
  assert.equal(window.admit(180_003, 10).admitted, false);
});

test('under a high limit no more pass in any 60 seconds either, and room is found again when they leave', () => {
  const window = new SlidingWindow();
  const limit = 20_000;
  const admitted: number[] = [];
  for (let now = 0; now < 130_000; now += 1)
    for (let times = 0; times < 2; times += 1) if (window.admit(now, limit).admitted) admitted.push(now);
  for (const [index, moment] of admitted.entries()) {
    const earlier = admitted[index - limit];
    assert.ok(earlier === undefined || earlier <= moment - 60_000, `${index}: ${earlier} and ${moment}`);
  }
  // Twice the limit in the first two minutes, and as much as fits into the rest.
  assert.ok(admitted.length > 2.9 * limit, String(admitted.length));
});

test('a clock that is set back does not lock its callers out', () => {
  const window = new SlidingWindow();
  window.admit(10_000_000, 1);
  assert.equal(window.admit(1_000_000, 1).admitted, true);
});
