import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, client } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused, countStatuses } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const [manager, manager2, neighbour] = [
  login('gerente'),
  login('gerente2'),
  login('vizinha', 'demo-vizinha'),
];
assertOk(
  await operator.post('/usuarios', { usuario: 'colega', senha: 'senha-da-colega', perfil: 'operador' }),
);
const colleague = client(`${malote.url}/api/v2/operacao`, {
  key: 'demo-chave',
  user: 'colega',
  password: 'senha-da-colega',
});

const view = (nome: string, changes = {}) => ({
  lista: 'entregas',
  nome,
  filtros: 'status=F&periodo=hoje',
  ...changes,
});
const names = async (side: Client, list = 'entregas'): Promise<string[]> =>
  assertOk(await side.get(`/visoes?lista=${list}`)).body.data.map(({ nome }: { nome: string }) => nome);

test('a view follows its user, by list, and is renamed and deleted', async () => {
  const { data } = assertOk(await operator.post('/visoes', view('  Fechadas hoje '))).body;
  assert.deepEqual(
    [data.nome, data.filtros, data.propria, data.compartilhada, data.usuario],
    ['Fechadas hoje', 'status=F&periodo=hoje', true, false, 'central'],
  );
  assert.deepEqual(await names(operator), ['Fechadas hoje']);
  assert.deepEqual(await names(operator, 'programadas'), []);
  const renamed = await operator.put(`/visoes/${data.id}`, view('Encerradas', { filtros: 'status=F' }));
  assert.equal(assertOk(renamed).body.data.filtros, 'status=F');
  assert.deepEqual(await names(operator), ['Encerradas']);
  assertOk(await operator.delete(`/visoes/${data.id}`));
  assert.deepEqual(await names(operator), []);
  assertRefused(await operator.delete(`/visoes/${data.id}`), 404, /não encontrado/);
});

test('a name is used once per list and user, whatever its capitals', async () => {
  const { id } = assertOk(await operator.post('/visoes', view('Pendentes'))).body.data;
  assertRefused(await operator.post('/visoes', view('PENDENTES')), 409, /com este nome/);
  assertOk(await operator.post('/visoes', view('Pendentes', { lista: 'programadas' })));
  const other = assertOk(await operator.post('/visoes', view('Outra'))).body.data;
  assertRefused(await operator.put(`/visoes/${other.id}`, view('pendentes')), 409, /com este nome/);
  assertOk(await operator.put(`/visoes/${id}`, view('pendentes')));
});

test('a shared view is shown to people with the same scope, and only its user changes it', async () => {
  const own = assertOk(await operator.post('/visoes', view('Da central', { compartilhada: true }))).body.data;
  assertOk(await operator.post('/visoes', view('Só minha')));
  const seen = assertOk(await colleague.get('/visoes?lista=entregas')).body.data;
  assert.deepEqual(
    seen.map(({ nome, propria, usuario }: Record<string, unknown>) => [nome, propria, usuario]),
    [['Da central', false, 'central']],
  );
  for (const side of [manager, manager2, neighbour]) assert.deepEqual(await names(side), []);
  assertRefused(await colleague.put(`/visoes/${own.id}`, view('Minha agora')), 404, /não encontrado/);
  assertRefused(await colleague.delete(`/visoes/${own.id}`), 404, /não encontrado/);
  assertOk(await manager.post('/visoes', view('Da padaria', { compartilhada: true })));
  assert.deepEqual(await names(manager), ['Da padaria']);
  assert.deepEqual(await names(manager2), []);
  assert.ok(!(await names(operator)).includes('Da padaria'));
});

test('a user has a limited number of them, also when many are saved at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 55 }, (_, index) => colleague.post('/visoes', view(`Visão ${index}`))),
  );
  assert.deepEqual(countStatuses(answers), { 200: 50, 409: 5 });
  const refused = answers.find(({ status }) => status === 409)!;
  assertRefused(refused, 409, /já salvou 50 visões/);
});

test('an unknown list, a missing name and too long texts are refused', async () => {
  for (const body of [view('x', { lista: 'segredos' }), view(' '), view('x', { filtros: 'y'.repeat(1_001) })])
    assert.equal((await operator.post('/visoes', body)).status, 400);
  assertRefused(await malote.driver(1).get('/visoes?lista=entregas'), 403, /permissão/);
});
