import assert from 'node:assert/strict';
import { test } from 'node:test';
import { client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';

const malote = await startMalote();
const { operator } = malote;
const withKey = (key: string) =>
  client(`${malote.url}/api/v2/operacao`, { key, user: 'central', password: 'demo' });

test('a key is shown once, works at once, and never again is to be seen', async () => {
  const created = await operator.post('/chaves', { descricao: 'Loja virtual' });
  assert.equal(created.status, 200, created.text);
  const { chave, ...shown } = created.body.data;
  assert.match(chave, /^mal_[\w-]{43}$/);
  assert.deepEqual(shown, {
    id: shown.id,
    descricao: 'Loja virtual',
    criada_em: '2026-11-16T15:00:00Z',
    revogada_em: null,
  });
  assert.equal((await withKey(chave).get('/empresas')).status, 200);
  const read = await operator.get(`/chaves/${shown.id}`);
  assert.deepEqual(read.body.data, shown);
  for (const { text } of [read, await operator.get('/chaves')]) assert.ok(!text.includes(chave));
  const [row] = await malote.db<{ row: string }>`
    select k::text as row from api_keys k where central_id = 1 and id = ${shown.id}`;
  assert.ok(!row!.row.includes(chave));
});

test('a repeated creation is the same key, and the key itself was not kept for the answer', async () => {
  const headers = { 'idempotency-key': 'one-key' };
  const first = await operator.post('/chaves', { descricao: 'Uma só' }, headers);
  const second = await operator.post('/chaves', { descricao: 'Uma só' }, headers);
  assert.match(first.body.data.chave, /^mal_/);
  assert.equal(second.status, 200, second.text);
  assert.deepEqual(second.body.data, { ...first.body.data, chave: null });
  const [kept] = await malote.db<{
    answer: string;
  }>`select answer from idempotency_keys where key = 'one-key'`;
  assert.ok(!kept!.answer.includes(first.body.data.chave));
});

test('a key can be renamed', async () => {
  const { id } = (await operator.post('/chaves', { descricao: 'Velha' })).body.data;
  const renamed = await operator.put(`/chaves/${id}`, { descricao: 'Nova' });
  assert.equal(renamed.body.data.descricao, 'Nova');
  assert.equal(renamed.body.data.chave, undefined);
});

test('a revoked key is shut out at once, for good, and stays listed', async () => {
  const { id, chave } = (await operator.post('/chaves', { descricao: 'Curta' })).body.data;
  assert.equal((await withKey(chave).get('/empresas')).status, 200);
  malote.clock.advance({ minutes: 1 });
  const revoked = await operator.delete(`/chaves/${id}`);
  assert.deepEqual(revoked.body, { success: true, message: 'chave revogada' });
  assertFailure(await withKey(chave).get('/empresas'), 401, 0);
  malote.clock.advance({ minutes: 1 });
  assert.equal((await operator.delete(`/chaves/${id}`)).status, 200);
  assert.equal((await operator.get(`/chaves/${id}`)).body.data.revogada_em, '2026-11-16T15:01:00Z');
});

test('the last key cannot be revoked', async () => {
  const keys = (await operator.get('/chaves?limite=100')).body.data;
  for (const { id } of keys.slice(1)) assert.equal((await operator.delete(`/chaves/${id}`)).status, 200);
  const last = await operator.delete(`/chaves/${keys[0].id}`);
  assertFailure(last, 409, 0);
  assert.match(last.body.errors[0].message, /ao menos uma chave/);
  assert.equal((await operator.get('/chaves')).status, 200);
});

test('a key of another central is not there', async () => {
  for (const answer of [
    await operator.get('/chaves/10000001'),
    await operator.put('/chaves/10000001', { descricao: 'Minha' }),
    await operator.delete('/chaves/10000001'),
  ])
    assertFailure(answer, 404, 0);
  assert.equal((await malote.neighbour.post('/entregas/consultar')).status, 200);
});

test('only an operator sees or makes keys', async () => {
  const driver = malote.driver(1);
  for (const answer of [
    await driver.get('/chaves'),
    await driver.post('/chaves', { descricao: 'Minha' }),
    await driver.delete('/chaves/1'),
  ])
    assertFailure(answer, 403, 0);
});
