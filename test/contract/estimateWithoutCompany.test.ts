import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order } from '../support/orders.ts';
import { changeAgain, changeRecord, newRecord } from '../support/registers.ts';
import { countKeys } from '../support/rows.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

// Completions, Creation: POST /entregas/estimativas is contract 4.1 without a company.
const malote = await startMalote();
const { central, manager, operator } = malote;
const path = '/entregas/estimativas';
const cliente = { nome: 'Rita Lima', cpf: '529.982.247-25' };

test('POST /entregas/estimativas: a central user -> the fields and figures of 4.1', async () => {
  const body = estimate({ latlng_paradas: '-30.0277,-51.2287', categoria_id: 2, com_retorno: true });
  const answer = assertOk(await central.post(path, body));
  const forCompany = assertOk(await central.post('/entregas/empresas/1/estimativas', body));
  assert.deepEqual(answer.body, forCompany.body);
});

test('POST /entregas/estimativas: no category -> the oldest active category of the central', async (t) => {
  const name = async () => assertOk(await central.post(path, estimate())).body.data.categoria_nome;
  assert.equal(await name(), 'Moto');
  await changeRecord(t, operator, '/categorias/1', { ativa: false });
  assert.equal(await name(), 'Carro');
});

test('POST /entregas/estimativas: no category and none that is active -> 422', async (t) => {
  for (const { id } of assertOk(await operator.get('/categorias')).body.data)
    await changeRecord(t, operator, `/categorias/${id}`, { ativa: false });
  assertRefused(await central.post(path, estimate()), 422, /informe a categoria/);
});

test('POST /entregas/estimativas: a manager -> its own company, with its default category', async (t) => {
  await changeRecord(t, operator, '/empresas/1', { categoria_padrao_id: 3 });
  assert.equal(assertOk(await manager.post(path, estimate())).body.data.categoria_nome, 'Bike');
  assert.equal(assertOk(await central.post(path, estimate())).body.data.categoria_nome, 'Moto');
  await changeAgain(operator, '/empresas/1', { categoria_padrao_id: null });
  assertRefused(await manager.post(path, estimate()), 422, /informe a categoria/);
});

test('a delivery for a person costs what was estimated, with the same category', async () => {
  for (const category of [{}, { categoria_nome: 'carro' }]) {
    const estimated = assertOk(await central.post(path, estimate(category))).body.data;
    const { id_mch } = assertOk(await central.post('/entregas', order({ cliente, ...category }))).body.data;
    const opened = assertOk(await central.get(`/entregas/${id_mch}`)).body.data;
    assert.equal(Number(opened.valor_corrida), estimated.estimativa_valor);
    assert.equal(opened.categoria, estimated.categoria_nome);
    assert.equal(opened.empresa_id, null);
  }
});

const refusals: [string, Record<string, unknown>, number, RegExp][] = [
  ['a category id and name that disagree', { categoria_id: 1, categoria_nome: 'Carro' }, 422, /diferentes/],
  ['an unknown category', { categoria_id: 99 }, 404, /categoria não encontrada/],
  ['a category of another central', { categoria_id: 10_000_001 }, 404, /categoria não encontrada/],
  ['a destination outside every operating area', { lng_desejado: -50 }, 422, /áreas de atuação/],
];
for (const [what, changes, status, words] of refusals)
  test(`POST /entregas/estimativas: ${what} -> ${status}`, async () => {
    assertRefused(await central.post(path, estimate(changes)), status, words);
  });

test('POST /entregas/estimativas: a category without a tariff -> 422', async () => {
  const drone = await newRecord(operator, '/categorias', { nome: 'Drone', perfil: 'moto' });
  assertRefused(await central.post(path, estimate({ categoria_id: drone.id })), 422, /não há tarifa/);
});

test('POST /entregas/estimativas: a manager of an inactive company -> 422', async (t) => {
  await changeRecord(t, operator, '/empresas/1', { ativa: false });
  assertRefused(await manager.post(path, estimate()), 422, /empresa está inativa/);
});

test('POST /entregas/estimativas: no way on the roads -> 422', async () => {
  const routers = testRouters();
  const broken = await startMalote({ routers: { ...routers, forEstimates: routers.forPlanning } });
  routers.fail();
  assertRefused(await broken.central.post(path, estimate()), 422, /não foi possível calcular/);
});

test('POST /entregas/estimativas: wrong fields -> 400, one entry for each, code 2', async () => {
  const answer = await central.post(path, estimate({ lat_partida: '-30', cidade_desejado: undefined }));
  assert.deepEqual(complainedFields(answer).toSorted(), ['cidade_desejado', 'lat_partida']);
});

test('POST /entregas/estimativas: an Idempotency-Key -> nothing is kept under it', async () => {
  const key = { 'idempotency-key': 'estimate-without-company' };
  assertOk(await central.post(path, estimate(), key));
  assert.equal(
    assertOk(await central.post(path, estimate({ categoria_id: 2 }), key)).body.data.categoria_nome,
    'Carro',
  );
  assert.equal(await countKeys(malote, key['idempotency-key']), 0);
});
