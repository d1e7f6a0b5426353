import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order } from '../support/orders.ts';
import { setBalance } from '../support/rows.ts';
import { dispatchAll, failedDispatch, schedule } from '../support/scheduled.ts';
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

test('an edited one awaits again, is dispatched at its new instant and needs no person any more', async () => {
  const id = await failedDispatch(malote);
  assert.equal(await failedCount(operator), 3);
  const shown = async () => assertOk(await malote.manager2.get(`/entregas/programadas/${id}`)).body.data;
  assert.equal((await shown()).situacao, 'X');
  const again = (hora: string) => order({ data: '16/11/2026', hora, forma_pagamento: 'D' });
  assertRefused(await malote.manager2.put(`/entregas/programadas/${id}`, again('08:00:00')), 422, /futuro/);
  assert.equal((await shown()).situacao, 'X');
  const answer = await malote.manager2.put(`/entregas/programadas/${id}`, again('18:00:00'));
  assert.deepEqual(assertOk(answer).body, { success: true, id_mch: id });
  assert.deepEqual([(await shown()).situacao, (await shown()).id_mch], ['A', null]);
  assert.equal(await failedCount(operator), 2);
  const { falha, historico } = assertOk(await operator.get(`/programadas/${id}`)).body.data;
  assert.equal(falha, null);
  assert.equal(historico.at(-1).data.mudanca, 'editada');
  clock.set('2026-11-16T21:00:00Z');
  await dispatchAll(malote);
  assert.equal((await shown()).situacao, 'D');
  assert.notEqual((await shown()).id_mch, null);
});

test('a failed dispatch of an automatic merge cannot be sent again', async () => {
  const id = await failedDispatch(malote);
  await malote.db`update scheduled set grouped_automatically = true where central_id = 1 and id = ${id}`;
  const again = order({ data: '20/11/2026', hora: '12:00:00', forma_pagamento: 'D' });
  assertRefused(
    await malote.manager2.put(`/entregas/programadas/${id}`, again),
    400,
    /agrupada automaticamente/,
  );
  assertOk(await operator.post(`/programadas/${id}/cancelar`));
});

test('a failed dispatch is sent again with one request, once its cause is resolved', async () => {
  const id = await failedDispatch(malote);
  const retry = (who: Client = operator) => who.post(`/programadas/${id}/disparar`);
  assertRefused(await retry(), 422, /saldo/i);
  assert.equal((await failed(operator))[0].id_mch_programada, String(id));
  assertRefused(await retry(neighbour), 404, /não encontrada/);
  await setBalance(malote, 100_000, 2);
  const answer = assertOk(await retry());
  assert.deepEqual(answer.body.data, { id_mch_programada: String(id), situacao: 'A' });
  assertRefused(await retry(), 406, /não falhou/);
  await dispatchAll(malote);
  const { situacao, id_mch, historico } = assertOk(await operator.get(`/programadas/${id}`)).body.data;
  assert.equal(situacao, 'D');
  assert.notEqual(id_mch, null);
  assert.equal(historico.at(-2).autor.nome, 'central');
  await setBalance(malote, 0, 2);
});

test('a failed one loses no stop alone, and a cancelled one needs nobody any more', async () => {
  const [stop] = assertOk(await malote.manager2.get(`/entregas/programadas/${ids[0]}`)).body.data.paradas;
  assertRefused(
    await malote.manager2.delete(`/entregas/programadas/${ids[0]}/paradas/${stop.id}`),
    406,
    /falhou/,
  );
  assert.equal(await failedCount(operator), 2);
  assertOk(await operator.post(`/programadas/${ids[0]}/cancelar`));
  assertOk(await malote.manager2.post(`/entregas/programadas/${ids[1]}/cancelar`));
  assert.equal(await failedCount(operator), 0);
  assert.deepEqual(await failed(operator), []);
});
