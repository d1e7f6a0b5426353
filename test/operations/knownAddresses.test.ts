import assert from 'node:assert/strict';
import { test } from 'node:test';
import { erasePerson, exportPerson } from '../../server/src/insight/privacy/person.ts';
import { removeExpiredPersonalData } from '../../server/src/insight/privacy/removeExpired.ts';
import { COMPANY_ADDRESSES_MAX } from '../../server/src/registers/companies/companyAddress.ts';
import { loadAddresses } from '../support/addresses.ts';
import { client, type Json } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { order, pickup, scheduledOrder, stop } from '../support/orders.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { operator, manager, central, db, clock } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const [asManager, asOtherManager] = [login('gerente'), login('gerente2')];
const data = (answer: Parameters<typeof assertOk>[0]): Json => assertOk(answer).body.data;

const shop = {
  tipo: 'partida',
  nome: 'Loja do Centro',
  endereco: 'Rua dos Andradas, 1001',
  complemento: null,
  referencia: null,
  bairro: 'Centro Histórico',
  cidade: 'Porto Alegre',
  estado: 'RS',
  lat: -30.0305,
  lng: -51.2303,
  nome_destinatario: null,
  telefone_destinatario: null,
  padrao: true,
};
const favourite = {
  ...shop,
  tipo: 'favorito',
  nome: 'Dona Rita',
  endereco: 'Rua 24 de Outubro, 300',
  nome_destinatario: 'Rita Lima',
  telefone_destinatario: '(51) 98888-7777',
  padrao: false,
};

test('a company’s addresses are kept by its manager and the central, with one default pickup', async () => {
  const [first] = data(await asManager.post('/empresas/1/enderecos', shop));
  assert.deepEqual(first, { id: first.id, ...shop });
  const second = { ...shop, nome: 'Depósito' };
  const both = data(await operator.post('/empresas/1/enderecos', second));
  const names = (list: Json) => list.map((each: Json) => [each.nome, each.padrao]);
  assert.deepEqual(names(both), [
    ['Depósito', true],
    ['Loja do Centro', false],
  ]);
  const path = `/empresas/1/enderecos/${first.id}`;
  assert.deepEqual(names(data(await asManager.put(path, shop))), [
    ['Loja do Centro', true],
    ['Depósito', false],
  ]);
  // A favourite never becomes the default address of orders.
  const [, , kept] = data(await asManager.post('/empresas/1/enderecos', { ...favourite, padrao: true }));
  assert.deepEqual(kept, { id: kept.id, ...favourite });
  assert.equal(assertOk(await asManager.delete(path)).body.message, 'endereço excluído');
  assert.deepEqual(names(data(await operator.get('/empresas/1/enderecos'))), [
    ['Depósito', false],
    ['Dona Rita', false],
  ]);
  assertRefused(await asManager.delete(path), 404, /endereço da empresa não encontrado/);
  assertRefused(await asManager.put(path, shop), 404, /endereço da empresa não encontrado/);
});

test('another company, another central, and drivers see none of them', async () => {
  for (const stranger of [asOtherManager, login('vizinha', 'demo-vizinha')]) {
    assertRefused(await stranger.get('/empresas/1/enderecos'), 404, /empresa não encontrada/);
    assertRefused(await stranger.post('/empresas/1/enderecos', shop), 404, /empresa não encontrada/);
    assertRefused(await stranger.post('/enderecos/conhecidos', { empresa_id: 1 }), 404, /empresa não/);
  }
  const recipient = { empresa_id: 1, telefone: '51988887777' };
  assertRefused(await asOtherManager.post('/destinatarios/buscar', recipient), 404, /empresa não encontrada/);
  for (const path of ['/enderecos/conhecidos', '/destinatarios/buscar'])
    assertRefused(await malote.driver(1).post(path, recipient), 403, /não tem permissão/);
  // An operator works for all companies and therefore must name one.
  assertRefused(await operator.post('/enderecos/conhecidos', {}), 404, /empresa não encontrada/);
});

test('every mistake of an address is named', async () => {
  const wrong = { ...shop, tipo: 'casa', nome: ' ', lat: 91, bairro: '' };
  assert.deepEqual(complainedFields(await operator.post('/empresas/1/enderecos', wrong)), [
    'bairro',
    'lat',
    'nome',
    'tipo',
  ]);
  assert.deepEqual(complainedFields(await operator.post('/destinatarios/buscar', { telefone: '1' })), [
    'telefone',
  ]);
});

test('of many concurrent saves exactly as many succeed as there is room for', async () => {
  await db`
    insert into company_addresses
      (central_id, id, company_id, kind, name, address, district, city, state, lat, lng, saved_at)
    select 1, 5000000 + n, 2, 'pickup', 'n', 'a', 'd', 'c', 'RS', -30, -51, now()
    from generate_series(1, ${COMPANY_ADDRESSES_MAX - 2}::int) n`;
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => asOtherManager.post('/empresas/2/enderecos', shop)),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 4);
  for (const answer of refused)
    assertRefused(answer, 400, /a empresa pode ter no máximo 200 endereços; exclua/);
  const [defaults] = await db<{ count: number }>`
    select count(*) from company_addresses where central_id = 1 and company_id = 2 and is_default`;
  assert.equal(defaults!.count, 1);
  await db`delete from company_addresses where central_id = 1 and company_id = 2`;
});

const rita = {
  ...stop(3),
  endereco_parada: 'Rua 24 de Outubro, 300',
  complemento_parada: 'apto 5',
  nome_cliente_parada: 'Rita Lima',
  telefone_cliente_parada: '(51) 98888-7777',
};

test('a recipient is found by the phone, and recent destinations by their company', async () => {
  assertOk(await manager.post('/entregas', order({ paradas: [stop(1), rita] })));
  assertOk(await manager.post('/entregas', order({ paradas: [rita] })));
  clock.advance({ minutes: 1 });
  const later = { ...rita, endereco_parada: 'Avenida Goethe, 20', complemento_parada: null };
  assertOk(await manager.post('/entregas/programadas', scheduledOrder({ paradas: [later] })));
  const found = data(await asManager.post('/destinatarios/buscar', { telefone: '+55 51 98888-7777' }));
  assert.deepEqual(
    found.map((each: Json) => [each.endereco, each.complemento, each.nome_destinatario]),
    [
      ['Avenida Goethe, 20', null, 'Rita Lima'],
      ['Rua 24 de Outubro, 300', 'apto 5', 'Rita Lima'],
    ],
  );
  assert.deepEqual([found[1].lat, found[1].lng], [Number(rita.lat_parada), Number(rita.lng_parada)]);
  // The other company never delivered to this phone.
  const other = await operator.post('/destinatarios/buscar', { empresa_id: 2, telefone: '51988887777' });
  assert.deepEqual(data(other), []);

  const known = data(await asManager.post('/enderecos/conhecidos', {}));
  assert.deepEqual(
    known.recentes.map((each: Json) => each.endereco).slice(0, 2),
    ['Avenida Goethe, 20', 'Rua 24 de Outubro, 300'],
    'each once, the latest first',
  );
  assert.equal(known.recentes.length, 3);
  assert.deepEqual(
    known.favoritos.map((each: Json) => each.nome),
    ['Dona Rita'],
  );
  assert.deepEqual(data(await operator.post('/enderecos/conhecidos', { empresa_id: 2 })).recentes, []);
});

test('a person’s request finds and erases favourites and remembered places', async () => {
  const identifier = { cpf: null, phone: '51988887777' };
  const exported = await exportPerson({ db, clock, objectStore: null }, 1, identifier, 'Tester');
  assert.deepEqual(
    exported.favourites?.map((row) => (row as Json).name),
    ['Dona Rita'],
  );
  for (const { id } of await db<{
    id: number;
  }>`select id from deliveries where central_id = 1 and status <> 'cancelled'`)
    await central.post(`/entregas/${id}/cancelar`, { motivo_id: 2 });
  for (const { id } of await db<{ id: number }>`select id from scheduled where central_id = 1`)
    assertOk(await operator.post(`/programadas/${id}/cancelar`, {}));
  assert.equal((await erasePerson({ db, clock }, 1, identifier, 'Tester')).favourites, 1);
  assert.deepEqual(data(await asManager.post('/destinatarios/buscar', { telefone: '51988887777' })), []);
  const known = data(await asManager.post('/enderecos/conhecidos', {}));
  assert.deepEqual(known.favoritos, []);
  assert.doesNotMatch(JSON.stringify(known), /Rita|8888|apto 5|, 300/);
});

test('the retention deletes favourites that nobody was served at since, and keeps pickups', async (t) => {
  await malote.configureFor(t, { personalDataMonths: 6 });
  assertOk(await asManager.post('/empresas/1/enderecos', { ...favourite, nome: 'Nunca mais' }));
  const regular = { ...favourite, nome: 'Toda semana', telefone_destinatario: '51977776666' };
  assertOk(await asManager.post('/empresas/1/enderecos', regular));
  clock.advance({ hours: 24 * 220 });
  assertOk(
    await manager.post(
      '/entregas',
      order({ paradas: [{ ...rita, telefone_cliente_parada: '(51) 97777-6666' }] }),
    ),
  );
  assert.equal((await removeExpiredPersonalData({ db, clock })).favourites, 1);
  const left = data(await operator.get('/empresas/1/enderecos'));
  assert.deepEqual(
    left.map((each: Json) => each.nome),
    ['Depósito', 'Toda semana'],
  );
});

test('an operator checks an address in place: the stop moves, and the next order is located there', async (t) => {
  await loadAddresses(malote.app.deps);
  await malote.configureFor(t, { acceptUnsureAddresses: true });
  const { lat: _lat, lng: _lng, ...withoutPlace } = pickup;
  const unsure = {
    endereco_parada: 'Avenida Ipiranga, 9000',
    bairro_parada: 'Azenha',
    cidade_parada: 'Porto Alegre',
    estado_parada: 'RS',
  };
  const body = order({
    partida: { ...withoutPlace, endereco: 'Rua dos Andradas, 99999' },
    paradas: [unsure],
  });
  const { id_mch: id } = data(await manager.post('/entregas', body));
  const listed = async (): Promise<Json> =>
    data(await operator.get('/entregas/abertas')).find((each: Json) => each.id === String(id));
  const count = async () => data(await operator.get('/resumo')).enderecos_a_conferir;
  const before = await listed();
  assert.deepEqual([before.partida.conferir, before.paradas[0].conferir], [true, true]);
  assert.equal(await count(), 1);
  const path = `/entregas/${id}/conferir-endereco`;
  assertOk(await operator.post(path, { parada_id: null }));
  assert.equal((await listed()).partida.conferir, false);
  assert.equal((await listed()).partida.lat, before.partida.lat, 'confirmed where it was');
  const stopId = Number(before.paradas[0].id);
  const here = { lat: -30.0521, lng: -51.2081 };
  assertOk(await operator.post(path, { parada_id: stopId, posicao: here }));
  const after = await listed();
  assert.deepEqual([after.paradas[0].lat, after.conferir_endereco, await count()], [here.lat, false, 0]);
  assert.equal(after.valor_corrida, before.valor_corrida, 'the price stays');
  const { id_mch: next } = data(await manager.post('/entregas', body));
  const { paradas } = data(await operator.get(`/entregas/${next}`));
  assert.deepEqual([paradas[0].lat, paradas[0].localizacao.fonte], [here.lat, 'correction']);
  // The pickup is moved the same way.
  assertOk(await operator.post(`/entregas/${next}/conferir-endereco`, { parada_id: null, posicao: here }));
  const moved = data(await operator.get(`/entregas/${next}`)).partida;
  assert.deepEqual(
    [moved.lat, moved.localizacao],
    [here.lat, { fonte: 'correction', precisao: 'numero', conferir: false }],
  );

  assertRefused(await operator.post(path, { parada_id: 999999 }), 404, /parada não encontrada/);
  assertRefused(await asManager.post(path, { parada_id: null }), 403, /não tem permissão/);
  const elsewhere = login('vizinha', 'demo-vizinha');
  assertRefused(await elsewhere.post(path, { parada_id: null }), 404, /entrega não encontrada/);
  assertOk(await central.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
  assertRefused(await operator.post(path, { parada_id: null }), 406, /./);
});

test('the database compares phones without what people put between the digits, and without the country', async () => {
  const phones = {
    '(51) 98888-7777': '51988887777',
    '+55 51 98888-7777': '51988887777',
    '555133331234': '5133331234',
    '55 3333-1234': '5533331234',
    '55 98888-7777': '55988887777',
    '+1 202 555 0123': '12025550123',
    '+351 912 345 678': '351912345678',
    'ramal 7': '7',
    '': '',
  };
  const rows = await db<{ phone: string; digits: string }>`
    select phone, phone_digits(phone) as digits from unnest(${Object.keys(phones)}::text[]) as given (phone)`;
  assert.deepEqual(Object.fromEntries(rows.map(({ phone, digits }) => [phone, digits])), phones);
});
