import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/client.ts';
import { client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';

const malote = await startMalote();
const { operator } = malote;
const cents = (amount: string): number => Math.round(Number(amount) * 100);

test('the statement tells what happened to a wallet, newest first', async () => {
  malote.clock.advance({ seconds: 30 });
  await malote.central.post('/entregas/empresas/creditos/recargas', {
    valor: 10.29,
    observacao: 'Pix',
    empresa: { tipo_identificacao: 'I', identificacao: 'padaria-moinhos' },
  });
  const created = await malote.manager.post('/entregas', order({ forma_pagamento: 'R' }));
  const id = created.body.data.id_mch;
  const price = (await malote.manager.get(`/entregas/${id}`)).body.data.valor_corrida;
  await malote.manager.post(`/entregas/${id}/cancelar`, { motivo_id: 1 });

  const { status, body } = await operator.get('/empresas/1/extrato');
  assert.equal(status, 200);
  assert.equal(body.data.saldo, '510.29');
  assert.deepEqual(
    body.data.lancamentos.map(({ tipo, valor, saldo_apos, entrega_id, observacao }: Json) => [
      tipo,
      valor,
      saldo_apos,
      entrega_id,
      observacao,
    ]),
    [
      ['estorno_reserva', price, '510.29', id, null],
      ['reserva', `-${price}`, ((51_029 - cents(price)) / 100).toFixed(2), id, null],
      ['recarga', '10.29', '510.29', null, 'Pix'],
      ['recarga', '500.00', '500.00', null, null],
    ],
  );
  const [, , topUp] = body.data.lancamentos;
  assert.equal(topUp.data_hora, '2026-11-16T15:00:30Z');
  assert.match(topUp.usuario_id, /^\d+$/);
});

test('the statement has pages', async () => {
  const all = (await operator.get('/empresas/1/extrato')).body.data.lancamentos;
  const second = await operator.get('/empresas/1/extrato?limite=1&pagina=2');
  assert.deepEqual(second.body.data.lancamentos, all.slice(1, 2));
});

test('only an operator reads it, and only of the own central', async () => {
  assertFailure(await operator.get('/empresas/10000001/extrato'), 404, 0);
  assertFailure(await malote.driver(1).get('/empresas/1/extrato'), 403, 0);
});

test('a company manager reads the own wallet, and no other is there', async () => {
  const manager = client(`${malote.url}/api/v2/operacao`, {
    key: 'demo-chave',
    user: 'gerente',
    password: 'demo',
  });
  const { body } = await manager.get('/empresas/1/extrato');
  const { data } = (await operator.get('/empresas/1/extrato')).body;
  assert.deepEqual(data.empresa, { id: '1', nome: 'Padaria Moinhos', cpf_cnpj: '11222333000181' });
  assert.deepEqual(body.data, { ...data, pode_recarregar: false });
  assertFailure(await manager.get('/empresas/2/extrato'), 404, 0);
});
