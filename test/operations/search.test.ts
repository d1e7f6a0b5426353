import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { erasePerson } from '../../server/src/insight/privacy/person.ts';
import { lockProgress } from '../../server/src/insight/search/indexStore.ts';
import { startIndexing } from '../../server/src/insight/search/startIndexing.ts';
import { type Client, client, type Json } from '../support/client.ts';
import { startMalote } from '../support/malote.ts';
import { order, scheduledOrder, stop } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';
import { waitUntil } from '../support/waitUntil.ts';

const malote = await startMalote();
const { operator, manager, manager2, central, db, clock } = malote;
const errors: unknown[] = [];
const indexing = startIndexing(malote.app.deps, (error) => errors.push(error));
after(() => indexing.stop());

const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const asManager = login('gerente');
const asManager2 = login('gerente2');
const asNeighbour = login('vizinha', 'demo-vizinha');

const search = async (texto: string, as: Client = operator, limite = 10): Promise<Json> =>
  assertOk(await as.get(`/busca?texto=${encodeURIComponent(texto)}&limite=${limite}`)).body.data;
const idsIn = (results: Json, kind = 'entregas'): number[] =>
  results[kind].itens.map(({ id }: { id: string }) => Number(id));
/** Waits until the background indexing has processed the record. */
const until = async (texto: string, id: number, kind = 'entregas', as: Client = operator): Promise<Json> => {
  let results: Json;
  await waitUntil(`${texto} finds ${id}`, async () => {
    results = await search(texto, as);
    return idsIn(results, kind).includes(id);
  });
  return results;
};

const recipient = {
  ...stop(2),
  endereco_parada: 'Av. Pres. Getúlio Vargas, 1234',
  bairro_parada: 'Menino Deus',
  nome_cliente_parada: 'João Gonçalves Müller',
  telefone_cliente_parada: '+55 (51) 98765-4321',
  numero_pedido: 'PED-2026/00871',
  id_externo: 'ifood:7f3a-99c1',
};
const create = async (as: Client, changes: object): Promise<number> =>
  Number(
    assertOk(await as.post('/entregas', order({ paradas: [{ ...recipient, ...changes }] }))).body.data.id_mch,
  );

const id = await create(manager, {});

for (const [name, typed] of [
  ['Søren Weiß', ['soren weiss', 'Søren', 'weiß ']],
  ['Łukasz Żółtowski', ['lukasz ', 'Łukasz Żółtowski']],
  ['Наталья Щукина', ['наталья ', 'natalya schukina', 'Щук']],
  ['田中太郎', ['田中']],
] as const)
  test(`a recipient whose name has other letters than a to z is found: ${name}`, async () => {
    const fresh = await create(manager, { nome_cliente_parada: name });
    for (const text of typed) await until(text, fresh);
  });

test('a delivery is found by its number at once', async () => {
  const fresh = await create(manager, { nome_cliente_parada: 'Ninguém' });
  for (const typed of [`${fresh}`, `#${fresh}`, ` ${fresh} `]) {
    const { entregas } = await search(typed);
    assert.equal(entregas.itens[0].id, String(fresh), typed);
    assert.deepEqual(entregas.itens[0].status, 'D');
  }
});

test('a delivery is found by whatever a person knows of it', async () => {
  await until('joao goncalves', id);
  for (const typed of [
    'João Gonçalves',
    'JOAO MULLER',
    'gonçalves joao',
    'joao gonc',
    'Avenida Presidente Getulio Vargas 1234',
    'av getulio vargas, 1234',
    'rua getulio vargas menino deus',
    '(51) 98765-4321',
    '5551987654321',
    '98765-4321',
    '4321',
    'joao 98765-4321',
    'PED-2026/00871',
    'ped202600871',
    'ped 2026 00871',
    'ped2026',
    '00871',
    'ifood:7f3a-99c1',
    'IFOOD7F3A99C1',
    'muller menino',
  ])
    assert.ok(idsIn(await search(typed)).includes(id), `"${typed}" finds it`);
});

test('a request is found by the key of whoever ordered it', async () => {
  const create = async (path: string, body: object): Promise<number> =>
    Number(assertOk(await manager.post(path, body)).body.data.id_mch);
  const delivery = await create('/entregas', order({ id_externo: 'ERP/2026-55812' }));
  const found = await until('erp202655812', delivery);
  const [{ campo, trechos }] = found.entregas.itens.find(
    ({ id }: Json) => id === String(delivery),
  ).encontrado;
  assert.deepEqual([campo, trechos], ['id_externo', [{ texto: 'ERP/2026-55812', destaque: true }]]);
  const scheduled = await create('/entregas/programadas', scheduledOrder({ id_externo: 'AGENDA-7741' }));
  await until('agenda-7741', scheduled, 'programadas');
});

test('spellings that sound alike and typing errors are forgiven', async () => {
  await until('joao goncalves', id);
  for (const typed of [
    'joao gonsalves',
    'joao goncalvez',
    'jõao gonçavles',
    'joao gonçlves',
    'getulio varggas',
    'muler',
  ])
    assert.ok(idsIn(await search(typed)).includes(id), `"${typed}" finds it`);
  assert.deepEqual(idsIn(await search('joao pereira')), []);
});

test('the answer says what fits, in pieces', async () => {
  const results = await until('goncalves vargas', id);
  const found = results.entregas.itens.find((each: Json) => each.id === String(id));
  assert.equal(found.destinatario, 'João Gonçalves Müller');
  assert.equal(found.endereco, 'Av. Pres. Getúlio Vargas, 1234');
  assert.equal(found.nome_cliente, 'Padaria Moinhos');
  const marked = (campo: string) =>
    found.encontrado
      .find((each: Json) => each.campo === campo)
      .trechos.filter(({ destaque }: Json) => destaque)
      .map(({ texto }: Json) => texto);
  assert.deepEqual(marked('destinatario'), ['Gonçalves']);
  assert.deepEqual(marked('endereco'), ['Vargas']);
});

test('a scheduled delivery is found, and its delivery instead once it is dispatched', async () => {
  const stops = [{ ...recipient, nome_cliente_parada: 'Ágata Nóbrega' }];
  const scheduled = Number(
    assertOk(await manager.post('/entregas/programadas', scheduledOrder({ paradas: stops }))).body.data
      .id_mch,
  );
  const results = await until('agata nobrega', scheduled, 'programadas');
  assert.equal(results.programadas.itens[0].situacao, 'A');
  assert.ok(idsIn(await search(`${scheduled}`), 'programadas').includes(scheduled));
});

test('a scheduled delivery that waits is found behind many newer ones that have left', async () => {
  const stops = [{ ...recipient, nome_cliente_parada: 'Ursulina Wanderley' }];
  const ids: number[] = [];
  for (let count = 0; count < 46; count++)
    ids.push(
      Number(
        assertOk(await manager.post('/entregas/programadas', scheduledOrder({ paradas: stops }))).body.data
          .id_mch,
      ),
    );
  await until('ursulina wanderley', ids.at(-1)!, 'programadas');
  const all = await search('ursulina wanderley', operator, 50);
  assert.deepEqual([all.programadas.itens.length, all.programadas.ha_mais], [46, false]);
  const few = await search('ursulina wanderley', operator, 45);
  assert.deepEqual([few.programadas.itens.length, few.programadas.ha_mais], [45, true]);
  await db`
    update scheduled set situation = 'dispatched', delivery_id = ${id}
    where central_id = 1 and id = any(${ids.slice(1)}::bigint[])`;
  assert.deepEqual(idsIn(await search('ursulina wanderley'), 'programadas'), [ids[0]]);
  assert.deepEqual(idsIn(await search('ursulina wanderley', asManager2), 'programadas'), []);
});

test('companies, drivers and people are found, and their changes too', async () => {
  await until('padaria', 1, 'empresas');
  const driver = {
    nome: 'Sebastião Quadros',
    telefone: '51977776666',
    veiculo: 'CG 160',
    placa: 'QWE-4R56',
    categorias: [1],
  };
  const driverId = Number(assertOk(await operator.post('/condutores', driver)).body.data.id);
  for (const typed of ['sebastiao', 'QWE4R56', 'qwe-4r56', '7777-6666'])
    await until(typed, driverId, 'condutores');
  assertOk(await operator.put(`/condutores/${driverId}`, { ...driver, nome: 'Tibúrcio Quadros' }));
  await until('tiburcio', driverId, 'condutores');
  assert.deepEqual(idsIn(await search('sebastiao'), 'condutores'), []);
});

test('an edited delivery is found by its new recipient and no longer by the old one', async () => {
  const edited = await create(manager, { nome_cliente_parada: 'Clotilde Bragança' });
  await until('clotilde', edited);
  const body = order({ paradas: [{ ...recipient, nome_cliente_parada: 'Ermelinda Bragança' }] });
  assertOk(await manager.put(`/entregas/${edited}`, body));
  await until('ermelinda', edited);
  assert.deepEqual(idsIn(await search('clotilde')), []);
});

test('a manager finds only what its company ordered, and no registers', async () => {
  const own = await create(manager, { nome_cliente_parada: 'Quitéria Fontes' });
  const other = await create(manager2, { nome_cliente_parada: 'Quitéria Fontes' });
  await until('quiteria', own);
  await until('quiteria', other);
  assert.deepEqual(idsIn(await search('quiteria', asManager)), [own]);
  assert.deepEqual(idsIn(await search('quiteria', asManager2)), [other]);
  assert.deepEqual(idsIn(await search(`${other}`, asManager)), []);
  const { empresas, condutores, clientes } = await search('padaria', asManager);
  assert.deepEqual([empresas.itens, condutores.itens, clientes.itens], [[], [], []]);
});

test('another central finds nothing of it', async () => {
  await until('joao goncalves', id);
  for (const typed of ['joao goncalves', `${id}`, '98765-4321', 'padaria', 'ped2026']) {
    const results = await search(typed, asNeighbour);
    assert.deepEqual(idsIn(results), [], typed);
    assert.ok(!JSON.stringify(results).includes('Gonçalves'));
  }
});

test('a driver may not search', async () => {
  assertRefused(await malote.driver(1).get('/busca?texto=joao'), 403, /permiss|perfil|autoriz/i);
});

test('data erased on a privacy request is not found from then on; the rest of it is found again', async () => {
  const phone = '51955554444';
  const erased = await create(manager, {
    nome_cliente_parada: 'Hermenegildo Xavier',
    telefone_cliente_parada: phone,
    numero_pedido: 'ZX-778899',
  });
  await until('hermenegildo', erased);
  assertOk(await operator.post(`/entregas/${erased}/aceitar`, { condutor_id: 2 }));
  assertOk(await central.post(`/entregas/${erased}/cancelar`, { motivo_id: 1 }));
  await erasePerson({ db, clock }, 1, { cpf: null, phone }, 'test');
  for (const typed of ['hermenegildo', 'xavier', phone])
    assert.deepEqual(idsIn(await search(typed)), [], typed);
  await until('zx778899', erased);
  assert.deepEqual(idsIn(await search('hermenegildo')), []);
});

test('a change during another process’s indexing of the central is indexed afterwards', async () => {
  const created = await db.begin(async (tx) => {
    await lockProgress(tx, 1);
    const meanwhile = await create(manager, { nome_cliente_parada: 'Quitéria Valadares' });
    // Long enough to find the central busy.
    await sleep(1_000);
    assert.ok(!idsIn(await search('quiteria')).includes(meanwhile));
    return meanwhile;
  });
  // Shorter than the interval after which all centrals are checked.
  await waitUntil('it is found', async () => idsIn(await search('quiteria')).includes(created), 20_000);
});

test('every text gets an answer', async () => {
  for (const typed of [
    "'",
    "' | '",
    '\\',
    ':*',
    '&|!()<->',
    '%_%',
    '😀',
    '--',
    '#',
    '((((',
    '١٢٣',
    'a'.repeat(100),
    '1'.repeat(100),
    'a1-'.repeat(33),
    "'; drop table search_entries; --",
  ])
    assert.equal((await operator.get(`/busca?texto=${encodeURIComponent(typed)}`)).status, 200, typed);
  assert.equal((await operator.get('/busca?texto=%20')).status, 400);
  assert.equal((await operator.get(`/busca?texto=${'a'.repeat(101)}`)).status, 400);
  assert.deepEqual(errors, []);
});
