import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { scheduledOrder } from '../support/orders.ts';
import { schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

/* 1 November 2026 has 25 hours in New York: the clock passes the hour from 01:00 to 02:00 twice, from 05:00Z on. */
const malote = await startMalote();
const { manager, clock, db } = malote;
await db`update centrals set time_zone = 'America/New_York' where id = 1`;
await malote.configure({});

const times = { data: '01/11/2026', hora: '01:40:00' };
const dispatchOf = async (id: number) => {
  const [row] = await db<{ at: Temporal.Instant }>`
    select dispatch_at as at from scheduled where central_id = 1 and id = ${id}`;
  return row!.at.toString();
};

test('before the hour that comes twice its first pass is meant', async () => {
  clock.set('2026-11-01T05:10:00Z');
  assert.equal(await dispatchOf(await schedule(manager, times)), '2026-11-01T05:40:00Z');
});

test('once the first pass is over the second one is meant, and an edit keeps it', async () => {
  clock.set('2026-11-01T06:10:00Z');
  const id = await schedule(manager, times);
  assert.equal(await dispatchOf(id), '2026-11-01T06:40:00Z');
  assertOk(await manager.put(`/entregas/programadas/${id}`, scheduledOrder(times)));
  assert.equal(await dispatchOf(id), '2026-11-01T06:40:00Z');
});

test('after both passes it is in the past', async () => {
  clock.set('2026-11-01T06:41:00Z');
  assertRefused(await manager.post('/entregas/programadas', scheduledOrder(times)), 422, /futuro|passado/);
});
