import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoCity } from './city.ts';
import { districts } from './districts.ts';
import { areaOf, isInside, toPoint, toPosition } from './plane.ts';
import { demoAreas, demoZones } from './zones.ts';

test('the zones are closed, do not overlap, and each district lies in one or in none', () => {
  const zones = demoZones().map(({ name, ring }) => ({
    name,
    ring: ring.map(toPoint),
    first: ring[0],
    last: ring.at(-1),
  }));
  assert.deepEqual(
    zones.map(({ name }) => name),
    ['Centro Histórico', 'Zona Norte', 'Zona Leste', 'Zona Sul'],
  );
  for (const { ring, first, last } of zones) {
    assert.deepEqual(first, last);
    assert.ok(areaOf(ring) > 500_000, `${areaOf(ring)} m²`);
  }
  const homes = districts.map(({ name, at }) => ({
    name,
    zones: zones.filter(({ ring }) => isInside(toPoint(toPosition(at)), ring)).map((zone) => zone.name),
  }));
  assert.deepEqual(
    homes.filter((home) => home.zones.length > 1),
    [],
  );
  assert.deepEqual(homes.find(({ name }) => name === 'Centro Histórico')?.zones, ['Centro Histórico']);
  assert.deepEqual(homes.find(({ name }) => name === 'Glória')?.zones, ['Zona Sul']);
  assert.deepEqual(homes.find(({ name }) => name === 'Cidade Baixa')?.zones, []);
});

test('the area of the whole city holds every street and every zone', () => {
  const [city, ...zones] = demoAreas().map(({ ring }) => ring.map(toPoint));
  const outside = [...demoCity().streets.map(({ line }) => line), ...zones]
    .flat()
    .filter((point) => !isInside(point, city!));
  assert.deepEqual(outside, []);
});
