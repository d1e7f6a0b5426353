import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { findCurrentSet } from '../../src/geo/geocoding/embedded/addressSetStore.ts';
import { embeddedGeocoder } from '../../src/geo/geocoding/embedded/embeddedGeocoder.ts';
import { systemClock } from '../../src/platform/kernel/clock.ts';
import { haversineMetres } from '../../src/platform/kernel/position.ts';
import { openDatabase } from '../../src/platform/postgres/database.ts';
import { loadDemoAddresses } from './demoAddresses.ts';
import { demoDestinations, demoPickups } from './demoCentrals.ts';

const db = openDatabase({ connection: await testDatabase(), poolSize: 4, onError: () => undefined });
after(() => db.close());
await loadDemoAddresses(db, systemClock);
const geocoder = embeddedGeocoder(db);

for (const place of [...Object.values(demoPickups), ...demoDestinations])
  test(`the demonstration finds its own address ${place.address}`, async () => {
    const { address: line, district, city, state, position } = place;
    const found = await geocoder.geocode({ line, district, city, state });
    assert.equal(found?.precision, 'number');
    assert.ok(haversineMetres(found.position, position) < 1);
    const [first] = await geocoder.search(line.toLowerCase(), position, 5);
    assert.ok(haversineMetres(first!.position, position) < 1);
  });

test('a few letters of a street are enough', async () => {
  const [first] = await geocoder.search('andrad', { lat: -30.03, lng: -51.22 }, 5);
  assert.equal(first?.street, 'Rua dos Andradas');
});

test('existing addresses are kept', async () => {
  const before = await findCurrentSet(db);
  assert.deepEqual(before?.sources, [{ name: 'demonstração', kind: 'demonstration' }]);
  await loadDemoAddresses(db, systemClock);
  assert.deepEqual(await findCurrentSet(db), before);
});
