import assert from 'node:assert/strict';
import { test } from 'node:test';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order } from '../support/orders.ts';
import { changeAgain, changeRecord, newRecord } from '../support/registers.ts';
import { countKeys } from '../support/rows.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { testRouters } from '../support/testRouters.ts';

const malote = await startMalote();
const path = '/entregas/empresas/1/estimativas';

test('an estimate answers with exactly the fields and types of 4.1', async () => {
  const { status, body } = await malote.central.post(path, estimate({ latlng_paradas: '-30.0277,-51.2287' }));
  assert.equal(status, 200);
  const { data, ...envelope } = body;
  assert.deepEqual(envelope, { success: true });
  const { estimativa_valor, estimativa_minutos, estimativa_km, ...rest } = data;
  assert.deepEqual(rest, {
    categoria_nome: 'Moto',
    tarifa_nome: 'Moto padrão',
    partida: { lat: -30.0305, lng: -51.2303 },
    desejado: { lat: -30.0489, lng: -51.2158 },
  });
  assert.equal(typeof estimativa_valor, 'number');
  assert.ok(Number.isInteger(estimativa_minutos) && estimativa_minutos > 0);
  assert.equal(typeof estimativa_km, 'number');
  assert.equal(estimativa_km, Number(estimativa_km.toFixed(2)));
});

test('the figures follow from the roads and the tariff', async (t) => {
  await malote.configureFor(t, {
    estimatorInterceptMetres: 0,
    estimatorDetourPercent: 100,
    estimatorKmPerHour: 60,
  });
  // A twentieth of a degree of latitude: 5.56 km, which take 5.56 minutes at 60 km/h.
  const { body } = await malote.central.post(
    path,
    estimate({ lat_partida: -30.05, lng_partida: -51.2, lat_desejado: -30.1, lng_desejado: -51.2 }),
  );
  assert.equal(body.data.estimativa_km, 5.56);
  assert.equal(body.data.estimativa_minutos, 6);
  // 5.00 + 5.560 km × 1.85 + 5.56 min × 0.125
  assert.equal(body.data.estimativa_valor, 15.98);
});

test('stops are visited in the order given, before the destination', async () => {
  const near = '-30.0310,-51.2300';
  const far = '-30.0900,-51.1500';
  const there = await malote.central.post(path, estimate({ latlng_paradas: `${near}|${far}` }));
  const zigzag = await malote.central.post(path, estimate({ latlng_paradas: `${far}|${near}` }));
  const direct = await malote.central.post(path, estimate());
  assert.ok(zigzag.body.data.estimativa_km > there.body.data.estimativa_km);
  assert.ok(there.body.data.estimativa_km > direct.body.data.estimativa_km);
});

test('the ways of writing latlng_paradas mean the same', async () => {
  const texts = [
    '-30.0277,-51.2287|-30.039,-51.205',
    '-30.0277,-51.2287|-30.039,-51.205|',
    '-30.0277|-51.2287|-30.039|-51.205',
    '-30.0277|-51.2287|-30.039|-51.205|',
    ' -30.0277, -51.2287 | -30.039, -51.205 ',
  ];
  const answers = await Promise.all(
    texts.map((latlng_paradas) => malote.central.post(path, estimate({ latlng_paradas }))),
  );
  for (const { status, body } of answers) {
    assert.equal(status, 200);
    assert.deepEqual(body, answers[0]!.body);
  }
  const none = await malote.central.post(path, estimate({ latlng_paradas: '' }));
  const direct = await malote.central.post(path, estimate());
  assert.deepEqual(none.body, direct.body);
});

test('a return to the pickup costs more and takes longer', async () => {
  const oneWay = await malote.central.post(path, estimate({ com_retorno: false }));
  const both = await malote.central.post(path, estimate({ com_retorno: true }));
  assert.ok(both.body.data.estimativa_valor > oneWay.body.data.estimativa_valor);
  assert.ok(both.body.data.estimativa_minutos > oneWay.body.data.estimativa_minutos);
  assert.ok(both.body.data.estimativa_km > oneWay.body.data.estimativa_km);
});

test('the category is chosen by id, by name, by both, or is the default one of the company', async () => {
  const chosen: [Record<string, unknown>, string][] = [
    [{ categoria_id: 2 }, 'Carro'],
    [{ categoria_nome: 'carro' }, 'Carro'],
    [{ categoria_id: 3, categoria_nome: 'Bike' }, 'Bike'],
    [{}, 'Moto'],
  ];
  for (const [category, name] of chosen) {
    const { body } = await malote.central.post(path, estimate({ ...category }));
    assert.equal(body.data.categoria_nome, name);
  }
});

const refusals: [string, Record<string, unknown>, number, RegExp][] = [
  ['a category id and name that disagree', { categoria_id: 1, categoria_nome: 'Carro' }, 422, /diferentes/],
  ['an unknown category', { categoria_id: 99 }, 404, /categoria/],
  ['a category of another central', { categoria_id: 10_000_001 }, 404, /categoria/],
  ['a pickup outside every operating area', { lat_partida: -29 }, 422, /áreas de atuação/],
  ['a destination outside every operating area', { lng_desejado: -50 }, 422, /áreas de atuação/],
  ['a stop outside every operating area', { latlng_paradas: '0,0' }, 422, /áreas de atuação/],
];
for (const [what, changes, status, words] of refusals)
  test(`refuses ${what}`, async () => {
    const answer = await malote.central.post(path, estimate(changes));
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.body.errors.length, 1);
    assert.equal(answer.body.errors[0].code, 0);
    assert.match(answer.body.errors[0].message, words);
  });

test('every problem of the body is named in one answer', async () => {
  const answer = await malote.central.post(path, {
    ...estimate({
      bairro_partida: '',
      lat_partida: '-30.03',
      lng_desejado: 181,
      latlng_paradas: 'nowhere',
      categoria_id: '1',
      com_retorno: 'sim',
    }),
    endereco_partida: undefined,
    estado_desejado: undefined,
  });
  assert.equal(answer.status, 400);
  assert.ok(answer.body.errors.every(({ code }: { code: number }) => code === 2));
  const fields = answer.body.errors.map(({ message }: { message: string }) => /^'(.+?)'/.exec(message)?.[1]);
  assert.deepEqual(fields.sort(), [
    'bairro_partida',
    'categoria_id',
    'com_retorno',
    'endereco_partida',
    'estado_desejado',
    'lat_partida',
    'latlng_paradas',
    'lng_desejado',
  ]);
});

test('an empty body names everything that is required', async () => {
  const answer = await malote.central.post(path, {});
  assert.equal(answer.status, 400);
  assert.equal(answer.body.errors.length, 12);
});

test('nine stops beside the destination fit, ten do not', async () => {
  const stops = (count: number) => Array.from({ length: count }, () => '-30.0277,-51.2287').join('|');
  const nine = await malote.central.post(path, estimate({ latlng_paradas: stops(9) }));
  assert.equal(nine.status, 200, nine.text);
  const ten = await malote.central.post(path, estimate({ latlng_paradas: stops(10) }));
  assert.equal(ten.status, 400);
  assert.match(ten.body.errors[0].message, /^'latlng_paradas': .*10$/);
});

test('a company of another central, of another manager, or of nobody is the same 404', async () => {
  const answers = [
    await malote.central.post('/entregas/empresas/999/estimativas', estimate()),
    await malote.central.post('/entregas/empresas/10000001/estimativas', estimate()),
    await malote.manager.post('/entregas/empresas/2/estimativas', estimate()),
  ];
  for (const { status, text } of answers) {
    assert.equal(status, 404);
    assert.equal(text, answers[0]!.text);
  }
  const own = await malote.manager.post(path, estimate());
  assert.equal(own.status, 200);
});

const { central, manager, operator } = malote;
const openPath = '/entregas/estimativas';
const cliente = { nome: 'Rita Lima', cpf: '529.982.247-25' };

test('POST /entregas/estimativas: a central user -> the fields and figures of 4.1', async () => {
  const body = estimate({ latlng_paradas: '-30.0277,-51.2287', categoria_id: 2, com_retorno: true });
  const answer = assertOk(await central.post(openPath, body));
  const forCompany = assertOk(await central.post('/entregas/empresas/1/estimativas', body));
  assert.deepEqual(answer.body, forCompany.body);
});

test('POST /entregas/estimativas: no category -> the oldest active category of the central', async (t) => {
  const name = async () => assertOk(await central.post(openPath, estimate())).body.data.categoria_nome;
  assert.equal(await name(), 'Moto');
  await changeRecord(t, operator, '/categorias/1', { ativa: false });
  assert.equal(await name(), 'Carro');
});

test('POST /entregas/estimativas: no category and none that is active -> 422', async (t) => {
  for (const { id } of assertOk(await operator.get('/categorias')).body.data)
    await changeRecord(t, operator, `/categorias/${id}`, { ativa: false });
  assertRefused(await central.post(openPath, estimate()), 422, /informe a categoria/);
});

test('POST /entregas/estimativas: a manager -> its own company, with its default category', async (t) => {
  await changeRecord(t, operator, '/empresas/1', { categoria_padrao_id: 3 });
  assert.equal(assertOk(await manager.post(openPath, estimate())).body.data.categoria_nome, 'Bike');
  assert.equal(assertOk(await central.post(openPath, estimate())).body.data.categoria_nome, 'Moto');
  await changeAgain(operator, '/empresas/1', { categoria_padrao_id: null });
  assertRefused(await manager.post(openPath, estimate()), 422, /informe a categoria/);
});

test('a delivery for a person costs what was estimated, with the same category', async () => {
  for (const category of [{}, { categoria_nome: 'carro' }]) {
    const estimated = assertOk(await central.post(openPath, estimate(category))).body.data;
    const { id_mch } = assertOk(await central.post('/entregas', order({ cliente, ...category }))).body.data;
    const opened = assertOk(await central.get(`/entregas/${id_mch}`)).body.data;
    assert.equal(Number(opened.valor_corrida), estimated.estimativa_valor);
    assert.equal(opened.categoria, estimated.categoria_nome);
    assert.equal(opened.empresa_id, null);
  }
});

const refusalsWithoutCompany: [string, Record<string, unknown>, number, RegExp][] = [
  ['a category id and name that disagree', { categoria_id: 1, categoria_nome: 'Carro' }, 422, /diferentes/],
  ['an unknown category', { categoria_id: 99 }, 404, /categoria não encontrada/],
  ['a category of another central', { categoria_id: 10_000_001 }, 404, /categoria não encontrada/],
  ['a destination outside every operating area', { lng_desejado: -50 }, 422, /áreas de atuação/],
];
for (const [what, changes, status, words] of refusalsWithoutCompany)
  test(`POST /entregas/estimativas: ${what} -> ${status}`, async () => {
    assertRefused(await central.post(openPath, estimate(changes)), status, words);
  });

test('POST /entregas/estimativas: a category without a tariff -> 422', async () => {
  const drone = await newRecord(operator, '/categorias', { nome: 'Drone', perfil: 'moto' });
  assertRefused(
    await central.post(openPath, estimate({ categoria_id: Number(drone.id) })),
    422,
    /não há tarifa/,
  );
});

test('POST /entregas/estimativas: a manager of an inactive company -> 422', async (t) => {
  await changeRecord(t, operator, '/empresas/1', { ativa: false });
  assertRefused(await manager.post(openPath, estimate()), 422, /empresa está inativa/);
});

test('POST /entregas/estimativas: no way on the roads -> 422', async () => {
  const routers = testRouters();
  const broken = await startMalote({ routers: { ...routers, forEstimates: routers.forPlanning } });
  routers.fail();
  assertRefused(await broken.central.post(openPath, estimate()), 422, /não foi possível calcular/);
});

test('POST /entregas/estimativas: wrong fields -> 400, one entry for each, code 2', async () => {
  const answer = await central.post(openPath, estimate({ lat_partida: '-30', cidade_desejado: undefined }));
  assert.deepEqual(complainedFields(answer).toSorted(), ['cidade_desejado', 'lat_partida']);
});

test('POST /entregas/estimativas: an Idempotency-Key -> nothing is kept under it', async () => {
  const key = { 'idempotency-key': 'estimate-without-company' };
  assertOk(await central.post(openPath, estimate(), key));
  assert.equal(
    assertOk(await central.post(openPath, estimate({ categoria_id: 2 }), key)).body.data.categoria_nome,
    'Carro',
  );
  assert.equal(await countKeys(malote, key['idempotency-key']), 0);
});
