import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { stopRows } from '../support/rows.ts';

const malote = await startMalote();
const withAmounts = (...amounts: unknown[]) => ({
  paradas: amounts.map((valor_cobrar, index) => ({ ...stop(index), valor_cobrar })),
});

test('what a stop collects may come as a number, as text, or not at all', async () => {
  const created = await malote.manager.post('/entregas', order(withAmounts(12.29, '7.5', null, undefined)));
  assert.equal(created.status, 200, created.text);
  const rows = await stopRows(malote, { noun: 'delivery', id: Number(created.body.data.id_mch) });
  assert.deepEqual(
    rows.map((row) => row.collect_cents),
    [1229, 750, null, null],
  );
});

test('amounts that are none are named together with whatever else is wrong', async () => {
  const wrong = { ...withAmounts(1.234, '1.234', -1, true), forma_pagamento: 'Z' };
  const fields = ['forma_pagamento', ...[0, 1, 2, 3].map((index) => `paradas[${index}].valor_cobrar`)];
  assert.deepEqual(complainedFields(await malote.manager.post('/entregas', order(wrong))), fields);
  const scheduled = await malote.manager.post('/entregas/programadas', scheduledOrder(wrong));
  assert.deepEqual(complainedFields(scheduled), fields);
});
