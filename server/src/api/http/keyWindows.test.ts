import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeyWindows } from './keyWindows.ts';
import { SlidingWindow } from './slidingWindow.ts';

const request = fc.record({
  pause: fc.integer({ min: 0, max: 12_000 }),
  login: fc.integer({ min: 1, max: 3 }),
  isRefused: fc.boolean(),
});

test('a login that uses a key alone gets exactly the limit, refused requests included', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.array(request, { maxLength: 60 }), (limit, requests) => {
      const key = new KeyWindows();
      const plain = new SlidingWindow();
      let now = 1_000_000;
      for (const { pause, isRefused } of requests) {
        now += pause;
        const { admitted, remaining, refuse } = key.admit(now, 1, limit);
        const expected = plain.admit(now, limit);
        assert.deepEqual(
          { admitted, remaining },
          { admitted: expected.admitted, remaining: expected.remaining },
        );
        if (isRefused) refuse?.();
      }
    }),
  );
});

test('whatever the others do, a login that has used less than a fifth of the limit is admitted', () => {
  const limit = 10;
  fc.assert(
    fc.property(fc.array(request, { maxLength: 120 }), (requests) => {
      const key = new KeyWindows();
      let now = 1_000_000;
      const victim: number[] = [];
      for (const { pause, login, isRefused } of requests) {
        now += pause;
        // One other login attacks.
        const { admitted, refuse } = key.admit(now, login === 3 ? 3 : 1, limit);
        const recent = victim.filter((moment) => moment > now - 60_000).length;
        if (login === 3) {
          if (recent < 2) assert.ok(admitted);
          if (admitted) victim.push(now);
        } else if (isRefused) refuse?.();
      }
    }),
  );
});

test('a client that waits as told is admitted', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(request, { maxLength: 60 }), (limit, requests) => {
      const key = new KeyWindows();
      let now = 1_000_000;
      for (const { pause, login, isRefused } of requests) {
        now += pause;
        const answer = key.admit(now, login, limit);
        if (answer.admitted && isRefused) answer.refuse!();
        if (answer.admitted) continue;
        now += answer.retryAfterSeconds * 1000;
        assert.equal(key.admit(now, login, limit).admitted, true);
      }
    }),
  );
});

test('logins that no longer use a key are forgotten', () => {
  const key = new KeyWindows();
  for (let user = 0; user < 10_000; user += 1) assert.ok(key.admit(user * 10_000, user, 1_000).admitted);
  assert.ok(key.loginCount() <= 64);
});
