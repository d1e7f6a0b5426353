import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadAddresses } from '../../../../test/support/addresses.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { json, startServer } from '../../../../test/support/routingServers.ts';
import { settingsDefaults } from '../../centrals/central.ts';
import { readConfig } from '../../config.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { GeocodingUnavailable } from './geocoder.ts';
import { type GeocoderChoice, noServices, openGeocoders } from './geocoders.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
const server = await startServer((_, response) => json(response, 200, []));
after(async () => {
  await server.close();
  await db.close();
});

const central = (geocoding: GeocoderChoice) => ({ id: 1, settings: { ...settingsDefaults, geocoding } });
const PARTS = { line: 'Rua dos Andradas, 1001', city: 'Porto Alegre', state: 'RS' };

test('by default a central uses imported addresses, once there are any, and no service', async () => {
  const config = { ...noServices, nominatimUrl: server.url };
  const geocoders = await openGeocoders(db, systemClock, config);
  assert.equal(geocoders.isOn(central('auto').settings), false);
  assert.equal(geocoders.of(central('auto')), undefined);
  await loadAddresses({ db, geocoders });
  assert.equal(geocoders.isOn(central('auto').settings), true);
  assert.equal((await geocoders.of(central('auto'))!.geocode(PARTS))?.source, 'addresses');
  assert.deepEqual(server.asked, []);
});

test('a central chooses among what the service configures', async () => {
  const geocoders = await openGeocoders(db, systemClock, { ...noServices, nominatimUrl: server.url });
  assert.equal(geocoders.of(central('off')), undefined);
  assert.equal(await geocoders.of(central('nominatim'))!.geocode(PARTS), null);
  assert.equal(server.asked.length, 1);
  assert.deepEqual(
    geocoders.figures().map(({ name, counters }) => [name, counters.calls]),
    [['nominatim', 1]],
  );
  for (const [choice, setting] of [
    ['photon', 'MALOTE_PHOTON_URL'],
    ['google', 'MALOTE_GOOGLE_KEY'],
  ] as const)
    await assert.rejects(geocoders.of(central(choice))!.geocode(PARTS), (error: Error) => {
      assert.ok(error instanceof GeocodingUnavailable);
      return error.message.includes(setting);
    });
});

test('the configuration decides for centrals that do not', async () => {
  const config = { ...noServices, geocoder: 'off' as const };
  const geocoders = await openGeocoders(db, systemClock, config);
  assert.equal(geocoders.isOn(central('auto').settings), false);
  assert.equal(geocoders.isOn(central('addresses').settings), true);
});

test('a service that is chosen for all must be named', () => {
  for (const [choice, missing] of [
    ['nominatim', /MALOTE_NOMINATIM_URL must name its address/],
    ['photon', /MALOTE_PHOTON_URL must name its address/],
    ['google', /MALOTE_GOOGLE_KEY must hold its key/],
    ['bing', /MALOTE_GEOCODING is "bing", but must be one of/],
  ] as const)
    assert.throws(() => readConfig({ MALOTE_GEOCODING: choice }), missing);
  const { geocoding } = readConfig({ MALOTE_GEOCODING: 'google', MALOTE_GOOGLE_KEY: 'k' });
  assert.equal(geocoding.googleUrl, 'https://maps.googleapis.com/maps/api/geocode/json');
});
