import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { noStreets } from '../routing/streets/streetsFiles.ts';
import { firstStreets } from '../routing/streets/streetsInMemory.ts';
import { drawnDemoStreets } from './demoStreets.ts';

test('the demonstration’s streets are drawn with their names, without naming another data source', async () => {
  const streets = await drawnDemoStreets().current();
  assert.equal(streets?.origin, 'own');
  const zoom = 14;
  const [x, y] = [Math.floor(2 ** zoom * (-51.2303 / 360 + 0.5)), 9626];
  const tiles = await Promise.all([-2, -1, 0, 1, 2].map((by) => streets.tile(zoom, x, y + by)));
  const texts = tiles.filter((tile) => tile !== undefined).map((tile) => gunzipSync(tile).toString('latin1'));
  assert.match(texts.join(), /Rua dos Andradas/);
  assert.equal(await streets.tile(zoom, 0, 0), undefined);
  assert.ok(streets.bounds.west < -51.22 && streets.bounds.east > -51.19);
});

test('imported streets come before them', async () => {
  const imported = { ...(await drawnDemoStreets().current())!, version: 'imported' };
  const source = { current: async () => imported, close: async () => undefined };
  assert.equal((await firstStreets(source, drawnDemoStreets()).current())?.version, 'imported');
  assert.equal((await firstStreets(noStreets, drawnDemoStreets()).current())?.version, 'demonstracao');
  assert.equal(await firstStreets(noStreets, noStreets).current(), null);
});
