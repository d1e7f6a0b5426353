import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { noStreets } from '../../../src/geo/routing/streets/streetsFiles.ts';
import { firstStreets } from '../../../src/geo/routing/streets/streetsInMemory.ts';
import { cityMap } from './cityMap.ts';

test('the city is drawn with the names of streets, districts and parks, without naming another data source', async (t) => {
  const start = performance.now();
  const map = (await cityMap().current())!;
  t.diagnostic(`drawn in ${Math.round(performance.now() - start)} ms`);
  assert.equal(map.origin, 'own');
  const [x, y] = [Math.floor(2 ** 14 * (-51.2303 / 360 + 0.5)), 9626];
  const texts: string[] = [];
  for (const column of [x - 1, x, x + 1])
    for (const row of [y - 1, y, y + 1]) {
      const tile = await map.tile(14, column, row);
      if (tile) texts.push(gunzipSync(tile).toString('latin1'));
    }
  const utf8 = Buffer.from(texts.join(), 'latin1').toString('utf8');
  for (const word of [
    'Rua dos Andradas',
    'Cidade Baixa',
    'Parque Farroupilha',
    'Praça',
    'water',
    'park',
    'oneway',
  ])
    assert.ok(utf8.includes(word), word);
  assert.equal(await map.tile(14, 0, 0), undefined);
  assert.ok(map.bounds.west < -51.25 && map.bounds.east > -51.18);
});

test('imported streets come before it', async () => {
  const imported = { ...(await cityMap().current())!, version: 'imported' };
  const source = { current: async () => imported, close: async () => undefined };
  assert.equal((await firstStreets(source, cityMap()).current())?.version, 'imported');
  assert.equal((await firstStreets(noStreets, cityMap()).current())?.version, 'cidade-2');
  assert.equal(await firstStreets(noStreets, noStreets).current(), null);
});
