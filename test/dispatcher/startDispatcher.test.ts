import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningDispatcher, startDispatcher } from '../../server/src/dispatch/rounds/startDispatcher.ts';
import { systemClock } from '../../server/src/platform/kernel/clock.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import type { TestClock } from '../support/clock.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';
import { waitUntil } from '../support/waitUntil.ts';

// On the real clock: these tests are about being woken, not about the exact time.
const clock: TestClock = { ...systemClock, advance: () => assert.fail(), set: () => assert.fail() };
const routers = testRouters();
const malote = await startMalote({ clock, routers });
const { host, port, user, database } = malote.db.pool.options;
const db = openDatabase({
  connection: { host, port, user, database },
  poolSize: 3,
  onError: () => undefined,
  isDistributed: malote.db.isDistributed,
});
after(() => db.close());

const running: RunningDispatcher[] = [];
afterEach(() => Promise.all(running.splice(0).map((dispatcher) => dispatcher.stop())));

async function start(): Promise<object[]> {
  const errors: object[] = [];
  const log = { error: (details: object) => errors.push(details) };
  running.push(await startDispatcher({ ...malote.app.deps, db, log }));
  return errors;
}

const localTime = (instant: Temporal.Instant) => {
  const local = instant.toZonedDateTimeISO('America/Sao_Paulo');
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    data: `${two(local.day)}/${two(local.month)}/${local.year}`,
    hora: local.toPlainTime().toString({ smallestUnit: 'second' }),
  };
};

/** Still in the future when a busy machine reads the order. */
const soon = () => localTime(clock.now().add({ seconds: 6 }));
const later = () => localTime(clock.now().add({ hours: 1 }));

const isDispatched = async (id: number): Promise<boolean> =>
  (await readScheduled(malote.manager, id)).situacao === 'D';

test('deliveries scheduled before and after the start are dispatched without a request', async () => {
  const before = await schedule(malote.manager, soon());
  await start();
  const during = await schedule(malote.manager, soon());
  await waitUntil('both are dispatched', async () => (await isDispatched(before)) && isDispatched(during));
});

test('deliveries that fell due while no dispatcher ran are dispatched at the start', async () => {
  const id = await schedule(malote.manager, later());
  await malote.db`update scheduled set dispatch_at = now() - interval '2 days' where id = ${id}`;
  await start();
  await waitUntil('it is dispatched', () => isDispatched(id));
});

test('an edit that moves the dispatch forward is noticed', async () => {
  await start();
  const id = await schedule(malote.manager, later());
  assertOk(await malote.manager.put(`/entregas/programadas/${id}`, order(soon())));
  await waitUntil('it is dispatched', () => isDispatched(id));
});

test('with the connection cut that wakes it, it looks by itself', async () => {
  const errors = await start();
  await malote.db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'malote malote_dispatch'`;
  const id = await schedule(malote.manager, soon());
  await waitUntil('it is dispatched', () => isDispatched(id));
  assert.deepEqual(errors, [], 'losing what wakes it is nothing to complain about');
});

test('a router that does not answer holds up only those that need it', async () => {
  const needy = await schedule(malote.manager, later(), 2);
  const [first] = (await readScheduled(malote.manager, needy)).paradas;
  routers.fail();
  assertOk(await malote.manager.delete(`/entregas/programadas/${needy}/paradas/${first.id}`));
  routers.restore();
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const slow: typeof routers = {
    ...routers,
    forEstimates: (settings) => ({
      ...routers.forEstimates(settings),
      async matrix(points, profile) {
        asked.resolve();
        await gate.promise;
        return routers.forEstimates(settings).matrix(points, profile);
      },
    }),
  };
  await malote.db`update scheduled set dispatch_at = now() - interval '1 minute' where id = ${needy}`;
  running.push(
    await startDispatcher({ ...malote.app.deps, routers: slow, db, log: { error: () => undefined } }),
  );
  await asked.promise;
  const other = await schedule(malote.manager, later());
  await malote.db`update scheduled set dispatch_at = now() where id = ${other}`;
  await waitUntil('the other one is dispatched', () => isDispatched(other));
  assert.equal(await isDispatched(needy), false);
  gate.resolve();
  await waitUntil('the one that waited for the router is dispatched', () => isDispatched(needy));
});

test('stopped, it dispatches nothing more and keeps no connection', async () => {
  await start();
  await running.pop()?.stop();
  const id = await schedule(malote.manager, later());
  await malote.db`update scheduled set dispatch_at = now() where id = ${id}`;
  await malote.db`select pg_notify('malote_dispatch', '')`;
  const listening = await malote.db`
    select pid from pg_stat_activity
    where datname = current_database() and application_name = 'malote malote_dispatch'`;
  assert.deepEqual(listening, []);
  await sleep(1_500);
  assert.equal(await isDispatched(id), false);
});
