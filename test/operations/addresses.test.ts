import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAddresses } from '../support/addresses.ts';
import { client, type Json } from '../support/client.ts';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const malote = await startMalote();
const { operator } = malote;
const login = (user: string, key = 'demo-chave') =>
  client(`${malote.url}/api/v2/operacao`, { key, user, password: 'demo' });
const data = (answer: Parameters<typeof assertOk>[0]): Json => assertOk(answer).body.data;
const search = async (texto: string, more: object = {}) =>
  data(await operator.post('/enderecos/buscar', { texto, ...more })).enderecos;

const DOOR = {
  rua: 'Rua dos Andradas',
  numero: 1001,
  bairro: 'Centro Histórico',
  cidade: 'Porto Alegre',
  estado: 'RS',
  cep: '90020007',
  lat: -30.0305,
  lng: -51.2303,
  precisao: 'numero',
  erro_metros: 10,
  fonte: 'addresses',
};

test('without a geocoder the answers are empty and say why', async () => {
  assert.deepEqual(data(await operator.post('/enderecos/buscar', { texto: 'andradas' })), {
    ativo: false,
    enderecos: [],
  });
  assert.equal(
    data(await operator.post('/enderecos/localizar', { endereco: 'Rua dos Andradas, 1001' })),
    null,
  );
  assert.equal(data(await operator.post('/enderecos/reverso', { lat: -30.03, lng: -51.23 })), null);
  await loadAddresses(malote.app.deps);
});

test('addresses are suggested while somebody types', async () => {
  assert.deepEqual(await search('andradas 1001'), [DOOR]);
  const streets = await search('rua dos andr', { perto_de: { lat: -30.03, lng: -51.23 } });
  assert.deepEqual(
    [streets[0].rua, streets[0].precisao, streets[0].numero],
    ['Rua dos Andradas', 'rua', null],
  );
  assert.equal((await search('90020-007', { limite: 1 })).length, 1);
  assert.deepEqual(await search('xyzzyplugh'), []);
});

test('an address and a position are answered with each other', async () => {
  const found = await operator.post('/enderecos/localizar', {
    endereco: 'r. dos andradsa 1001',
    cidade: 'porto alegre',
    estado: 'rs',
  });
  assert.deepEqual(data(found), DOOR);
  assert.deepEqual(data(await operator.post('/enderecos/reverso', { lat: -30.0305, lng: -51.2303 })), DOOR);
});

test('every mistake of a question is named', async () => {
  const wrong = await operator.post('/enderecos/buscar', { texto: '', perto_de: { lat: 91 }, limite: 21 });
  assert.deepEqual(complainedFields(wrong), ['limite', 'perto_de.lat', 'perto_de.lng', 'texto']);
  assert.deepEqual(complainedFields(await operator.post('/enderecos/reverso', {})), ['lat', 'lng']);
});

test('managers search, only the central corrects, and drivers do neither', async () => {
  const asManager = login('gerente');
  assertOk(await asManager.post('/enderecos/buscar', { texto: 'andradas' }));
  const correction = { endereco: 'Rua dos Andradas, 1001', lat: -30.03, lng: -51.23 };
  assertRefused(await asManager.post('/enderecos/correcoes', correction), 403, /não tem permissão/);
  const driver = malote.driver(1);
  assertRefused(await driver.post('/enderecos/buscar', { texto: 'andradas' }), 403, /não tem permissão/);
  assertRefused(await driver.post('/enderecos/correcoes', correction), 403, /não tem permissão/);
});

test('a corrected address is found first, however it is written, and only by its central', async () => {
  const corrected = await operator.post('/enderecos/correcoes', {
    endereco: 'Avenida Ipiranga, 1200',
    bairro: 'Azenha',
    cidade: 'Porto Alegre',
    estado: 'RS',
    lat: -30.05,
    lng: -51.21,
  });
  const place = { lat: -30.05, lng: -51.21, precisao: 'numero', fonte: 'correction' };
  assert.deepEqual({ ...data(corrected), ...place }, data(corrected));
  for (const endereco of ['Av. Ipiranga, 1200', 'ipiranga 1200', 'avenida ipirnga 1200 apto 4']) {
    const found = data(
      await operator.post('/enderecos/localizar', { endereco, cidade: 'Porto Alegre', estado: 'RS' }),
    );
    assert.deepEqual({ ...found, ...place }, found, endereco);
  }
  const [first] = await search('ipiranga 1200');
  assert.deepEqual({ ...first, ...place }, first);
  const neighbour = login('vizinha', 'demo-vizinha');
  const theirs = data(
    await neighbour.post('/enderecos/localizar', {
      endereco: 'Av. Ipiranga, 1200',
      cidade: 'Porto Alegre',
      estado: 'RS',
    }),
  );
  assert.equal(theirs.fonte, 'addresses');
  // Another number of the street is not affected.
  const other = data(
    await operator.post('/enderecos/localizar', {
      endereco: 'Av. Ipiranga, 1400',
      cidade: 'Porto Alegre',
      estado: 'RS',
    }),
  );
  assert.equal(other.fonte, 'addresses');
});

test('the latest correction holds, also for an address that no source knows', async () => {
  const address = { endereco: 'Travessa Nova, 7', bairro: 'Azenha', cidade: 'Porto Alegre', estado: 'RS' };
  for (const lat of [-30.041, -30.042])
    assertOk(await operator.post('/enderecos/correcoes', { ...address, lat, lng: -51.22 }));
  const found = data(await operator.post('/enderecos/localizar', address));
  assert.deepEqual([found.rua, found.numero, found.lat], ['Travessa Nova', 7, -30.042]);
});

test('an address without a street cannot be corrected', async () => {
  const answer = await operator.post('/enderecos/correcoes', { endereco: '90020-007', lat: -30, lng: -51 });
  assertRefused(answer, 422, /não tem o nome de uma rua/);
});
