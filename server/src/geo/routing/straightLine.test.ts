import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { PROFILES } from './router.ts';
import { straightLineRouter } from './straightLine.ts';

const market = { lat: -30.0277, lng: -51.2287 };
// 0.01 degrees further south: 1112 metres as the crow flies.
const south = { lat: -30.0377, lng: -51.2287 };
const farSouth = { lat: -30.0477, lng: -51.2287 };

const aroundTown = fc.record({
  lat: fc.double({ min: -30.3, max: -29.9, noNaN: true }),
  lng: fc.double({ min: -51.4, max: -51, noNaN: true }),
});

describe('the straight-line router', () => {
  const router = straightLineRouter();

  test('adds the intercept to the straight line made longer', async () => {
    const { metres, seconds } = await router.matrix([market, south], 'motorcycle');
    // 550 + 1.35 * 1111.95 metres, at 25 km/h.
    assert.deepEqual(metres, [
      [0, 2051],
      [2051, 0],
    ]);
    assert.deepEqual(seconds, [
      [0, 295],
      [295, 0],
    ]);
  });

  test('takes its factors from whoever builds it', async () => {
    const plain = straightLineRouter({
      interceptMetres: 0,
      detourFactor: 1,
      metresPerSecond: { motorcycle: 10, car: 20, bicycle: 5 },
    });
    const { metres } = await plain.matrix([market, south], 'motorcycle');
    assert.equal(metres[0]?.[1], 1112);
    const times = await Promise.all(PROFILES.map((profile) => plain.matrix([market, south], profile)));
    assert.deepEqual(
      times.map(({ seconds }) => seconds[0]?.[1]),
      [111, 56, 222],
    );
  });

  test('needs nothing between points of the same place, and the intercept just beyond', async () => {
    const sameDoor = { lat: market.lat + 0.000001, lng: market.lng };
    const nextDoor = { lat: market.lat + 0.00002, lng: market.lng };
    const { metres, seconds } = await router.matrix([market, sameDoor, nextDoor], 'car');
    assert.deepEqual(metres[0], [0, 0, 553]);
    assert.deepEqual(seconds[0]?.slice(0, 2), [0, 0]);
  });

  test('draws a route as straight lines and sums its legs', async () => {
    assert.deepEqual(await router.route([market, south, south, farSouth], 'motorcycle'), {
      metres: 4102,
      seconds: 590,
      legs: [
        { metres: 2051, seconds: 295 },
        { metres: 0, seconds: 0 },
        { metres: 2051, seconds: 295 },
      ],
      geometry: [
        [-51.2287, -30.0277],
        [-51.2287, -30.0377],
        [-51.2287, -30.0377],
        [-51.2287, -30.0477],
      ],
    });
  });

  test('answers whole metres and seconds, the same in a matrix and along a route', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aroundTown, { minLength: 2, maxLength: 5 }),
        fc.constantFrom(...PROFILES),
        async (points, profile) => {
          const matrix = await router.matrix(points, profile);
          const { legs } = await router.route(points, profile);
          assert.equal(legs.length, points.length - 1);
          for (const [index, leg] of legs.entries()) {
            assert.equal(leg.metres, matrix.metres[index]?.[index + 1]);
            assert.equal(leg.seconds, matrix.seconds[index]?.[index + 1]);
          }
          for (const value of [...matrix.metres, ...matrix.seconds].flat())
            assert.ok(value !== null && Number.isSafeInteger(value) && value >= 0);
        },
      ),
    );
  });
});
