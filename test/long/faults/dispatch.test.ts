import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../../support/malote.ts';
import { databaseUrlOf, type MaloteProcess, START_MS, spawnMalote } from '../../support/maloteProcess.ts';
import { scheduledOrder } from '../../support/orders.ts';
import { copyScheduled } from '../../support/states.ts';
import { waitUntil } from '../../support/waitUntil.ts';

const COUNT = 1_000;
const malote = await startMalote();
const { db, manager } = malote;

const dispatched = async (): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select count(*) from scheduled where central_id = 1 and situation = 'dispatched'`;
  return row!.count;
};

/** If the worker ends or never dispatches, the failure shows the worker's output. */
async function untilDispatched(worker: MaloteProcess, isEnough: (count: number) => boolean): Promise<void> {
  const isOver = () => worker.child.exitCode !== null;
  await waitUntil(
    'enough are dispatched',
    async () => isOver() || isEnough(await dispatched()),
    START_MS,
  ).catch((error: Error) =>
    assert.fail(`${error.message}; the worker said: ${worker.stdout()}${worker.stderr()}`),
  );
  assert.equal(isOver(), false, `the worker ended: ${worker.stdout()}${worker.stderr()}`);
}

test('a thousand fall due in one second; the process is killed half-way and started again: each is dispatched once', async (t) => {
  const created = await manager.post('/entregas/programadas', scheduledOrder());
  const dispatchAt = Temporal.Now.instant().add({ seconds: 4 });
  // It is due by the test's clock. The worker has the real clock, by which that may be long ago.
  await db`
    update scheduled set dispatch_at = ${dispatchAt.add({ hours: 24 })}
    where central_id = 1 and id = ${created.body.data.id_mch}`;
  await copyScheduled(db, created.body.data.id_mch, COUNT, dispatchAt);
  const env = { DATABASE_URL: databaseUrlOf(malote.connection), MALOTE_LOG: 'info' };
  const first = spawnMalote(['work'], { env });
  t.after(() => first.child.kill('SIGKILL'));
  await untilDispatched(first, (count) => count > 0);
  first.child.kill('SIGKILL');
  await first.ended;
  const killedAt = await dispatched();
  assert.ok(killedAt < COUNT, `killed after ${killedAt}`);

  const second = spawnMalote(['work'], { env });
  t.after(() => second.child.kill('SIGKILL'));
  await untilDispatched(second, (count) => count === COUNT);
  const [made] = await db<{ deliveries: number; scheduled: number; stops: number; events: number }>`
    select (select count(*) from deliveries where central_id = 1) as deliveries,
      (select count(distinct scheduled_id) from deliveries where central_id = 1) as scheduled,
      (select count(*) from stops where central_id = 1) as stops,
      (select count(*) from events where central_id = 1 and type = 'scheduled.dispatched') as events`;
  assert.deepEqual(made, { deliveries: COUNT, scheduled: COUNT, stops: COUNT, events: COUNT });
  second.child.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
});
