import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  buildCityRoads,
  type CityRoads,
  cityPoint,
  corner,
  FIELD,
  islandCorner,
} from '../../../../test/support/city.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { haversineMetres } from '../../platform/kernel/position.ts';
import { currentVersion, tilesOf } from './roadFolder.ts';
import { NoRoadBetween, PROFILES, RoutingUnavailable } from './router.ts';
import { type EmbeddedRouter, valhallaEmbedded } from './valhallaEmbedded.ts';
import { requireValhallaPackage } from './valhallaPackage.ts';

const SNAP_METRES = 500;
/** A generous time-out, because a busy machine is slow. */
const OPTIONS = { snapMetres: SNAP_METRES, timeoutMs: 60_000 };

let city: CityRoads;
let router: EmbeddedRouter;

before(async () => {
  city = await buildCityRoads();
  router = valhallaEmbedded(city.folder, OPTIONS);
});
after(async () => {
  await router.close();
  await city.remove();
});

test('a street of both directions is as long there as back', async () => {
  const { metres } = await router.matrix([corner(3.5, 4), corner(6.5, 4)], 'car');
  assert.deepEqual(metres, [
    [0, 360],
    [360, 0],
  ]);
});

test('a one-way street is longer back, round the block', async () => {
  const { metres, seconds } = await router.matrix([corner(3.5, 2), corner(6.5, 2)], 'motorcycle');
  assert.deepEqual(metres, [
    [0, 360],
    [840, 0],
  ]);
  assert.ok(seconds[1]![0]! > seconds[0]![1]!);
});

test('the river is crossed where a bridge is', async () => {
  const { metres } = await router.matrix([corner(5, 5), corner(5, 6)], 'car');
  // Three blocks west to the bridge, over it, and three blocks back, for banks that are one block apart.
  assert.equal(metres[0]![1], 840);
});

test('every profile finds its way', async () => {
  for (const profile of PROFILES) {
    const { seconds } = await router.matrix([corner(0, 0), corner(11, 11)], profile);
    assert.ok(seconds[0]![1]! > 0, profile);
  }
});

test('a bicycle takes longer than a car', async () => {
  const points = [corner(0, 0), corner(11, 11)];
  const byCar = await router.matrix(points, 'car');
  const byBicycle = await router.matrix(points, 'bicycle');
  assert.ok(byBicycle.seconds[0]![1]! > byCar.seconds[0]![1]!);
});

test('an island leaves null cells, and only its own', async () => {
  const { metres, seconds } = await router.matrix([corner(5, 5), corner(1, 1), islandCorner(1, 1)], 'car');
  assert.deepEqual(metres, [
    [0, 960, null],
    [960, 0, null],
    [null, null, 0],
  ]);
  assert.deepEqual(
    seconds.map((row) => row.map((cell) => cell === null)),
    metres.map((row) => row.map((cell) => cell === null)),
  );
});

test('no road leads to the island', async () => {
  await assert.rejects(router.route([corner(5, 5), islandCorner(1, 1)], 'car'), NoRoadBetween);
});

test('a point in the field is refused by its index, in a matrix and in a route', async () => {
  const points = [corner(5, 5), corner(1, 1), FIELD, corner(2, 2)];
  await assert.rejects(router.matrix(points, 'car'), { name: 'PointOffRoad', index: 2 });
  await assert.rejects(router.route(points, 'car'), { name: 'PointOffRoad', index: 2 });
});

test('a point is refused from the configured distance on', async () => {
  const northOfLastRow = (metres: number) => cityPoint(600, 11 * 120 + metres);
  await router.matrix([corner(5, 5), northOfLastRow(SNAP_METRES - 5)], 'car');
  await assert.rejects(router.matrix([corner(5, 5), northOfLastRow(SNAP_METRES + 5)], 'car'), { index: 1 });
});

test('a point that is not on earth, or at its end, is refused by its index', async () => {
  for (const point of [
    { lat: 90, lng: 0 },
    { lat: -90, lng: 180 },
    { lat: 91, lng: 0 },
    { lat: Number.NaN, lng: 0 },
    { lat: 0, lng: 181 },
  ])
    await assert.rejects(router.matrix([corner(5, 5), point], 'car'), { name: 'PointOffRoad', index: 1 });
});

test('a route has a leg for each stop, and their sum', async () => {
  const route = await router.route([corner(3.5, 4), corner(6.5, 4), corner(6.5, 0)], 'car');
  assert.equal(route.legs.length, 2);
  assert.ok(Math.abs(route.legs[0]!.metres - 360) <= 1);
  assert.ok(Math.abs(route.legs[1]!.metres - 600) <= 1);
  assert.equal(route.metres, route.legs[0]!.metres + route.legs[1]!.metres);
  assert.equal(route.seconds, route.legs[0]!.seconds + route.legs[1]!.seconds);
});

test('the geometry of a route follows the roads over the bridge', async () => {
  const { geometry, metres } = await router.route([corner(5, 5), corner(5, 6)], 'car');
  const line = geometry.map(([lng, lat]) => ({ lat, lng }));
  for (const [column, row] of [
    [5, 5],
    [2, 5],
    [2, 6],
    [5, 6],
  ] as const)
    assert.ok(
      line.some((point) => haversineMetres(point, corner(column, row)) < 3),
      `passes corner ${column}, ${row}`,
    );
  const length = line.slice(1).reduce((sum, point, index) => sum + haversineMetres(line[index]!, point), 0);
  assert.ok(Math.abs(length - metres) < 5, `${length} m drawn, ${metres} m told`);
});

test('the geometry passes each stop once', async () => {
  const { geometry } = await router.route([corner(1, 4), corner(3.5, 4), corner(6, 4)], 'car');
  const texts = geometry.map(String);
  assert.equal(new Set(texts).size, texts.length);
});

test('more points than the engine takes at once are asked in pieces that fit together', async () => {
  const points = Array.from({ length: 60 }, (_, index) => corner(index % 12, Math.floor(index / 12)));
  const whole = await router.matrix(points, 'car');
  const [few] = (await router.matrix([points[3]!, points[57]!], 'car')).metres;
  assert.equal(whole.metres.length, 60);
  assert.ok(whole.metres.every((row) => row.length === 60));
  assert.equal(whole.metres[3]![57], few![1]);

  const route = await router.route(points, 'car');
  assert.equal(route.legs.length, 59);
  assert.deepEqual(
    await router.route(points.slice(18, 22), 'car').then(({ legs }) => legs),
    route.legs.slice(18, 21),
  );
});

test('where no place of a piece is joined to any of the other, all its cells are null', async () => {
  const mainland = Array.from({ length: 50 }, (_, index) => corner(index % 12, Math.floor(index / 12)));
  const { metres } = await router.matrix([...mainland, islandCorner(0, 0), islandCorner(2, 0)], 'car');
  for (const row of metres.slice(0, 50)) assert.deepEqual(row.slice(50), [null, null]);
  assert.deepEqual(metres[50]!.slice(49), [null, 0, 240]);
});

test('a point off the roads is named by its index also in a long route', async () => {
  const points = Array.from({ length: 30 }, (_, index) => (index === 25 ? FIELD : corner(index % 12, 4)));
  await assert.rejects(router.route(points, 'car'), { name: 'PointOffRoad', index: 25 });
});

test('an empty matrix, a lone point and a route of one point need no roads', async () => {
  assert.deepEqual(await router.matrix([], 'car'), { metres: [], seconds: [] });
  assert.deepEqual((await router.matrix([corner(1, 1)], 'car')).metres, [[0]]);
  assert.deepEqual((await router.route([corner(1, 1)], 'car')).legs, []);
});

test('before the first import the error says what to do, and afterwards no restart is needed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'malote-roads-'));
  const withoutTiles = valhallaEmbedded(folder, OPTIONS);
  try {
    await assert.rejects(withoutTiles.matrix([corner(1, 1)], 'car'), (error) => {
      assert.ok(error instanceof RoutingUnavailable);
      assert.match(error.message, /roads import/);
      return true;
    });
    await cp(city.folder, folder, { recursive: true });
    assert.deepEqual((await withoutTiles.matrix([corner(1, 1)], 'car')).metres, [[0]]);
  } finally {
    await withoutTiles.close();
    await rm(folder, { recursive: true });
  }
});

test('missing tiles are reported as out of order, not as points off the roads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'malote-roads-'));
  await cp(city.folder, folder, { recursive: true });
  await rm(tilesOf(folder, (await currentVersion(folder))!), { recursive: true });
  const broken = valhallaEmbedded(folder, OPTIONS);
  try {
    await assert.rejects(broken.matrix([corner(1, 1), corner(2, 1)], 'car'), (error) => {
      assert.ok(error instanceof RoutingUnavailable);
      assert.match(error.message, /cannot be read: ENOENT/);
      return true;
    });
    assert.deepEqual(await readdir(join(folder, 'in-use')), await readdir(join(city.folder, 'in-use')));
  } finally {
    await broken.close();
    await rm(folder, { recursive: true });
  }
});

test('without the engine it is out of order and says how to get it', async () => {
  const findPackage = () => requireValhallaPackage(city.folder, () => undefined);
  const poor = valhallaEmbedded(city.folder, { ...OPTIONS, findPackage });
  await assert.rejects(poor.matrix([corner(1, 1)], 'car'), (error) => {
    assert.ok(error instanceof RoutingUnavailable);
    assert.match(error.message, /malote roads import/);
    return true;
  });
  await poor.close();
});

test('new roads that cannot be opened yet leave the old ones in use', async () => {
  const other = await buildCityRoads();
  let attempts = 0;
  const service = valhallaEmbedded(other.folder, {
    ...OPTIONS,
    checkEveryMs: 10,
    findPackage() {
      const found = requireValhallaPackage();
      attempts += 1;
      return attempts === 2 ? { ...found, module: join(other.folder, 'none') } : found;
    },
  });
  const acrossTheRiver = async () =>
    (await service.matrix([corner(5, 5), corner(5, 6)], 'car')).metres[0]![1];
  try {
    assert.equal(await acrossTheRiver(), 840);
    await other.rebuild([5]);
    await waitUntil('the new roads are tried', () => attempts > 1);
    while (attempts < 3) assert.equal(await acrossTheRiver(), 840);
    await waitUntil('the new bridge is used', async () => (await acrossTheRiver()) === 120);
  } finally {
    await service.close();
    await other.remove();
  }
});

test('new roads are loaded while requests are answered, and the old ones are removed', async () => {
  const other = await buildCityRoads();
  let switches = 0;
  const service = valhallaEmbedded(other.folder, {
    ...OPTIONS,
    checkEveryMs: 10,
    onSwitch: () => switches++,
  });
  const acrossTheRiver = async () =>
    (await service.matrix([corner(5, 5), corner(5, 6)], 'car')).metres[0]![1];
  try {
    assert.equal(await acrossTheRiver(), 840);
    await other.rebuild([5]);
    await waitUntil('the new bridge is used', async () => (await acrossTheRiver()) === 120);
    assert.equal(switches, 1);
    await waitUntil('the old roads are removed', () => !existsSync(other.tiles));
    assert.equal(await acrossTheRiver(), 120);
  } finally {
    await service.close();
    await other.remove();
  }
});
