import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const malote = await startMalote();
const path = (tipo: string, value: string) =>
  `/entregas/empresas/creditos/saldo?tipo_identificacao=${tipo}&identificacao=${encodeURIComponent(value)}`;
const bakery = path('J', '11.222.333/0001-81');

test('the balance is a number', async () => {
  const answer = await malote.central.get(bakery);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { success: true, data: { saldo: 500 } });
});

test('the balance follows top-ups and what deliveries reserve, to the cent', async () => {
  await malote.central.post('/entregas/empresas/creditos/recargas', {
    valor: 0.29,
    empresa: { tipo_identificacao: 'C', identificacao: 'C-1001' },
  });
  const more = await malote.central.get(bakery);
  assert.equal(more.body.data.saldo, 500.29);

  const created = await malote.manager.post('/entregas', order({ forma_pagamento: 'R' }));
  const delivery = await malote.manager.get(`/entregas/${created.body.data.id_mch}`);
  const cents = Math.round(Number(delivery.body.data.valor_corrida) * 100);
  const less = await malote.central.get(bakery);
  assert.equal(less.body.data.saldo, (50_029 - cents) / 100);
});

test('each type of identification finds the company', async () => {
  const named: [string, string][] = [
    ['J', '12ABC34501DE35'],
    ['T', '5133335678'],
    ['C', 'C-1002'],
    ['I', 'farmacia-guaiba'],
  ];
  for (const [type, value] of named) {
    const answer = await malote.central.get(path(type, value));
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.body.data.saldo, 200);
  }
});

test('both parameters are required, and a malformed value is named', async () => {
  const empty = await malote.central.get('/entregas/empresas/creditos/saldo');
  assert.equal(empty.status, 400);
  assert.deepEqual(
    empty.body.errors.map(({ message }: { message: string }) => message),
    ["'tipo_identificacao': é obrigatório", "'identificacao': é obrigatório"],
  );
  for (const [type, value] of [
    ['F', '123'],
    ['J', '11222333000182'],
    ['T', 'telefone'],
    ['C', ''],
    ['I', ' '],
  ] as const) {
    const answer = await malote.central.get(path(type, value));
    assert.equal(answer.status, 400, answer.text);
    assert.match(answer.body.errors[0].message, /^'identificacao': /);
    assert.equal(answer.body.errors[0].code, 2);
  }
  const unknown = await malote.central.get(path('Z', '123'));
  assert.match(unknown.body.errors[0].message, /^'tipo_identificacao': deve ser um de: F, J, T, C, I/);
  const twice = await malote.central.get(`${bakery}&identificacao=11222333000181`);
  assert.equal(twice.status, 400);
});

test('a company that a login may not see gets the same 404 as a missing one', async () => {
  const answers = [
    await malote.central.get(path('I', 'nobody')),
    await malote.central.get(path('I', 'emporio-do-porto')),
    await malote.manager2.get(bakery),
    await malote.neighbour.get(bakery),
  ];
  for (const { status, text } of answers) {
    assert.equal(status, 404);
    assert.equal(text, answers[0]!.text);
  }
  assert.equal((await malote.manager.get(bakery)).status, 200);
});
