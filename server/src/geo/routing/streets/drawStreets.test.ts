import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import {
  buildCityRoads,
  corner,
  type OsmMap,
  writeCity,
  writePbf,
} from '../../../../../test/support/city.ts';
import { drawStreets, tilesOf } from './drawStreets.ts';
import { readStreets, UNITS_PER_DEGREE } from './readStreets.ts';
import { openStreets } from './streetsFiles.ts';
import { project, TILE_EXTENT } from './vectorTile.ts';

const scratch = await mkdtemp(join(tmpdir(), 'malote-streets-'));
after(() => rm(scratch, { recursive: true }));
const city = await buildCityRoads();
after(() => city.remove());

async function extract(map: OsmMap): Promise<string> {
  const path = join(scratch, `${Math.random()}.osm.pbf`);
  await writeFile(path, writePbf(map));
  return path;
}

/** A tile as the map library of the pages reads it. */
function decode(tile: Buffer) {
  const { layers } = new VectorTile(new PbfReader(tile));
  const { streets, ...others } = layers;
  assert.deepEqual(Object.keys(others), []);
  assert.ok(streets);
  assert.deepEqual([streets.version, streets.extent], [2, TILE_EXTENT]);
  return Array.from({ length: streets.length }, (_, index) => {
    const feature = streets.feature(index);
    assert.equal(feature.type, 2);
    const lines = feature.loadGeometry();
    assert.equal(lines.length, 1);
    return {
      properties: feature.properties as Record<string, string>,
      line: lines[0]!.map(({ x, y }): [number, number] => [x, y]),
    };
  });
}

const tileAt = (zoom: number) => {
  const { lat, lng } = corner(4, 8);
  const units = Int32Array.of(Math.round(lng * UNITS_PER_DEGREE), Math.round(lat * UNITS_PER_DEGREE));
  const [x, y] = project(units, zoom);
  return { x: Math.floor(x! / TILE_EXTENT), y: Math.floor(y! / TILE_EXTENT) };
};

test('an import draws its streets: all of them near by, only wide ones from afar', async () => {
  const opened = openStreets(city.folder);
  try {
    const streets = await opened.current();
    assert.ok(streets);
    const shown = async (zoom: number) => {
      const { x, y } = tileAt(zoom);
      const tile = await streets.tile(zoom, x, y);
      return tile ? decode(gunzipSync(tile)) : [];
    };
    const near = await shown(14);
    assert.ok(near.some(({ properties }) => properties.name === 'Rua 9' && properties.class === 'street'));
    assert.ok(near.some(({ properties }) => properties.name === 'Avenida 3' && properties.class === 'main'));
    assert.deepEqual([...new Set((await shown(10)).map(({ properties }) => properties.class))], ['main']);
    assert.ok((await shown(10)).every(({ properties }) => properties.name === undefined));
    assert.deepEqual(await shown(8), []);
    assert.ok(!near.some(({ properties }) => properties.name === 'Arroio'), 'a river is no street');
  } finally {
    await opened.close();
  }
});

test('a street lies where its corners are, to a metre', async () => {
  const pbf = join(scratch, 'city.osm.pbf');
  await writeFile(pbf, writeCity());
  const ninth = (await readStreets(pbf, 1_000_000))!.find(({ name }) => name === 'Rua 9')!;
  const [lng, lat] = [ninth.line[0]! / UNITS_PER_DEGREE, ninth.line[1]! / UNITS_PER_DEGREE];
  assert.ok(Math.abs(lng - corner(0, 8).lng) < 1e-6 && Math.abs(lat - corner(0, 8).lat) < 1e-6);
});

test('pieces of one street become one line again, and a ring ends where it began', async () => {
  const nodes = [1, 2, 3, 4, 5].map((id) => ({ id, lat: -30 - id / 1000, lng: -51 - (id % 2) / 1000 }));
  const tags = { highway: 'residential', name: 'Rua Longa' };
  const ring = { highway: 'residential', name: 'Rótula' };
  const pbf = await extract({
    nodes,
    ways: [
      { id: 1, nodes: [2, 3], tags },
      { id: 2, nodes: [1, 2], tags },
      { id: 3, nodes: [3, 4], tags: { ...tags, bridge: 'yes' } },
      { id: 4, nodes: [4, 5], tags: { ...tags, name: 'Outra' } },
      { id: 5, nodes: [1, 3], tags: ring },
      { id: 6, nodes: [3, 1], tags: ring },
    ],
  });
  const found = (await readStreets(pbf, 100))!.map(({ name, line }) => [name, line.length / 2]);
  assert.deepEqual(Object.fromEntries(found), { 'Rua Longa': 4, Outra: 2, Rótula: 3 });
  assert.equal(found.length, 3);
});

test('one-way streets are marked near by, with their lines along the traffic', async () => {
  const nodes = [1, 2].map((id) => ({ id, lat: -30, lng: -51 - id / 1000 }));
  const ways = (
    [
      ['ahead', { oneway: 'yes' }],
      ['back', { oneway: '-1' }],
      ['both', {}],
      ['told so', { oneway: 'no', junction: 'roundabout' }],
      ['round', { junction: 'roundabout' }],
    ] as const
  ).map(([name, tags], id) => ({ id, nodes: [1, 2], tags: { highway: 'residential', name, ...tags } }));
  const streets = (await readStreets(await extract({ nodes, ways }), 100))!;
  const traffic = streets.map(({ name, oneWay, line }) => [
    name,
    oneWay && (line[0]! > line[2]! ? 'west' : 'east'),
  ]);
  assert.deepEqual(Object.fromEntries(traffic), {
    ahead: 'west',
    back: 'east',
    both: false,
    'told so': false,
    round: 'west',
  });
  const marked = (zoom: number) =>
    [...tilesOf(streets, zoom).values()].flatMap((tile) =>
      decode(Buffer.from(tile.encode())).filter(({ properties }) => properties.oneway === 'yes'),
    ).length;
  assert.deepEqual([marked(13), marked(14)], [0, 3]);
});

test('ways without vehicles are not drawn, and streets that leave the extract are drawn as far as known', async () => {
  const nodes = [1, 2].map((id) => ({ id, lat: -30, lng: -51 - id / 1000 }));
  const pbf = await extract({
    nodes,
    ways: [
      { id: 1, nodes: [1, 2], tags: { highway: 'footway' } },
      { id: 2, nodes: [1, 2], tags: { highway: 'service', service: 'parking_aisle' } },
      { id: 3, nodes: [1, 2], tags: { highway: 'pedestrian', area: 'yes' } },
      { id: 4, nodes: [1, 2, 99], tags: { highway: 'primary' } },
      { id: 5, nodes: [1, 98], tags: { highway: 'secondary' } },
    ],
  });
  const found = await readStreets(pbf, 100);
  assert.deepEqual(
    found!.map(({ class: kind, line }) => [kind, line.length / 2]),
    [['main', 2]],
  );
});

test('nothing is drawn if there are too many streets, or none', async () => {
  const nodes = [1, 2].map((id) => ({ id, lat: -30, lng: -51 - id / 1000 }));
  const way = { id: 1, nodes: [1, 2], tags: { highway: 'primary' } };
  assert.equal(await readStreets(await extract({ nodes, ways: [way] }), 1), null);
  assert.equal(await drawStreets(await extract({ nodes, ways: [] }), scratch), false);
});

test('without an import there is nothing to draw', async () => {
  const opened = openStreets(join(scratch, 'nowhere'));
  assert.equal(await opened.current(), null);
  await opened.close();
});
