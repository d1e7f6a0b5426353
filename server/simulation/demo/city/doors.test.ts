import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsDefaults } from '../../../src/centrals/central.ts';
import { estimatorFor } from '../../../src/geo/routing/routers.ts';
import { randomFrom } from '../../../src/platform/kernel/random.ts';
import { demoPickups } from '../demoCentrals.ts';
import { cityRouter, streets } from './cityRouter.ts';
import { cityDoors, someDoor } from './doors.ts';
import { toPoint } from './plane.ts';

const doors = [...cityDoors()];
const { city, placeOf } = streets();

test('every street of some length has doors, whose numbers grow from its beginning', () => {
  assert.ok(doors.length > 15_000, `${doors.length} doors`);
  const named = new Set(doors.map(({ street }) => street));
  const long = city.streets.filter(({ line }) => line.length > 6).map(({ name }) => name);
  assert.deepEqual(
    long.filter((name) => !named.has(name)),
    [],
  );
  assert.ok(doors.every(({ number }) => Number.isInteger(number) && number > 0 && number < 9_999));
});

test('each door stands beside a street, nearly always its own, and can be driven to from the centre', async () => {
  const settings = { ...settingsDefaults, simulatedCouriers: true };
  const router = cityRouter(settings, estimatorFor(settings));
  let beside = 0;
  for (const { position, street } of doors) {
    const place = placeOf(toPoint(position));
    assert.ok(place && place.away < 30, `${street}: ${place?.away}`);
    if (city.ways[place.way]!.street.name === street) beside += 1;
  }
  assert.ok(beside / doors.length > 0.95, `${beside} of ${doors.length} at their own street`);
  const some = doors.filter((_door, index) => index % 150 === 0).map(({ position }) => position);
  const { seconds } = await router.matrix([demoPickups.pharmacy.position, ...some], 'car');
  assert.ok(seconds.flat().every((value) => value !== null && Number.isFinite(value)));
});

test('a seed chooses a door', () => {
  assert.deepEqual(someDoor(randomFrom(3)), someDoor(randomFrom(3)));
  assert.notDeepEqual(someDoor(randomFrom(3)), someDoor(randomFrom(4)));
});
