import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { failedDispatch, schedule } from '../support/scheduled.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { operator, clock } = malote;
const login = (user: string, key = 'demo-chave'): Client =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const [manager, manager2, neighbour] = [
  login('gerente'),
  login('gerente2'),
  login('vizinha', 'demo-vizinha'),
];

const failedCount = async (who: Client): Promise<number> =>
  assertOk(await who.get('/resumo')).body.data.programadas_com_falha;
const failed = async (who: Client, language = 'pt-BR'): Promise<Json[]> =>
  assertOk(await who.get('/programadas?situacao=X', { 'accept-language': language })).body.data;

await schedule(malote.manager);
const ids = [await failedDispatch(malote)];
clock.advance({ minutes: 10 });
ids.push(await failedDispatch(malote));

test('failed dispatches are counted for those who may see them', async () => {
  const counts = [];
  for (const who of [operator, manager2, manager, neighbour]) counts.push(await failedCount(who));
  assert.deepEqual(counts, [2, 2, 0, 0]);
});

test('they are listed with the reason in the language asked for, the latest first', async () => {
  const listed = await failed(operator);
  assert.deepEqual(
    listed.map(({ id_mch_programada }) => Number(id_mch_programada)),
    ids.toReversed(),
  );
  assert.equal(listed[0].falha, 'saldo insuficiente na carteira de créditos da empresa');
  const [english] = await failed(manager2, 'en');
  assert.equal(english.falha, 'insufficient balance in the credit wallet of the company');
  assert.deepEqual(await failed(manager), []);
});

test('the story tells the same reason', async () => {
  const story = async (language: string) =>
    assertOk(await operator.get(`/programadas/${ids[0]}`, { 'accept-language': language })).body.data;
  const [portuguese, english] = [await story('pt-BR'), await story('en')];
  for (const { falha, historico } of [portuguese, english]) assert.equal(historico.at(-1).data.falha, falha);
  assert.match(english.falha, /^insufficient/);
});

test('one can no longer be edited, and a cancelled one needs nobody any more', async () => {
  const again = order({ data: '20/11/2026', hora: '12:00:00', forma_pagamento: 'D' });
  assertRefused(await malote.manager2.put(`/entregas/programadas/${ids[0]}`, again), 406, /falhou/);
  assert.equal(await failedCount(operator), 2);
  assertOk(await operator.post(`/programadas/${ids[0]}/cancelar`));
  assertOk(await malote.manager2.post(`/entregas/programadas/${ids[1]}/cancelar`));
  assert.equal(await failedCount(operator), 0);
  assert.deepEqual(await failed(operator), []);
});
