import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';

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

test('two operators who remove each other at the same time leave one', async () => {
  for (let round = 0; round < 5; round += 1) {
    const otherId = await create({ usuario: `outro${round}`, perfil: 'operador' });
    const other = login(`outro${round}`, 'uma senha boa');
    assert.equal((await other.get('/empresas')).status, 200);
    await malote.db`update users set active = false
      where central_id = 1 and role = 'operator' and username not in ('central', ${`outro${round}`})`;
    const disabled = { perfil: 'operador', ativo: false };
    const answers = await Promise.all([
      operator.put(`/usuarios/${otherId}`, { usuario: `outro${round}`, ...disabled }),
      other.put(`/usuarios/${await ownId()}`, { usuario: 'central', ...disabled }),
    ]);
    const active = await malote.db<{ username: string }>`
      select username from users where central_id = 1 and role = 'operator' and active`;
    assert.equal(active.length, 1, answers.map(({ text }) => text).join('\n'));
    await malote.db`update users set active = true where central_id = 1 and username = 'central'`;
    await malote.app.needs.registersHeard();
  }
});
