import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { newestEvent } from '../support/rows.ts';
import { eventsOfScheduled } from '../support/scheduled.ts';

const malote = await startMalote();

const codesOf = (body: { errors: { code: number; message: string }[] }) =>
  body.errors.map(({ code }) => code);

test('answers with the scheduled id as a string', async () => {
  const answer = await malote.manager.post('/entregas/programadas', scheduledOrder());
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(Object.keys(answer.body), ['success', 'data']);
  assert.deepEqual(Object.keys(answer.body.data), ['id_mch']);
  assert.match(answer.body.data.id_mch, /^\d+$/);
});

test('a central user names the company, or the person it is for', async () => {
  const corporate = await malote.central.post('/entregas/programadas', scheduledOrder({ empresa_id: 2 }));
  assert.equal(corporate.status, 200, corporate.text);
  const seen = await malote.manager2.get(`/entregas/programadas/${corporate.body.data.id_mch}`);
  assert.deepEqual(seen.body.data.empresa, { id: '2', nome: 'Farmácia Guaíba' });

  const personal = await malote.central.post(
    '/entregas/programadas',
    scheduledOrder({ categoria_nome: 'moto', cliente: { nome: 'Rita', cpf: '529.982.247-25' } }),
  );
  assert.equal(personal.status, 200, personal.text);
  const read = await malote.central.get(`/entregas/programadas/${personal.body.data.id_mch}`);
  assert.deepEqual(read.body.data.empresa, { id: null, nome: null });
});

test('everything that is wrong with a body comes back at once, one entry per field', async () => {
  const body = order({ forma_pagamento: 'V', paradas: [], data: '31/02/2027' });
  const answer = await malote.manager.post('/entregas/programadas', body);
  assert.equal(answer.status, 400);
  assert.equal(answer.body.success, false);
  const fields = answer.body.errors.map((one: { message: string }) => /^'([^']+)': ./.exec(one.message)?.[1]);
  assert.deepEqual(fields.toSorted(), ['data', 'forma_pagamento', 'hora', 'paradas']);
  assert.deepEqual(new Set(codesOf(answer.body)), new Set([2]));
});

for (const [what, changes] of [
  ['an hour that no clock shows', { hora: '24:00:00' }],
  ['a date in another order', { data: '2026-11-16' }],
  ['a date beyond what can be stored', { data: '31/12/9999' }],
  ['eleven stops', { paradas: Array.from({ length: 11 }, (_, index) => stop(index)) }],
  ['no stops', { paradas: [] }],
  ['coordinates as numbers', { partida: { ...order().partida, lat: -30.03 } }],
] as const)
  test(`refuses ${what} with 400 and code 2`, async () => {
    const answer = await malote.manager.post('/entregas/programadas', scheduledOrder(changes));
    assert.equal(answer.status, 400, answer.text);
    assert.deepEqual(codesOf(answer.body), [2]);
  });

for (const [status, what, changes] of [
  [422, 'a dispatch in the past', { hora: '11:59:59' }],
  [422, 'a dispatch at this very second', { hora: '12:00:00' }],
  [422, 'a point outside the operating areas', { paradas: [{ ...stop(), lat_parada: '-10.0' }] }],
  [404, 'a category that is not there', { categoria_id: 999 }],
  [422, 'a category and another name', { categoria_id: 1, categoria_nome: 'Carro' }],
  [422, 'a coupon that is not there', { codigo_cupom: 'NUNCA' }],
  [404, "another company than the manager's own", { empresa_id: 2 }],
] as const)
  test(`refuses ${what} with ${status} and code 0`, async () => {
    const answer = await malote.manager.post('/entregas/programadas', scheduledOrder(changes));
    assert.equal(answer.status, status, answer.text);
    assert.deepEqual(codesOf(answer.body), [0]);
  });

test('a company of another central is the same as none', async () => {
  const answer = await malote.central.post('/entregas/programadas', scheduledOrder({ empresa_id: 10000001 }));
  assert.equal(answer.status, 404);
});

test('credits are not asked for before dispatch, but a company is', async () => {
  const company = await malote.manager.post(
    '/entregas/programadas',
    scheduledOrder({ forma_pagamento: 'R' }),
  );
  assert.equal(company.status, 200, company.text);
  const person = await malote.central.post(
    '/entregas/programadas',
    scheduledOrder({
      forma_pagamento: 'R',
      categoria_id: 1,
      cliente: { nome: 'Rita', cpf: '52998224725' },
    }),
  );
  assert.equal(person.status, 422);
});

test('the same Idempotency-Key schedules once', async () => {
  const headers = { 'idempotency-key': 'one-order' };
  const first = await malote.manager.post('/entregas/programadas', scheduledOrder(), headers);
  const again = await malote.manager.post('/entregas/programadas', scheduledOrder(), headers);
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(again.body, first.body);
  const other = await malote.manager.post(
    '/entregas/programadas',
    scheduledOrder({ hora: '14:00:00' }),
    headers,
  );
  assert.equal(other.status, 409);
});

test('a driver may not schedule', async () => {
  const headers = { authorization: `Basic ${btoa('condutor1:demo')}` };
  const answer = await malote.central.post('/entregas/programadas', scheduledOrder(), headers);
  assert.equal(answer.status, 403);
});

test('the creation is told by an event of its company', async () => {
  const created = await malote.manager.post('/entregas/programadas', scheduledOrder());
  const events = await eventsOfScheduled(malote, Number(created.body.data.id_mch));
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [['scheduled.changed', 1]],
  );
  assert.equal((await newestEvent(malote)).company_id, 1);
});
