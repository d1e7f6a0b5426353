import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  buildCityRoads,
  type CityRoads,
  corner,
  FIELD,
  islandCorner,
} from '../../../../test/support/city.ts';
import {
  json,
  type RoutingServer,
  startOsrmServer,
  startServer,
  startValhallaServer,
} from '../../../../test/support/routingServers.ts';
import { osrmHttp } from './osrmHttp.ts';
import { NoRoadBetween, type Router, RoutingUnavailable } from './router.ts';
import { VALHALLA_CODES, ValhallaRefused, valhallaHttp, valhallaRouter } from './valhalla.ts';
import { startValhallaEngine, type ValhallaEngine } from './valhallaEngine.ts';
import { requireValhallaPackage } from './valhallaPackage.ts';

const options = { snapMetres: 500, timeoutMs: 60_000 };

let city: CityRoads;
let engine: ValhallaEngine;
before(async () => {
  city = await buildCityRoads();
  engine = startValhallaEngine(requireValhallaPackage(), city.tiles, options);
});
after(async () => {
  await engine.close();
  await city.remove();
});

const engines: [name: string, start: () => Promise<RoutingServer>, open: (url: string) => Router][] = [
  ['Valhalla', () => startValhallaServer(engine.ask), (url) => valhallaHttp(url, options)],
  ['OSRM', () => startOsrmServer(engine.ask), (url) => osrmHttp(url, options)],
];

for (const [name, start, open] of engines)
  describe(`${name} over HTTP`, () => {
    let server: RoutingServer;
    let router: Router;
    before(async () => {
      server = await start();
      router = open(`${server.url}/`);
    });
    after(() => server.close());

    test('returns the same matrix as the engine itself', async () => {
      const points = [corner(3.5, 2), corner(6.5, 2), corner(5, 6), islandCorner(1, 1)];
      const itself = valhallaRouter('itself', engine.ask, options);
      const matrix = await router.matrix(points, 'car');
      assert.deepEqual(matrix, await itself.matrix(points, 'car'));
      assert.deepEqual(matrix.metres[0], [0, 360, 1140, null]);
    });

    test('returns the same route as the engine itself', async () => {
      const points = [corner(5, 5), corner(5, 6), corner(3.5, 2)];
      const itself = await valhallaRouter('itself', engine.ask, options).route(points, 'car');
      const route = await router.route(points, 'car');
      for (const [index, leg] of route.legs.entries())
        assert.ok(Math.abs(leg.metres - itself.legs[index]!.metres) <= 1);
      assert.equal(route.legs.length, 2);
      assert.deepEqual(route.geometry.at(0), itself.geometry.at(0));
      assert.deepEqual(route.geometry.at(-1), itself.geometry.at(-1));
      assert.ok(route.geometry.length > 6, 'follows the corners');
    });

    test('refuses a point in the field by its index', async () => {
      const points = [corner(5, 5), corner(1, 1), corner(2, 2), FIELD];
      await assert.rejects(router.matrix(points, 'car'), { name: 'PointOffRoad', index: 3 });
      await assert.rejects(router.route(points, 'car'), { name: 'PointOffRoad', index: 3 });
    });

    test('says that no road leads to the island', async () => {
      await assert.rejects(router.route([corner(5, 5), islandCorner(1, 1)], 'car'), NoRoadBetween);
    });

    test('takes a number of points that leaves one for the last piece, and a lone point', async () => {
      const points = Array.from({ length: 51 }, (_, index) => corner(index % 12, Math.floor(index / 12)));
      const { metres } = await router.matrix(points, 'car');
      assert.deepEqual([metres[50]!.length, metres[50]![50]], [51, 0]);
      assert.deepEqual(await router.matrix(points.slice(0, 1), 'car'), { metres: [[0]], seconds: [[0]] });
    });

    test('asks for many points in pieces that the engine takes', async () => {
      const points = Array.from({ length: 60 }, (_, index) => corner(index % 12, Math.floor(index / 12)));
      server.asked.length = 0;
      const { metres } = await router.matrix(points, 'car');
      assert.equal(server.asked.length, 4);
      assert.equal(metres.length, 60);
      assert.ok(metres.every((row) => row.length === 60 && row.every((cell) => cell !== null)));
      const way = [...points.slice(0, 25), FIELD, ...points.slice(25, 30)];
      await assert.rejects(router.route(way, 'car'), { name: 'PointOffRoad', index: 25 });
    });
  });

test('an OSRM that does not name the point off the roads is asked for each', async () => {
  const server = await startOsrmServer(engine.ask, { namesPoints: false });
  try {
    const router = osrmHttp(server.url, options);
    const points = [corner(5, 5), FIELD, corner(1, 1)];
    await assert.rejects(router.matrix(points, 'car'), { name: 'PointOffRoad', index: 1 });
  } finally {
    await server.close();
  }
});

test('OSRM may turn round at a stop in a route, as it does in a matrix', async () => {
  const server = await startOsrmServer(engine.ask);
  try {
    await osrmHttp(server.url, options).route([corner(1, 1), corner(2, 2), corner(1, 1)], 'car');
    assert.match(server.asked[0]!, /continue_straight=false/);
  } finally {
    await server.close();
  }
});

test('an OSRM for each profile is found by its address', async () => {
  const server = await startServer((_, response) => json(response, 503, {}));
  try {
    const router = osrmHttp(`${server.url}/{profile}`, options);
    await assert.rejects(router.matrix([corner(1, 1), corner(2, 1)], 'bicycle'), RoutingUnavailable);
    assert.match(server.asked[0]!, /^\/bicycle\/table\/v1\/bike\//);
  } finally {
    await server.close();
  }
});

test('a Valhalla that fails a whole matrix for one point in another region still tells the rest', async () => {
  const isIsland = ({ lon }: { lon: number }) => lon > corner(20, 0).lng;
  const server = await startValhallaServer(async (action, query) => {
    const { sources = [], targets = [] } = query as Record<string, { lon: number }[]>;
    if (new Set([...sources, ...targets].map(isIsland)).size > 1)
      throw new ValhallaRefused(VALHALLA_CODES.unconnectedRegions, 'Locations are in unconnected regions.');
    return engine.ask(action, query);
  });
  try {
    const points = [corner(3.5, 2), islandCorner(1, 1), corner(6.5, 2), corner(5, 6), islandCorner(2, 1)];
    assert.deepEqual(
      await valhallaHttp(server.url, options).matrix(points, 'car'),
      await valhallaRouter('itself', engine.ask, options).matrix(points, 'car'),
    );
  } finally {
    await server.close();
  }
});

test('an older Valhalla, which answers cell by cell, is understood too', async () => {
  const server = await startValhallaServer((action, query) =>
    engine.ask(action, { ...query, verbose: true }),
  );
  try {
    const points = [corner(3.5, 2), corner(6.5, 2), islandCorner(1, 1)];
    assert.deepEqual(
      await valhallaHttp(server.url, options).matrix(points, 'car'),
      await valhallaRouter('itself', engine.ask, options).matrix(points, 'car'),
    );
  } finally {
    await server.close();
  }
});
