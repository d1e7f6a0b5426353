import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settingsDefaults } from '../../../src/centrals/central.ts';
import { estimatorFor } from '../../../src/geo/routing/routers.ts';
import { haversineMetres, type Position } from '../../../src/platform/kernel/position.ts';
import { randomFrom } from '../../../src/platform/kernel/random.ts';
import { demoDestinations, demoPickups } from '../demoCentrals.ts';
import { cityRouter, streets } from './cityRouter.ts';
import { between, distance, distanceTo, toPoint, toPosition } from './plane.ts';

const settings = { ...settingsDefaults, simulatedCouriers: true };
const router = cityRouter(settings, estimatorFor(settings));
const { city, placeOf } = streets();

/** Every route of the table is driven with 30 pairs of places, far and near, the same each time. */
const random = randomFrom(11);
const somewhere = (): Position => {
  const { line } = city.ways[Math.floor(random() * city.ways.length)]!;
  return toPosition(between(line[0]!, line[1]!, random()));
};

for (const profile of ['motorcycle', 'car', 'bicycle'] as const)
  test(`routes of a ${profile} follow the streets from place to place, with the traffic`, async () => {
    for (let pair = 0; pair < 30; pair++) {
      const [from, to] = [somewhere(), somewhere()];
      const { geometry, metres, seconds } = await router.route([from, to], profile);
      const line = geometry.map(([lng, lat]) => toPoint({ lat, lng }));
      assert.ok(distance(line[0]!, toPoint(from)) < 1 && distance(line.at(-1)!, toPoint(to)) < 1);
      assert.ok(metres >= haversineMetres(from, to) * 0.99 - 2 && seconds > 0);
      for (let index = 1; index < line.length; index++) {
        const [a, b] = [line[index - 1]!, line[index]!];
        if (distance(a, b) < 3) continue;
        const places = [0.3, 0.5, 0.7].map((share) => placeOf(between(a, b, share))!);
        for (const { away } of places) assert.ok(away < 0.5, `${away} m off the street`);
        const [first, , last] = places;
        const { street } = city.ways[first!.way]!;
        if (street.oneWay && first!.way === last!.way)
          assert.ok(last!.at >= first!.at, `against the traffic in ${street.name}`);
      }
    }
  });

test('a matrix has the metres and seconds of its routes, and one-way streets make the way back another', async () => {
  const points = Array.from({ length: 6 }, somewhere);
  const { metres, seconds } = await router.matrix(points, 'motorcycle');
  let differing = 0;
  for (const [row, from] of points.entries())
    for (const [column, to] of points.entries()) {
      if (row === column) continue;
      const route = await router.route([from, to], 'motorcycle');
      assert.equal(metres[row]![column], route.metres);
      assert.equal(seconds[row]![column], route.seconds);
      if (metres[row]![column] !== metres[column]![row]) differing += 1;
    }
  assert.ok(differing > 0);
  assert.deepEqual(
    points.map((_point, index) => metres[index]![index]),
    points.map(() => 0),
  );
});

test('a route through several places has a leg to each', async () => {
  const points = [somewhere(), somewhere(), somewhere()];
  const { legs, metres } = await router.route(points, 'car');
  assert.equal(legs.length, 2);
  assert.equal(metres, legs[0]!.metres + legs[1]!.metres);
  const first = await router.route(points.slice(0, 2), 'car');
  assert.equal(legs[0]!.metres, first.metres);
});

test('the addresses of the demonstration stand on its streets', () => {
  for (const { address, position } of [...Object.values(demoPickups), ...demoDestinations]) {
    const own = city.streets.filter(({ name }) => address.startsWith(`${name}, `));
    const away = Math.min(...own.map(({ line }) => distanceTo(toPoint(position), line)));
    assert.ok(away < 30, `${address} is ${away} m away`);
  }
});

test('outside the city, and for centrals of real couriers, the estimator answers', async () => {
  const estimator = estimatorFor(settings);
  const away = [
    { lat: -30.03, lng: -51.22 },
    { lat: -23.55, lng: -46.63 },
  ];
  assert.deepEqual(await router.matrix(away, 'car'), await estimator.matrix(away, 'car'));
  const real = { ...settingsDefaults, simulatedCouriers: false };
  assert.equal(cityRouter(real, estimator), estimator);
});
