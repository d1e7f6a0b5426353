import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCoordinates, readDegrees } from '../../web/console/src/pages/areas/readCoordinates.ts';

const HERE = { lat: -30.03, lng: -51.22 };

for (const typed of [
  '-30.03, -51.22',
  '-30.03,-51.22',
  ' -30.03 -51.22 ',
  '-30.03; -51.22',
  '-30,03 -51,22',
  '-30,03, -51,22',
  '-30,03,-51,22',
  '-30,03;-51,22',
  '-30.03\t-51.22',
])
  test(`coordinates are read: ${JSON.stringify(typed)}`, () =>
    assert.deepEqual(readCoordinates(typed), HERE));

for (const typed of ['', '-30.03', 'centro', '-30.03, ', '-91, -51', '-30, -181', '1 2 3', '-30,03', '1,2,3'])
  test(`no coordinates: ${JSON.stringify(typed)}`, () => assert.equal(readCoordinates(typed), undefined));

test('whole degrees are two numbers where the second has a sign', () => {
  assert.deepEqual(readCoordinates('-30,-51'), { lat: -30, lng: -51 });
});

test('degrees are read with a point or a comma, and within their range', () => {
  assert.equal(readDegrees('-30,5', 90), -30.5);
  assert.equal(readDegrees('-', 90), undefined);
  assert.equal(readDegrees('90.1', 90), undefined);
  assert.equal(readDegrees('', 180), undefined);
});
