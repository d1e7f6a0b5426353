import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { databaseUrlOf, spawnMalote } from '../support/maloteProcess.ts';
import { copyScheduled } from '../support/manyScheduled.ts';
import { scheduledOrder } from '../support/orders.ts';
import { waitUntil } from '../support/waitUntil.ts';

const COUNT = 1_000;
const malote = await startMalote();
const { db, manager } = malote;

const dispatched = async (): Promise<number> => {
  const [row] = await db<{ count: number }>`
    select count(*) from scheduled where central_id = 1 and situation = 'dispatched'`;
  return row!.count;
};

test('a thousand fall due in one second; the process is killed half-way and started again: each is dispatched once', async (t) => {
  const created = await manager.post('/entregas/programadas', scheduledOrder());
  const dispatchAt = Temporal.Now.instant().add({ seconds: 4 });
  await copyScheduled(db, created.body.data.id_mch, COUNT, dispatchAt);
  const env = { DATABASE_URL: databaseUrlOf(malote.connection), MALOTE_LOG: 'error' };
  const first = spawnMalote(['work'], { env });
  t.after(() => first.child.kill('SIGKILL'));
  await waitUntil('some are dispatched', async () => (await dispatched()) > 0, 120_000);
  first.child.kill('SIGKILL');
  await first.ended;
  const killedAt = await dispatched();
  assert.ok(killedAt < COUNT, `killed after ${killedAt}`);

  const second = spawnMalote(['work'], { env });
  t.after(() => second.child.kill('SIGKILL'));
  await waitUntil('all are dispatched', async () => (await dispatched()) === COUNT, 120_000);
  const [made] = await db<{ deliveries: number; scheduled: number; stops: number; events: number }>`
    select (select count(*) from deliveries where central_id = 1) as deliveries,
      (select count(distinct scheduled_id) from deliveries where central_id = 1) as scheduled,
      (select count(*) from stops where central_id = 1) as stops,
      (select count(*) from events where central_id = 1 and type = 'scheduled.dispatched') as events`;
  assert.deepEqual(made, { deliveries: COUNT, scheduled: COUNT, stops: COUNT, events: COUNT });
  second.child.kill('SIGTERM');
  assert.equal((await second.ended).code, 0);
});
