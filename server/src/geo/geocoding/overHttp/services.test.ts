import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testClock } from '../../../../../test/support/clock.ts';
import { json, startServer } from '../../../../../test/support/routingServers.ts';
import { type Geocoder, GeocodingUnavailable } from '../geocoder.ts';
import { google } from './google.ts';
import { guardedGeocoder } from './guardedGeocoder.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';

const options = { timeoutMs: 60_000 };
const SERVICES: Record<string, (url: string, timeoutMs?: number) => Geocoder> = {
  nominatim: (url, timeoutMs = 60_000) => nominatim(url, { timeoutMs }),
  photon: (url, timeoutMs = 60_000) => photon(url, { timeoutMs }),
  google: (url, timeoutMs = 60_000) => google(url, 'secret-key', { timeoutMs }),
};

type Handle = Parameters<typeof startServer>[0];

async function serving(t: TestContext, handle: Handle) {
  const server = await startServer(handle);
  t.after(() => server.close());
  return server;
}

const answering = (t: TestContext, body: unknown, status = 200) =>
  serving(t, (_, response) => json(response, status, body));

const PARTS = {
  line: 'Rua dos Andradas, 1001',
  district: 'Centro Histórico',
  city: 'Porto Alegre',
  state: 'RS',
  near: { lat: -30, lng: -51.2 },
};

const DOOR = {
  street: 'Rua dos Andradas',
  number: 1001,
  district: 'Centro Histórico',
  city: 'Porto Alegre',
  state: 'RS',
  postcode: '90020007',
  position: { lat: -30.0305, lng: -51.2303 },
  precision: 'number',
  errorMetres: 20,
} as const;

const nominatimPlace = (address: object, more: object = {}) => ({
  lat: '-30.0305',
  lon: '-51.2303',
  addresstype: 'place',
  address: {
    road: 'Rua dos Andradas',
    suburb: 'Centro Histórico',
    city: 'Porto Alegre',
    state: 'Rio Grande do Sul',
    'ISO3166-2-lvl4': 'BR-RS',
    postcode: '90020-007',
    ...address,
  },
  ...more,
});

test('Nominatim: an address, suggestions and a position are translated', async (t) => {
  const server = await serving(t, (request, response) => {
    const place = nominatimPlace({ house_number: '1001' });
    json(response, 200, request.url!.startsWith('/reverse') ? place : [place, nominatimPlace({})]);
  });
  const geocoder = nominatim(`${server.url}/`, options);
  assert.deepEqual(await geocoder.geocode(PARTS), { ...DOOR, source: 'nominatim' });
  const asked = new URL(server.asked[0]!, server.url);
  assert.equal(asked.pathname, '/search');
  assert.equal(asked.searchParams.get('q'), 'Rua dos Andradas, 1001, Centro Histórico, Porto Alegre, RS');
  assert.equal(asked.searchParams.get('countrycodes'), 'br');
  assert.equal(asked.searchParams.get('viewbox'), '-51.700000,-30.500000,-50.700000,-29.500000');
  const found = await geocoder.search('andradas 1001', undefined, 5);
  assert.deepEqual(
    found.map(({ precision }) => precision),
    ['number', 'street'],
  );
  assert.equal((await geocoder.reverse(DOOR.position))?.number, 1001);
  assert.match(server.asked[2]!, /^\/reverse\?.*lat=-30\.030500&lon=-51\.230300/);
});

test('Nominatim: another number is a neighbour, and an empty answer finds nothing', async (t) => {
  const other = await answering(t, [nominatimPlace({ house_number: '1005' })]);
  const neighbour = await nominatim(other.url, options).geocode(PARTS);
  assert.deepEqual(
    [neighbour?.precision, neighbour?.number, neighbour?.errorMetres],
    ['approximate', 1001, 100],
  );
  const none = await answering(t, []);
  assert.equal(await nominatim(none.url, options).geocode(PARTS), null);
  const error = await answering(t, { error: 'Unable to geocode' });
  assert.equal(await nominatim(error.url, options).reverse(DOOR.position), null);
  const city = await answering(t, [
    nominatimPlace({ road: undefined, suburb: undefined }, { addresstype: 'city' }),
  ]);
  assert.equal((await nominatim(city.url, options).geocode(PARTS))?.precision, 'municipality');
});

test('Photon: an address, suggestions and a position are translated', async (t) => {
  const properties = {
    type: 'house',
    housenumber: '1001',
    street: 'Rua dos Andradas',
    district: 'Centro Histórico',
    city: 'Porto Alegre',
    state: 'Rio Grande do Sul',
    postcode: '90020-007',
  };
  const geometry = { type: 'Point', coordinates: [-51.2303, -30.0305] };
  const street = {
    type: 'street',
    name: 'Rua dos Andradas',
    city: 'Porto Alegre',
    state: 'Rio Grande do Sul',
  };
  const server = await answering(t, {
    type: 'FeatureCollection',
    features: [
      { geometry, properties },
      { geometry, properties: street },
    ],
  });
  const geocoder = photon(server.url, options);
  assert.deepEqual(await geocoder.geocode(PARTS), { ...DOOR, source: 'photon' });
  assert.match(server.asked[0]!, /^\/api\?q=Rua\+dos\+Andradas.*&lat=-30\.000000&lon=-51\.200000/);
  const [, second] = await geocoder.search('andradas', undefined, 5);
  assert.deepEqual([second?.street, second?.precision, second?.number], ['Rua dos Andradas', 'street', null]);
  assert.equal((await geocoder.reverse(DOOR.position))?.number, 1001);
});

const googleResult = (locationType: string) => ({
  types: ['street_address'],
  geometry: { location: { lat: -30.0305, lng: -51.2303 }, location_type: locationType },
  address_components: [
    { long_name: '1001', short_name: '1001', types: ['street_number'] },
    { long_name: 'Rua dos Andradas', short_name: 'R. dos Andradas', types: ['route'] },
    {
      long_name: 'Centro Histórico',
      short_name: 'CH',
      types: ['sublocality', 'sublocality_level_1', 'political'],
    },
    { long_name: 'Porto Alegre', short_name: 'POA', types: ['administrative_area_level_2', 'political'] },
    { long_name: 'Rio Grande do Sul', short_name: 'RS', types: ['administrative_area_level_1', 'political'] },
    { long_name: '90020-007', short_name: '90020-007', types: ['postal_code'] },
  ],
});

test('Google: an address, suggestions and a position are translated, and the key is sent', async (t) => {
  const server = await answering(t, {
    status: 'OK',
    results: [googleResult('ROOFTOP'), googleResult('RANGE_INTERPOLATED')],
  });
  const geocoder = google(`${server.url}/maps/api/geocode/json`, 'secret-key', options);
  assert.deepEqual(await geocoder.geocode(PARTS), { ...DOOR, source: 'google' });
  assert.match(
    server.asked[0]!,
    /^\/maps\/api\/geocode\/json\?address=.*&components=country%3ABR.*&key=secret-key$/,
  );
  const found = await geocoder.search('andradas 1001', undefined, 5);
  assert.deepEqual(
    found.map(({ precision }) => precision),
    ['number', 'approximate'],
  );
  assert.equal((await geocoder.reverse(DOOR.position))?.street, 'Rua dos Andradas');
  const none = await answering(t, { status: 'ZERO_RESULTS', results: [] });
  assert.equal(await google(none.url, 'secret-key', options).geocode(PARTS), null);
});

test('Google: a refusal names its reason and not the key', async (t) => {
  const server = await answering(t, {
    status: 'REQUEST_DENIED',
    error_message: 'The key secret-key is wrong',
  });
  await assert.rejects(google(server.url, 'secret-key', options).geocode(PARTS), (error: Error) => {
    assert.ok(error instanceof GeocodingUnavailable);
    assert.match(error.message, /REQUEST_DENIED/);
    assert.doesNotMatch(error.message, /secret-key/);
    return true;
  });
});

const misbehaviours: [what: string, handle: Handle][] = [
  ['status 500', (_, response) => json(response, 500, {})],
  ['status 429', (_, response) => json(response, 429, { error: 'slow down' })],
  ['HTML', (_, response) => void response.end('<html>busy</html>')],
  ['truncated JSON', (_, response) => void response.end('[{"lat": "-30.03", "lo')],
  ['a redirect', (_, response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['a closed connection', (request) => void request.socket.destroy()],
  ['a text', (_, response) => json(response, 200, 'busy')],
  ['a list of nonsense', (_, response) => json(response, 200, [1, null, 'x'])],
  [
    'an object of nonsense',
    (_, response) => json(response, 200, { status: 'OK', results: [{}], features: [{}] }),
  ],
  [
    'positions outside the earth',
    (_, response) =>
      json(response, 200, {
        status: 'OK',
        results: [
          {
            ...googleResult('ROOFTOP'),
            geometry: { location: { lat: 99, lng: 0 }, location_type: 'ROOFTOP' },
          },
        ],
        features: [{ geometry: { coordinates: [0, 99] }, properties: {} }],
      }),
  ],
  [
    'a huge body',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = ' '.repeat(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    },
  ],
  ['silence', () => {}],
];

for (const [what, handle] of misbehaviours)
  for (const [name, open] of Object.entries(SERVICES))
    test(`${name}: ${what} is as good as no answer`, async (t) => {
      const server = await serving(t, handle);
      const geocoder = open(server.url, 500);
      const isUnavailable = (error: Error): boolean =>
        error instanceof GeocodingUnavailable && !/Andradas|secret-key/.test(error.message);
      await assert.rejects(geocoder.geocode(PARTS), isUnavailable);
      await assert.rejects(geocoder.search('andradas', undefined, 5), isUnavailable);
      await assert.rejects(geocoder.reverse(DOOR.position), isUnavailable);
    });

test('the same question is asked once, failures are asked again', async (t) => {
  let isBroken = true;
  const server = await serving(t, (_, response) =>
    json(response, isBroken ? 500 : 200, [nominatimPlace({ house_number: '1001' })]),
  );
  const geocoder = guardedGeocoder(nominatim(server.url, options));
  await assert.rejects(geocoder.geocode(PARTS), GeocodingUnavailable);
  isBroken = false;
  const before = server.asked.length;
  for (let count = 0; count < 3; count++) assert.equal((await geocoder.geocode(PARTS))?.number, 1001);
  assert.equal(server.asked.length - before, 1);
  assert.equal(geocoder.counters().hits, 2);
  await geocoder.geocode({ ...PARTS, city: 'Canoas' });
  assert.equal(server.asked.length - before, 2);
});

test('a service that is down is not called for a while', async (t) => {
  const clock = testClock();
  const server = await answering(t, {}, 500);
  const geocoder = guardedGeocoder(photon(server.url, options), { clock, failuresMax: 3, pauseMs: 10_000 });
  for (let count = 0; count < 3; count++) await assert.rejects(geocoder.geocode(PARTS), GeocodingUnavailable);
  const asked = server.asked.length;
  await assert.rejects(geocoder.geocode(PARTS), /failed repeatedly and is given a pause/);
  assert.equal(server.asked.length, asked);
  assert.equal(geocoder.counters().state, 'open');
  clock.advance({ seconds: 11 });
  await assert.rejects(geocoder.geocode(PARTS), /status 500/);
});

const refusals: [name: string, status: number, body: unknown][] = [
  ['nominatim', 400, { error: { code: 400, message: 'Nothing to search for.' } }],
  ['photon', 400, { message: "missing search term 'q': /?q=berlin" }],
  ['google', 200, { status: 'INVALID_REQUEST', results: [] }],
];

for (const [name, status, body] of refusals)
  test(`${name}: refused queries do not open the circuit for others`, async (t) => {
    const server = await serving(t, (request, response) => {
      const isBlank = /[?&](q|address)=\+(&|$)/.test(request.url!);
      if (isBlank) json(response, status, body);
      else json(response, 200, name === 'nominatim' ? [] : { status: 'OK', results: [], features: [] });
    });
    const geocoder = guardedGeocoder(SERVICES[name]!(server.url), { failuresMax: 3 });
    for (let count = 0; count < 10; count++)
      await assert.rejects(geocoder.search(' ', undefined, 5), GeocodingUnavailable);
    assert.equal(server.asked.length, 10);
    assert.deepEqual(await geocoder.search('andradas', undefined, 5), []);
  });

test('no caller waits for a slow service longer than the time-out', async (t) => {
  const server = await serving(t, () => {});
  const geocoder = guardedGeocoder(nominatim(server.url, { timeoutMs: 60_000 }), { timeoutMs: 300 });
  await assert.rejects(geocoder.geocode(PARTS), /did not answer within 300 ms/);
});
