import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder } from '../support/orders.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
const { central, manager } = malote;
const path = '/entregas/empresas/creditos/saques';
const bakery = { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' };
const pharmacy = { tipo_identificacao: 'I', identificacao: 'farmacia-guaiba' };
const move = (changes: Record<string, unknown> = {}) => ({ valor: 10, empresa: bakery, ...changes });
const topUp = async (changes: Record<string, unknown>) =>
  assertOk(await central.post('/entregas/empresas/creditos/recargas', move(changes)));

const balanceOf = async (identificacao: string): Promise<number> => {
  const query = `tipo_identificacao=I&identificacao=${identificacao}`;
  return assertOk(await central.get(`/entregas/empresas/creditos/saldo?${query}`)).body.data.saldo;
};
const cents = (amount: number): number => Math.round(amount * 100);

test('a withdrawal takes credit out and answers with the id of its entry as text', async () => {
  const before = await balanceOf('padaria-moinhos');
  const answer = assertOk(await central.post(path, move({ valor: 0.29, observacao: 'Devolução' })));
  assert.deepEqual(Object.keys(answer.body.data), ['registro_id']);
  assert.match(answer.body.data.registro_id, /^\d+$/);
  assert.equal(cents(await balanceOf('padaria-moinhos')), cents(before) - 29);
  const { lancamentos } = (await malote.operator.get('/empresas/1/extrato')).body.data;
  const { id, tipo, valor, entrega_id, observacao } = lancamentos[0];
  assert.deepEqual(
    { id, tipo, valor, entrega_id, observacao },
    {
      id: answer.body.data.registro_id,
      tipo: 'saque',
      valor: '-0.29',
      entrega_id: null,
      observacao: 'Devolução',
    },
  );
});

test('a wallet can be emptied to zero, and not a cent further', async () => {
  const balance = await balanceOf('farmacia-guaiba');
  const tooMuch = await central.post(path, move({ valor: balance + 0.01, empresa: pharmacy }));
  assertRefused(tooMuch, 422, /^saldo insuficiente na carteira de créditos da empresa$/);
  assert.equal(await balanceOf('farmacia-guaiba'), balance);
  assertOk(await central.post(path, move({ valor: balance, empresa: pharmacy })));
  assert.equal(await balanceOf('farmacia-guaiba'), 0);
  assertRefused(
    await central.post(path, move({ valor: 0.01, empresa: pharmacy })),
    422,
    /saldo insuficiente/,
  );
});

test('withdrawals in parallel take no more than there is', async () => {
  await topUp({ valor: 35, empresa: pharmacy });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => central.post(path, move({ valor: 10, empresa: pharmacy }))),
  );
  assert.deepEqual(countStatuses(answers), { 200: 3, 422: 5 });
  assert.equal(await balanceOf('farmacia-guaiba'), 5);
});

test('the reserve of a delivery cannot be withdrawn', async () => {
  const before = await balanceOf('padaria-moinhos');
  const { body } = assertOk(await manager.post('/entregas', order({ forma_pagamento: 'R' })));
  const left = await balanceOf('padaria-moinhos');
  assert.ok(left < before);
  assertRefused(await central.post(path, move({ valor: before })), 422, /saldo insuficiente/);
  assertOk(await central.post(path, move({ valor: left })));
  assertOk(await manager.post(`/entregas/${body.data.id_mch}/cancelar`, { motivo_id: 2 }));
  assert.equal(cents(await balanceOf('padaria-moinhos')), cents(before) - cents(left));
});

test('credit for a scheduled delivery may be withdrawn before its dispatch', async () => {
  await topUp({ valor: 200 });
  assertOk(await manager.post('/entregas/programadas', scheduledOrder({ forma_pagamento: 'R' })));
  const balance = await balanceOf('padaria-moinhos');
  assertOk(await central.post(path, move({ valor: balance })));
  assert.equal(await balanceOf('padaria-moinhos'), 0);
});

test('a manager never withdraws, also where it may top up', async (t) => {
  await malote.configureFor(t, {});
  for (const allowed of [false, true]) {
    await malote.operator.put('/configuracoes', { permite_gerente_recarregar: allowed });
    assertRefused(await manager.post(path, move()), 403, /não tem permissão/);
  }
});

test('the same Idempotency-Key withdraws once', async () => {
  await topUp({ valor: 50 });
  const before = await balanceOf('padaria-moinhos');
  const headers = { 'idempotency-key': 'withdraw-once' };
  const first = await central.post(path, move(), headers);
  const second = await central.post(path, move(), headers);
  assert.equal(first.status, 200, first.text);
  assert.equal(second.text, first.text);
  assert.equal(await balanceOf('padaria-moinhos'), before - 10);
  assert.equal((await central.post(path, move({ valor: 11 }), headers)).status, 409);
});

for (const valor of [0, -1, 1.234, 1_000_000.01, '10.00', null])
  test(`a withdrawal of ${JSON.stringify(valor)} is a mistake in the body`, async () => {
    const answer = await central.post(path, move({ valor }));
    assert.equal(answer.status, 400, answer.text);
    assert.equal(answer.body.errors[0].code, 2);
    assert.match(answer.body.errors[0].message, /^'valor': /);
  });

test('a company of another central, or that nobody has, is the same 404', async () => {
  for (const identificacao of ['nobody', 'vizinha'])
    assertRefused(
      await central.post(path, move({ empresa: { ...bakery, identificacao } })),
      404,
      /^empresa não encontrada$/,
    );
});
