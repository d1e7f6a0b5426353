import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, newDriver, openDelivery } from '../support/steps.ts';

/*
 * A clock ran a month ahead while a delivery ended, and was put right. The days of an account never go back, so all of
 * its entries have the day that this clock showed, until that day has come.
 */
const malote = await startMalote();
await malote.configure({ shareKind: 'percent', sharePercent: 70 });
const { operator, clock } = malote;
const driverId = await newDriver(malote);

async function finishedAt(instant: string): Promise<number> {
  clock.set(instant);
  const { id, stopIds } = await openDelivery(malote, { forma_pagamento: 'F' });
  assertOk(await operator.post(`/entregas/${id}/aceitar`, { condutor_id: driverId }));
  assertOk(await operator.post(`/entregas/${id}/iniciar`));
  for (const stopId of stopIds) assertOk(await operator.post(`/entregas/${id}/paradas/${stopId}/concluir`));
  return id;
}

const parties = ['/empresas/1', `/condutores/${driverId}`];
const nothing = /não há nada em aberto até esta data/;

/** The deliveries of the closing that each account gets. */
async function close(ate: string): Promise<number[][]> {
  const closed: number[][] = [];
  for (const party of parties) {
    const seen = assertOk(await operator.post(`${party}/fechamentos/simular`, { ate })).body.data;
    const { id, total } = assertOk(await operator.post(`${party}/fechamentos`, { ate })).body.data;
    assert.equal(total, seen.total);
    const { lancamentos } = assertOk(await operator.get(`/fechamentos/${id}?limite=100`)).body.data;
    closed.push(lancamentos.map(({ entrega_id }: Json) => Number(entrega_id)));
  }
  return closed;
}

const both = (...ids: number[]) => [ids, ids];

test('closings up to a day hold what was made by then, after a clock that ran ahead was put right', async () => {
  const before = await finishedAt('2026-11-16T15:00:00Z');
  const ahead = await finishedAt('2026-12-20T15:00:00Z');
  const sameDay = await finishedAt('2026-11-16T16:00:00Z');
  const monthsEnd = await finishedAt('2026-12-01T02:59:59Z');
  const nextMonth = await finishedAt('2026-12-01T03:00:00Z');

  assert.deepEqual(await close('2026-11-30'), both(before, ahead, sameDay, monthsEnd));
  for (const party of parties)
    assertRefused(await operator.post(`${party}/fechamentos`, { ate: '2026-11-30' }), 409, nothing);
  assert.deepEqual(await close('2026-12-01'), both(nextMonth));
  for (const party of parties)
    assertRefused(await operator.post(`${party}/fechamentos/simular`, { ate: '2026-12-01' }), 409, nothing);
});

test('up to today they hold everything, also what was made while the clock ran ahead', async () => {
  const ahead = await finishedAt('2026-12-23T15:00:00Z');
  clock.set('2026-12-02T15:00:00Z');
  for (const party of parties)
    assertRefused(await operator.post(`${party}/fechamentos`, { ate: '2026-12-01' }), 409, nothing);
  assert.deepEqual(await close('2026-12-02'), both(ahead));
});

test('once that day has come, days count as ever', async () => {
  const sameDay = await finishedAt('2026-12-23T16:00:00Z');
  const nextDay = await finishedAt('2026-12-24T16:00:00Z');
  assert.deepEqual(await close('2026-12-23'), both(sameDay));
  assert.deepEqual(await close('2026-12-24'), both(nextDay));
});
