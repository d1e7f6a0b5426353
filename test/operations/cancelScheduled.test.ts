import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { dispatched, readScheduled, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();

const cancel = (id: number) => malote.operator.post(`/programadas/${id}/cancelar`);

test('an operator cancels one that still awaits dispatch', async () => {
  const id = await schedule(malote.manager);
  const answer = await cancel(id);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body.data, { id_mch_programada: id, mensagem: 'entrega programada cancelada' });
  assert.equal((await readScheduled(malote.manager, id)).situacao, 'C');
  assertRefused(await cancel(id), 406, /está cancelada/);
});

test('and one that was dispatched, with its delivery', async () => {
  const { id, deliveryId } = await dispatched(malote);
  assertOk(await cancel(id));
  const status = await malote.manager.get(`/entregas/${deliveryId}/status`);
  assert.equal(status.body.data.status, 'C');
});

test('one of another central is not there', async () => {
  assertRefused(await cancel(10_000_001), 404, /não encontrada/);
});

test('a driver may not', async () => {
  const id = await schedule(malote.manager);
  assertRefused(await malote.driver(1).post(`/programadas/${id}/cancelar`), 403, /permissão/);
});
