import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const malote = await startMalote();
const { manager, operator } = malote;

const balance = async (): Promise<number> =>
  (await manager.get('/entregas/empresas/creditos/saldo?tipo_identificacao=I&identificacao=padaria-moinhos'))
    .body.data.saldo;
const open = async (payment: string): Promise<string> =>
  (await manager.post('/entregas', order({ forma_pagamento: payment }))).body.data.id_mch;
const accept = (id: string) => operator.post(`/entregas/${id}/aceitar`, { condutor_id: 1 });
const cancel = async (id: string) => {
  const answer = await manager.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
  assert.equal(answer.status, 200, answer.text);
};
const fee = async (id: string) => (await manager.get(`/entregas/${id}`)).body.data.taxas_cancelamento;

test('without a fee taxas_cancelamento stays null', async () => {
  const id = await open('D');
  await accept(id);
  await cancel(id);
  assert.equal(await fee(id), null);
});

test('where the central sets a fee, it is due once a driver has accepted', async () => {
  await malote.configure({ cancellationFeeCents: 350 });
  const early = await open('D');
  await cancel(early);
  assert.equal(await fee(early), null, 'nobody had accepted');

  const late = await open('D');
  await accept(late);
  await cancel(late);
  assert.equal(await fee(late), '3.50');
});

test('a company that pays from its wallet gets the reserve back and is charged the fee', async () => {
  await malote.configure({ cancellationFeeCents: 350 });
  const before = await balance();
  const id = await open('R');
  await accept(id);
  await cancel(id);
  assert.equal(Math.round((before - (await balance())) * 100), 350);
  assert.equal(await fee(id), '3.50');
});

test('a fee never overdraws a wallet', async (t) => {
  await malote.configureFor(t, { cancellationFeeCents: 1_000_000 });
  const id = await open('R');
  await accept(id);
  await cancel(id);
  assert.equal(await balance(), 0);
});
