import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AreaShape, indexAreas, type OperatingArea } from './area.ts';

const ring = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
const box = (...sides: [number, number, number, number]): AreaShape => ({
  type: 'Polygon',
  coordinates: [ring(...sides)],
});
const area = (id: number, shape: AreaShape, isDefault = false): OperatingArea => ({
  id,
  name: `area ${id}`,
  isDefault,
  shape,
});
const at = (lng: number, lat: number) => ({ lat, lng });

test('a place in no area belongs to none', () => {
  const index = indexAreas([area(1, box(0, 0, 10, 10))]);
  assert.equal(index.areaAt(at(11, 5)), undefined);
  assert.equal(index.areaAt(at(5, -1)), undefined);
});

test('a central without areas serves no place', () => {
  assert.equal(indexAreas([]).areaAt(at(0, 0)), undefined);
});

test('where areas overlap, one made for the place comes before the default one', () => {
  const whole = area(1, box(0, 0, 10, 10), true);
  const centre = area(2, box(4, 4, 6, 6));
  const index = indexAreas([whole, centre]);
  assert.equal(index.areaAt(at(5, 5)), centre);
  assert.equal(index.areaAt(at(1, 1)), whole);
});

test('where areas overlap, the oldest comes first, in whatever order they are listed', () => {
  const older = area(3, box(0, 0, 10, 10));
  const newer = area(7, box(5, 5, 15, 15));
  for (const areas of [
    [older, newer],
    [newer, older],
  ]) {
    assert.equal(indexAreas(areas).areaAt(at(7, 7)), older);
    assert.equal(indexAreas(areas).areaAt(at(12, 12)), newer);
  }
});

test('a border belongs to the area, and one shared by two to the older', () => {
  const west = area(1, box(0, 0, 5, 10));
  const east = area(2, box(5, 0, 10, 10));
  const index = indexAreas([west, east]);
  assert.equal(index.areaAt(at(0, 5)), west);
  assert.equal(index.areaAt(at(10, 10)), east);
  assert.equal(index.areaAt(at(5, 5)), west);
});

test('a hole does not belong to the area, its rim does', () => {
  const holed = area(1, {
    type: 'Polygon',
    coordinates: [ring(0, 0, 10, 10), ring(4, 4, 6, 6).toReversed()],
  });
  const index = indexAreas([holed]);
  assert.equal(index.areaAt(at(5, 5)), undefined);
  assert.equal(index.areaAt(at(4, 5)), holed);
  assert.equal(index.areaAt(at(3, 5)), holed);
});

test('what lies in a hole can be another area', () => {
  const holed = area(1, {
    type: 'Polygon',
    coordinates: [ring(0, 0, 10, 10), ring(4, 4, 6, 6).toReversed()],
  });
  const island = area(2, box(4, 4, 6, 6));
  const index = indexAreas([holed, island]);
  assert.equal(index.areaAt(at(5, 5)), island);
  assert.equal(index.areaAt(at(4, 5)), holed);
});

test('each polygon of a MultiPolygon counts, and what lies between them does not', () => {
  const two = area(1, {
    type: 'MultiPolygon',
    coordinates: [[ring(0, 0, 2, 2)], [ring(8, 8, 10, 10)]],
  });
  const index = indexAreas([two]);
  assert.equal(index.areaAt(at(1, 1)), two);
  assert.equal(index.areaAt(at(9, 9)), two);
  assert.equal(index.areaAt(at(5, 5)), undefined);
});
