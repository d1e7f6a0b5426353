import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, client } from '../support/client.ts';
import { assertFailure } from '../support/envelope.ts';
import { countLockWaits } from '../support/lockWaits.ts';
import { startMalote } from '../support/malote.ts';
import { assertRefused, openDelivery } from '../support/steps.ts';
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

  // Both are authorised and wait for the central's lock, so neither sees the other's change.
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
    await waitUntil('both wait', async () => (await countLockWaits(malote.db)) === 2);
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

const driverOnIntegration = client(`${malote.url}/api/v2/integracao`, {
  key: 'demo-chave',
  user: 'condutor1',
  password: 'demo',
});
const managerOnOperation = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'gerente',
  password: 'demo',
});
const delivery = await openDelivery(malote);

const steps = ['aceitar', 'recusar', 'chegar', 'iniciar', 'finalizar', 'desistir', 'liberar', 'atribuir'];
const paths = [
  ...steps.map((step) => `/entregas/${delivery.id}/${step}`),
  `/entregas/${delivery.id}/paradas/${delivery.stopIds[0]}/concluir`,
  '/condutores/1/posicao',
  '/condutores/1/disponibilidade',
];

for (const path of paths)
  test(`a company's manager may not call ${path.replace(/\d+/g, '{id}')}`, async () => {
    assertRefused(await managerOnOperation.post(path, {}), 403, /não tem permissão/);
  });

for (const step of ['liberar', 'atribuir'])
  test(`a driver may not call ${step}`, async () => {
    const answer = await malote.driver(1).post(`/entregas/${delivery.id}/${step}`, { condutor_id: 1 });
    assertRefused(answer, 403, /não tem permissão/);
  });

for (const [method, path] of [
  ['get', ''],
  ['get', '/status'],
  ['get', '/recibo'],
  ['get', '/links-rastreio'],
  ['get', '/condutor/posicao'],
  ['post', '/cancelar'],
] as const)
  test(`a driver's login is refused on the integration interface: ${method} {id}${path}`, async () => {
    const answer = await driverOnIntegration[method](`/entregas/${delivery.id}${path}`);
    assertRefused(answer, 403, /não tem permissão/);
  });

test('without credentials every path of the operation answers 401 in the envelope', async () => {
  for (const path of paths) {
    const anonymous = await malote.operator.send(path, {
      method: 'POST',
      headers: { authorization: undefined },
    });
    assertRefused(anonymous, 401, /usuário e\/ou senha inválidos/);
    const keyless = await malote.operator.send(path, { method: 'POST', headers: { 'api-key': undefined } });
    assertRefused(keyless, 401, /bandeira/);
  }
});

test('a wrong method is 405 and says what is allowed', async () => {
  const answer = await malote.operator.get(`/entregas/${delivery.id}/aceitar`);
  assertRefused(answer, 405, /método não permitido/);
  assert.equal(answer.headers.get('allow'), 'POST');
});
