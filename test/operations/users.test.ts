import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator } = malote;
const login = (user: string, password: string, base = 'operacao'): Client =>
  client(`${malote.url}/api/v2/${base}`, { key: 'demo-chave', user, password });
const create = async (fields: Record<string, unknown>): Promise<number> => {
  const answer = await operator.post('/usuarios', { senha: 'uma senha boa', ...fields });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id;
};
const ownId = async (): Promise<number> =>
  (await operator.get('/usuarios')).body.data.find(
    ({ usuario }: { usuario: string }) => usuario === 'central',
  ).id;

test('no answer holds a password or its hash', async () => {
  const created = await operator.post('/usuarios', {
    usuario: 'segredo',
    senha: 'uma senha boa',
    perfil: 'integrador',
  });
  const listed = await operator.get('/usuarios?limite=100');
  for (const { text } of [created, listed]) assert.doesNotMatch(text, /senha|argon|hash|password/i);
});

test('a new login works at once, with its role and for its company only', async () => {
  await create({ usuario: 'integrador', perfil: 'integrador' });
  await create({ usuario: 'gerente3', perfil: 'gerente', empresa_id: 2 });
  const integrator = login('integrador', 'uma senha boa', 'integracao');
  assert.equal((await integrator.post('/entregas/consultar')).status, 200);
  assertFailure(await login('integrador', 'uma senha boa').get('/empresas'), 403, 0);
  const manager = login('gerente3', 'uma senha boa', 'integracao');
  const balance = '/entregas/empresas/creditos/saldo?tipo_identificacao=C&identificacao=';
  assert.equal((await manager.get(`${balance}C-1002`)).status, 200);
  assert.equal((await manager.get(`${balance}C-1001`)).status, 404);
});

test('a change of password holds at once, and without one the old one stays', async () => {
  const id = await create({ usuario: 'ana', perfil: 'operador' });
  const fields = { usuario: 'ana', perfil: 'operador' };
  await operator.put(`/usuarios/${id}`, { ...fields, senha: 'outra senha' });
  assert.equal((await login('ana', 'uma senha boa').get('/empresas')).status, 401);
  assert.equal((await login('ana', 'outra senha').get('/empresas')).status, 200);
  await operator.put(`/usuarios/${id}`, fields);
  assert.equal((await login('ana', 'outra senha').get('/empresas')).status, 200);
});

test('a disabled or deleted login is shut out at once', async () => {
  const id = await create({ usuario: 'bia', perfil: 'operador' });
  const bia = login('bia', 'uma senha boa');
  assert.equal((await bia.get('/empresas')).status, 200);
  await operator.put(`/usuarios/${id}`, { usuario: 'bia', perfil: 'operador', ativo: false });
  assert.equal((await bia.get('/empresas')).status, 401);
  await operator.put(`/usuarios/${id}`, { usuario: 'bia', perfil: 'operador' });
  assert.equal((await bia.get('/empresas')).status, 401, 'stays disabled when nothing is said about it');
  await operator.put(`/usuarios/${id}`, { usuario: 'bia', perfil: 'operador', ativo: true });
  assert.equal((await bia.get('/empresas')).status, 200);
  await operator.delete(`/usuarios/${id}`);
  assert.equal((await bia.get('/empresas')).status, 401);
});

test('operators cannot disable, demote or delete themselves', async () => {
  const id = await ownId();
  for (const answer of [
    await operator.put(`/usuarios/${id}`, { usuario: 'central', perfil: 'operador', ativo: false }),
    await operator.put(`/usuarios/${id}`, { usuario: 'central', perfil: 'integrador' }),
    await operator.delete(`/usuarios/${id}`),
  ]) {
    assertFailure(answer, 409, 0);
    assert.match(answer.body.errors[0].message, /próprio usuário/);
  }
  assert.equal(
    (await operator.put(`/usuarios/${id}`, { usuario: 'central', perfil: 'operador' })).status,
    200,
  );
});

test('of two operators who disable each other at the same time, the second is refused', async (t) => {
  const otherId = await create({ usuario: 'outro', perfil: 'operador' });
  await malote.db`
    update users set active = false
    where central_id = 1 and role = 'operator' and username not in ('central', 'outro')`;
  const other = login('outro', 'uma senha boa');
  assert.equal((await other.get('/empresas')).status, 200);
  const centralId = await ownId();
  const disabled = { perfil: 'operador', ativo: false };

  // Both are let in and wait for the central's lock, so neither knows of the other.
  t.after(async () => {
    await malote.db`update users set active = true where central_id = 1 and username = 'central'`;
    await malote.app.deps.registersHeard();
  });
  const both = await malote.db.begin(async (tx) => {
    await tx`select id from centrals where id = 1 for no key update`;
    const asked = [
      operator.put(`/usuarios/${otherId}`, { usuario: 'outro', ...disabled }),
      other.put(`/usuarios/${centralId}`, { usuario: 'central', ...disabled }),
    ];
    await waitUntil('both wait', async () => {
      const waiting = await malote.db`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length === 2;
    });
    return asked;
  });

  const answers = (await Promise.all(both)).toSorted((a, b) => a.status - b.status);
  assert.equal(answers[0]!.status, 200, answers[0]!.text);
  assertFailure(answers[1]!, 409, 0);
  assert.match(answers[1]!.body.errors[0].message, /ao menos um operador/);
  const active = await malote.db`select 1 from users where central_id = 1 and role = 'operator' and active`;
  assert.equal(active.length, 1);
});

test('a repeated creation makes one login, and a key with another password is refused', async () => {
  const headers = { 'idempotency-key': 'one-login' };
  const body = { usuario: 'unico', senha: 'uma senha boa', perfil: 'integrador' };
  const first = await operator.post('/usuarios', body, headers);
  assert.equal(first.status, 200, first.text);
  assert.equal((await operator.post('/usuarios', body, headers)).text, first.text);
  assertFailure(await operator.post('/usuarios', { ...body, senha: 'outra senha' }, headers), 409, 0);
});
