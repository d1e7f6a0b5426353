import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const malote = await startMalote();

test('a cancelled delivery shows C', async () => {
  const created = await malote.manager.post('/entregas', order({ forma_pagamento: 'R' }));
  const id = created.body.data.id_mch;
  const answer = await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, message: 'entrega cancelada' });
  const status = await malote.manager.get(`/entregas/${id}/status`);
  assert.equal(status.body.data.status, 'C');
});
