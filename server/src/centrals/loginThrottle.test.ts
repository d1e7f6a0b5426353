import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '../../../test/support/clock.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import { failedAttempts, loginThrottle, type Slot } from './loginThrottle.ts';

const user: Slot = { kind: 'login', key: 'user', free: 3, pauseMsMax: 60_000, cleared: true };
const address: Slot = { kind: 'network', key: 'address', free: 5, pauseMsMax: 60_000, cleared: false };

/** A throttle with a test clock that advances to the next sleeper. It records how long each attempt waited. */
function throttled() {
  const clock = testClock();
  const waits: number[] = [];
  const sleepers: { until: number; wake: () => void }[] = [];
  const now = () => clock.now().epochMilliseconds;
  const throttle = loginThrottle(clock, (ms) => {
    waits.push(ms);
    return new Promise<void>((wake) => sleepers.push({ until: now() + ms, wake }));
  });
  const attempt = async <Found>(slots: readonly Slot[], verify: () => Promise<Found | undefined>) => {
    let over = false;
    const outcome = throttle.attempt(slots, verify).finally(() => {
      over = true;
    });
    outcome.catch(() => undefined);
    while (!over) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = sleepers.toSorted((a, b) => a.until - b.until)[0];
      if (over || !next) continue;
      sleepers.splice(sleepers.indexOf(next), 1);
      clock.advance({ milliseconds: Math.max(0, next.until - now()) });
      next.wake();
    }
    return outcome;
  };
  const guess = (slots: readonly Slot[] = [user, address]) => attempt(slots, async () => undefined);
  const logIn = (slots: readonly Slot[] = [user, address]) => attempt(slots, async () => 'found');
  return { clock, waits, attempt, guess, logIn };
}

const isTooMany = (seconds?: number) => (error: unknown) =>
  error instanceof Refusal &&
  error.kind === 'too-many-attempts' &&
  (seconds === undefined || error.details.seconds === seconds);

test('the first failures cost nothing, then each waits twice as long as the one before', async () => {
  const { guess, waits } = throttled();
  for (let count = 0; count < 7; count += 1) await guess([user]);
  assert.deepEqual(waits, [500, 1000, 2000, 4000]);
});

test('an attempt that would wait too long is refused at once with the number of seconds', async () => {
  const { guess } = throttled();
  for (let count = 0; count < 7; count += 1) await guess([user]);
  await assert.rejects(guess([user]), isTooMany(8));
});

test('a clock that is set back does not make attempts wait until it has caught up', async () => {
  const { clock, guess, logIn, waits } = throttled();
  for (let count = 0; count < 7; count += 1) await guess([user]);
  clock.advance({ hours: -3 });
  assert.equal(await logIn([user]), 'found');
  waits.length = 0;
  for (let count = 0; count < 7; count += 1) await guess([user]);
  assert.deepEqual(waits, [500, 1000, 2000, 4000]);
});

test('the pause never grows beyond a minute', async () => {
  const { clock, guess } = throttled();
  for (let count = 0; count < 30; count += 1) {
    await guess([user]);
    clock.advance({ minutes: 1 });
  }
  await guess([user]);
  await assert.rejects(guess([user]), isTooMany(60));
});

test('a success clears the user, but not the address', async () => {
  const { clock, guess, logIn, waits } = throttled();
  for (let count = 0; count < 5; count += 1) {
    await guess();
    clock.advance({ seconds: 10 });
  }
  await logIn();
  await guess([user]);
  assert.deepEqual(waits, []);
  await guess([address]);
  assert.equal(waits.length, 1);
});

test('failures are forgiven after a quarter of an hour', async () => {
  const { clock, guess, waits } = throttled();
  for (let count = 0; count < 7; count += 1) await guess([user]);
  waits.length = 0;
  clock.advance({ minutes: 15 });
  for (let count = 0; count < 3; count += 1) await guess([user]);
  assert.deepEqual(waits, []);
});

test('guesses in parallel get no more tries than guesses one after the other', async () => {
  const { attempt, clock } = throttled();
  const start = clock.now().epochMilliseconds;
  const tried: number[] = [];
  let undecided = 0;
  let highest = 0;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 1000 }, () =>
      attempt([user], async () => {
        tried.push(clock.now().epochMilliseconds - start);
        undecided += 1;
        highest = Math.max(highest, undecided);
        await new Promise((resolve) => setImmediate(resolve));
        undecided -= 1;
        return undefined;
      }),
    ),
  );
  assert.ok(highest <= user.free, `${highest} at once`);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, tried.length);
  // One after the other they would have come at 0, 0, 0, 500, 1500 and 3500.
  assert.deepEqual(tried, [0, 0, 0, 500, 1500, 3500]);
});

test('a burst of good logins from one address passes without a pause', async () => {
  const { attempt, waits } = throttled();
  const outcomes = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      attempt([{ ...user, key: `user ${index}` }, address], async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return index;
      }),
    ),
  );
  assert.equal(outcomes.length, 60);
  assert.deepEqual(waits, []);
});

test('an error of the database does not count as a wrong guess', async () => {
  const { attempt, logIn, waits } = throttled();
  for (let count = 0; count < 20; count += 1)
    await assert.rejects(
      attempt([user], () => Promise.reject(new Error('no database'))),
      /no database/,
    );
  assert.equal(await logIn([user]), 'found');
  assert.deepEqual(waits, []);
});

test('an attempt that the database could not decide does not delay the next one', async () => {
  const { clock, attempt, guess, logIn, waits } = throttled();
  for (let count = 0; count < 6; count += 1) await guess([user]);
  clock.advance({ minutes: 1 });
  waits.length = 0;
  for (let count = 0; count < 5; count += 1)
    await assert.rejects(
      attempt([user], () => Promise.reject(new Error('no database'))),
      /no database/,
    );
  assert.equal(await logIn([user]), 'found');
  assert.deepEqual(waits, []);
});

const slot = (kind: Slot['kind'], key: string): Slot => ({
  kind,
  key,
  free: 5,
  pauseMsMax: 60_000,
  cleared: true,
});

function counters() {
  const counted = failedAttempts();
  const fail = (slot: Slot, times: number): void => {
    const taken = counted.take([slot], 0);
    for (let count = 0; count < times; count += 1) taken[0]!.fail(0);
    counted.giveBack(taken);
  };
  const isSlowedDown = (slot: Slot): boolean => {
    const taken = counted.take([slot], 0);
    const slowed = taken[0]!.isSlowedDown;
    counted.giveBack(taken);
    return slowed;
  };
  return { counted, fail, isSlowedDown };
}

test('a flood of other names does not evict the counter of a slowed-down login', () => {
  const { fail, isSlowedDown } = counters();
  fail(slot('login', 'ana at here'), 5);
  for (let index = 0; index < 60_000; index += 1) fail(slot('login', `name ${index} at there`), 1);
  assert.equal(isSlowedDown(slot('login', 'ana at here')), true);
});

test('a flood of one kind of counter does not evict another kind', () => {
  const { fail, isSlowedDown } = counters();
  fail(slot('network', 'here'), 4);
  for (let index = 0; index < 60_000; index += 1) fail(slot('login', `name ${index} at there`), 5);
  fail(slot('network', 'here'), 1);
  assert.equal(isSlowedDown(slot('network', 'here')), true);
});

test('counters of attempts in progress are never evicted', () => {
  const { counted, fail } = counters();
  const [held] = counted.take([slot('login', 'ana at here')], 0);
  for (let index = 0; index < 60_000; index += 1) fail(slot('login', `name ${index}`), 5);
  assert.equal(counted.take([slot('login', 'ana at here')], 0)[0], held);
});
