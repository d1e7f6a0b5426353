import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAddresses } from '../support/addresses.ts';
import { complainedFields } from '../support/envelope.ts';
import { startMalote } from '../support/malote.ts';
import { estimate, order, pickup, scheduledOrder, stop } from '../support/orders.ts';
import { json, startServer } from '../support/routingServers.ts';
import { assertOk, assertRefused } from '../support/steps.ts';

const bodyOf = (answer: Parameters<typeof assertOk>[0]) => assertOk(answer).body;

// Contract 4.1: coordinates are required unless a geocoder is configured.

const server = await startServer((_, response) => answer(response));
let answer: (response: Parameters<typeof json>[0]) => void = (response) => json(response, 500, {});
const malote = await startMalote({
  geocoding: {
    geocoder: 'auto',
    nominatimUrl: server.url,
    photonUrl: undefined,
    googleUrl: undefined,
    googleKey: undefined,
  },
});
test.after(() => server.close());

const { lat: _lat, lng: _lng, ...pickupWithout } = pickup;
const stopWithout = (address: string, changes: Record<string, unknown> = {}) => {
  const { lat_parada: _latStop, lng_parada: _lngStop, ...rest } = stop(0);
  return {
    ...rest,
    endereco_parada: address,
    cidade_parada: 'Porto Alegre',
    estado_parada: 'RS',
    ...changes,
  };
};
const without = (changes: Record<string, unknown> = {}) =>
  order({ partida: pickupWithout, paradas: [stopWithout('Avenida Ipiranga, 1200')], ...changes });
const estimateWithout = (changes: Record<string, unknown> = {}) =>
  estimate({
    lat_partida: undefined,
    lng_partida: undefined,
    lat_desejado: undefined,
    lng_desejado: undefined,
    endereco_desejado: 'Av. Ipiranga, 1200',
    ...changes,
  });

test('without a geocoder every missing coordinate is named', async () => {
  const created = await malote.manager.post('/entregas', without());
  assert.deepEqual(complainedFields(created), [
    'paradas[0].lat_parada',
    'paradas[0].lng_parada',
    'partida.lat',
    'partida.lng',
  ]);
  assert.match(created.body.errors[0].message, /: é obrigatório$/);
  const estimated = await malote.manager.post('/entregas/empresas/1/estimativas', estimateWithout());
  assert.deepEqual(complainedFields(estimated), [
    'lat_desejado',
    'lat_partida',
    'lng_desejado',
    'lng_partida',
  ]);
  const scheduled = await malote.manager.post(
    '/entregas/programadas',
    scheduledOrder({ partida: pickupWithout }),
  );
  assert.deepEqual(complainedFields(scheduled), ['partida.lat', 'partida.lng']);
  await loadAddresses(malote.app.deps);
});

async function stored(id: string) {
  const { partida, paradas } = bodyOf(await malote.central.get(`/entregas/${id}`)).data;
  return { partida, paradas };
}

const detail = async (id: string) => bodyOf(await malote.operator.get(`/entregas/${id}`)).data;

test('an order without coordinates is located, and keeps how', async () => {
  const { id_mch: id } = bodyOf(await malote.manager.post('/entregas', without())).data;
  const { partida, paradas } = await stored(id);
  assert.deepEqual([partida.lat, partida.lng], ['-30.0305', '-51.2303']);
  assert.deepEqual([paradas[0].lat, paradas[0].lng], ['-30.0489', '-51.2158']);
  const found = await detail(id);
  const located = { fonte: 'addresses', precisao: 'numero', conferir: false };
  assert.deepEqual(found.partida.localizacao, located);
  assert.deepEqual(found.paradas[0].localizacao, located);
});

test('coordinates that come with the order are kept as they are', async () => {
  const { id_mch: id } = bodyOf(
    await malote.manager.post('/entregas', without({ partida: { ...pickup, lat: '-30.0400' } })),
  ).data;
  assert.equal((await stored(id)).partida.lat, '-30.04');
  assert.equal((await detail(id)).partida.localizacao, null);
});

test('one coordinate without the other is refused, also with a geocoder', async () => {
  const { lng: _missing, ...half } = pickup;
  const refused = await malote.manager.post('/entregas', without({ partida: half }));
  assert.deepEqual(complainedFields(refused), ['partida.lng']);
});

test('an estimate without coordinates answers with those found, and costs what the order costs', async () => {
  const { data } = bodyOf(await malote.manager.post('/entregas/empresas/1/estimativas', estimateWithout()));
  assert.deepEqual(
    [data.partida, data.desejado],
    [
      { lat: -30.0305, lng: -51.2303 },
      { lat: -30.0489, lng: -51.2158 },
    ],
  );
  const { id_mch: id } = bodyOf(await malote.manager.post('/entregas', without())).data;
  assert.equal(Number((await detail(id)).valor), data.estimativa_valor);
  const open = bodyOf(await malote.central.post('/entregas/estimativas', estimateWithout()));
  assert.deepEqual(open.data.partida, data.partida);
});

test('edits and scheduled deliveries are located too', async () => {
  const { id_mch: id } = bodyOf(await malote.manager.post('/entregas', order())).data;
  assertOk(await malote.manager.put(`/entregas/${id}`, without()));
  assert.equal((await stored(id)).paradas[0].lat, '-30.0489');
  const { id_mch: scheduled } = bodyOf(
    await malote.manager.post('/entregas/programadas', scheduledOrder({ partida: pickupWithout })),
  ).data;
  assertOk(
    await malote.manager.put(
      `/entregas/programadas/${scheduled}`,
      scheduledOrder({ partida: pickupWithout, paradas: [stopWithout('Av. Ipiranga, 1400')] }),
    ),
  );
  const { data } = bodyOf(await malote.manager.get(`/entregas/programadas/${scheduled}`));
  assert.equal(data.coleta.lat, '-30.0305');
  assert.equal(data.paradas[0].lat, '-30.0492');
});

test('an address that is not found precisely is refused, with the best guess in both languages', async () => {
  const body = without({ paradas: [stop(0), stopWithout('Avenida Ipiranga, 9000')] });
  const refused = await malote.manager.post('/entregas', body);
  assertRefused(
    refused,
    422,
    /^o endereço da parada 2 não foi encontrado com precisão; o mais parecido é Avenida Ipiranga, Azenha, Porto Alegre\/RS, com erro de até \d+ m\./,
  );
  const english = await malote.manager.post('/entregas', body, { 'accept-language': 'en' });
  assertRefused(
    english,
    422,
    /^the address of stop 2 was not found precisely; the best guess is Avenida Ipiranga/,
  );
  const start = without({ partida: { ...pickupWithout, endereco: 'Rua dos Andradas, s/n' } });
  assertRefused(
    await malote.manager.post('/entregas', start),
    422,
    /^o endereço da partida não foi encontrado com precisão; o mais parecido é Rua dos Andradas/,
  );
  assertRefused(
    await malote.manager.post(
      '/entregas/empresas/1/estimativas',
      estimateWithout({ endereco_desejado: 'Av Ipiranga' }),
    ),
    422,
    /parada 1 não foi encontrado com precisão/,
  );
});

test('an address that nobody knows is refused by its place in the order', async () => {
  const nowhere = { cidade_parada: undefined, estado_parada: undefined };
  const unknown = without({ paradas: [stopWithout('Xyzzyplugh, 1', nowhere)] });
  assertRefused(
    await malote.manager.post('/entregas', unknown),
    422,
    /^o endereço da parada 1 não foi encontrado;/,
  );
  const { cidade: _city, estado: _state, ...bare } = pickupWithout;
  const start = without({ partida: { ...bare, endereco: 'Xyzzyplugh, 1' } });
  assertRefused(
    await malote.manager.post('/entregas', start),
    422,
    /^o endereço da partida não foi encontrado;/,
  );
});

test('a central that demands less accepts a street', async (t) => {
  await malote.configureFor(t, { addressPrecision: 'street' });
  const { id_mch: id } = bodyOf(
    await malote.manager.post('/entregas', without({ paradas: [stopWithout('Avenida Ipiranga, 9000')] })),
  ).data;
  const { localizacao } = (await detail(id)).paradas[0];
  assert.deepEqual(localizacao, { fonte: 'addresses', precisao: 'rua', conferir: false });
});

test('a central that accepts unsure addresses marks them for a check', async (t) => {
  await malote.configureFor(t, { acceptUnsureAddresses: true });
  const { id_mch: id } = bodyOf(
    await malote.manager.post('/entregas', without({ paradas: [stopWithout('Avenida Ipiranga, 9000')] })),
  ).data;
  assert.deepEqual((await detail(id)).paradas[0].localizacao, {
    fonte: 'addresses',
    precisao: 'rua',
    conferir: true,
  });
  const open = bodyOf(await malote.operator.get('/entregas/abertas')).data;
  const marked = open.filter((each: { conferir_endereco: boolean }) => each.conferir_endereco);
  assert.deepEqual(
    marked.map((each: { id: string }) => each.id),
    [id],
  );
});

test('a central may turn its geocoder off, and another central is not concerned', async (t) => {
  await malote.configureFor(t, { geocoding: 'off' });
  assert.ok(complainedFields(await malote.manager.post('/entregas', without())).includes('partida.lat'));
});

test('a service answers for a central that chose it; an outage of it is reported as such', async (t) => {
  await malote.configureFor(t, { geocoding: 'nominatim' });
  assertRefused(
    await malote.manager.post('/entregas', without()),
    503,
    /serviço que encontra endereços não está disponível/,
  );
  answer = (response) =>
    json(response, 200, [
      {
        lat: '-30.0311',
        lon: '-51.2300',
        addresstype: 'place',
        address: {
          road: 'Rua dos Andradas',
          house_number: '1001',
          city: 'Porto Alegre',
          state: 'Rio Grande do Sul',
        },
      },
    ]);
  const { id_mch: id } = bodyOf(
    await malote.manager.post('/entregas', order({ partida: pickupWithout })),
  ).data;
  assert.equal((await stored(id)).partida.lat, '-30.0311');
  assert.equal((await detail(id)).partida.localizacao.fonte, 'nominatim');
});

test('a service without an address in the configuration is not available', async (t) => {
  await malote.configureFor(t, { geocoding: 'photon' });
  assertRefused(await malote.manager.post('/entregas', without()), 503, /não está disponível/);
});
