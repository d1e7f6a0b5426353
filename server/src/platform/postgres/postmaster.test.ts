import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { type Guard, guardPostmaster } from './postmaster.ts';

/** A simulated server that the test ends by a flag, and that starts again after `failures` failed attempts. */
function guarded(t: TestContext, failures: number, pausesMs: readonly number[]) {
  const server = {
    gone: false,
    attempts: 0,
    reported: [] as string[],
    givenUp: [] as string[],
    guard: undefined as unknown as Guard,
  };
  server.guard = guardPostmaster({
    pausesMs,
    isGone: () => server.gone,
    async startAgain() {
      server.attempts += 1;
      if (server.attempts <= failures) throw new Error(`no room for attempt ${server.attempts}`);
      server.gone = false;
    },
    warn: (line) => server.reported.push(line.replace(/\d+\.\d/, 'some')),
    onGivenUp: ({ message }) => server.givenUp.push(message),
  });
  t.after(() => server.guard.stop());
  return server;
}

test('does nothing while the server runs', async (t) => {
  const server = guarded(t, 0, [0]);
  await sleep(600);
  assert.equal(server.attempts, 0);
});

test('restarts the server each time it ends, and logs its end and its return', async (t) => {
  const server = guarded(t, 0, [0]);
  const once = [
    'PostgreSQL has ended unexpectedly, starting it again',
    'PostgreSQL is back after some seconds',
  ];
  server.gone = true;
  await waitUntil('it is back', () => server.reported.length === 2);
  server.gone = true;
  await waitUntil('it is back again', () => server.reported.length === 4);
  assert.deepEqual(server.reported, [...once, ...once]);
  assert.deepEqual(server.givenUp, []);
});

test('tries again when a restart fails, and logs the reason', async (t) => {
  const server = guarded(t, 2, [0, 1, 1]);
  server.gone = true;
  await waitUntil('it is back', () => !server.gone);
  assert.equal(server.attempts, 3);
  assert.equal(server.reported[1], 'no room for attempt 1; it will be tried again');
  assert.deepEqual(server.givenUp, []);
});

test('gives up with the last reason after the last attempt', async (t) => {
  const server = guarded(t, 9, [0, 1, 1]);
  server.gone = true;
  await waitUntil('it is given up', () => server.givenUp.length > 0);
  await sleep(600);
  assert.equal(server.attempts, 3);
  assert.deepEqual(server.givenUp, ['no room for attempt 3']);
  assert.ok(
    !server.reported.some((line) => line.startsWith('no room for attempt 3')),
    'nobody will try again',
  );
});

test('when stopped between two attempts it makes no further attempt', async (t) => {
  const server = guarded(t, 9, [0, 60_000]);
  server.gone = true;
  await waitUntil('it has tried', () => server.attempts === 1);
  await server.guard.stop();
  assert.equal(server.attempts, 1);
  assert.deepEqual(server.givenUp, []);
});

test('stop waits for the attempt that it aborts', async () => {
  let ended = false;
  const trying = Promise.withResolvers<void>();
  const guard = guardPostmaster({
    isGone: () => true,
    async startAgain(stopping) {
      trying.resolve();
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      await sleep(50);
      ended = true;
      stopping.throwIfAborted();
    },
    warn: () => undefined,
    onGivenUp: () => assert.fail('a stop is no failure'),
  });
  await trying.promise;
  await guard.stop();
  assert.equal(ended, true);
});
