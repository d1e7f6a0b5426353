import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Matrix, type Profile, type Router, RoutingUnavailable } from '../../geo/routing/router.ts';
import { straightLineRouter } from '../../geo/routing/straightLine.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { NoWay, type PlannedTrip, planStops } from './planStops.ts';

const pickup = { lat: -30.03, lng: -51.23 };
const a = { lat: -30.04, lng: -51.23 };
const b = { lat: -30.05, lng: -51.23 };
const c = { lat: -30.06, lng: -51.23 };
const driver = { lat: -30.055, lng: -51.23 };

const trip = (change: Partial<PlannedTrip>): PlannedTrip => ({
  start: pickup,
  stops: [a, b],
  profile: 'motorcycle',
  optimise: true,
  ...change,
});

/** Knows only the seconds between the points it will be asked for; a metre is a tenth of a second. */
function routerOf(seconds: (number | null)[][]) {
  const asked: { points: readonly Position[]; profile: Profile }[] = [];
  const router: Router = {
    name: 'table',
    async matrix(points, profile): Promise<Matrix> {
      asked.push({ points, profile });
      return { seconds, metres: seconds.map((row) => row.map((cell) => cell && cell * 10)) };
    },
    route: () => Promise.reject(new Error('a plan asks for no route')),
  };
  return { router, asked };
}

describe('planning stops', () => {
  test('finds the fastest order and returns its legs', async () => {
    const { router, asked } = routerOf([
      [0, 90, 30],
      [1, 0, 1],
      [1, 20, 0],
    ]);
    assert.deepEqual(await planStops(router, trip({})), {
      order: [1, 0],
      outwardMetres: 500,
      outwardSeconds: 50,
      backMetres: 0,
      backSeconds: 0,
      legs: [
        { metres: 300, seconds: 30 },
        { metres: 200, seconds: 20 },
      ],
    });
    assert.deepEqual(asked, [{ points: [pickup, a, b], profile: 'motorcycle' }]);
  });

  test('keeps the given order when told to, though it takes longer', async () => {
    const { router } = routerOf([
      [0, 90, 30],
      [1, 0, 5],
      [1, 20, 0],
    ]);
    const plan = await planStops(router, trip({ optimise: false }));
    assert.deepEqual([plan.order, plan.outwardSeconds], [[0, 1], 95]);
  });

  test('considers the way back, and reports it separately', async () => {
    const { router, asked } = routerOf([
      [0, 10, 20],
      [10, 0, 10],
      [90, 15, 0],
    ]);
    const there = await planStops(router, trip({}));
    assert.deepEqual([there.order, there.outwardSeconds, there.backSeconds], [[0, 1], 20, 0]);

    const andBack = await planStops(router, trip({ end: pickup }));
    assert.deepEqual(
      [andBack.order, andBack.outwardSeconds, andBack.backSeconds, andBack.backMetres],
      [[1, 0], 35, 10, 100],
    );
    assert.equal(andBack.legs.length, 2);
    assert.deepEqual(asked[1]?.points, [pickup, a, b], 'the pickup is asked for once');
  });

  test('goes on from the driver with the stops that remain, and returns to the pickup', async () => {
    const { router, asked } = routerOf([
      [0, 5, 50, 7],
      [9, 0, 9, 40],
      [9, 8, 0, 30],
      [9, 9, 9, 0],
    ]);
    const plan = await planStops(router, trip({ start: driver, end: pickup }));
    assert.deepEqual(asked[0]?.points, [driver, a, b, pickup]);
    assert.deepEqual([plan.order, plan.outwardSeconds, plan.backSeconds], [[0, 1], 14, 30]);
  });

  test('keeps the stops that are done at the front, and goes on from the last of them', async () => {
    const { router, asked } = routerOf([
      [0, 10, 1, 1],
      [10, 0, 50, 20],
      [10, 10, 0, 10],
      [10, 10, 10, 0],
    ]);
    const plan = await planStops(router, trip({ done: [c], end: pickup }));
    assert.deepEqual(asked[0]?.points, [pickup, c, a, b]);
    assert.deepEqual(plan, {
      order: [1, 0],
      outwardMetres: 400,
      outwardSeconds: 40,
      backMetres: 100,
      backSeconds: 10,
      legs: [
        { metres: 200, seconds: 20 },
        { metres: 100, seconds: 10 },
      ],
    });
  });

  test('orders what is left from where the driver is, and measures the trip along its stops', async () => {
    const { router, asked } = routerOf([
      [0, 10, 70, 1, 1],
      [10, 0, 80, 50, 20],
      [99, 99, 0, 5, 60],
      [10, 10, 10, 0, 10],
      [10, 10, 10, 10, 0],
    ]);
    const plan = await planStops(router, trip({ done: [c], continuesFrom: driver }));
    assert.deepEqual(asked[0]?.points, [pickup, c, driver, a, b]);
    assert.deepEqual([plan.order, plan.outwardSeconds], [[0, 1], 10 + 50 + 10]);
    assert.deepEqual(
      plan.legs.map(({ seconds }) => seconds),
      [50, 10],
    );
  });

  test('asks for stops at the same place once, and visits each', async () => {
    const { router, asked } = routerOf([
      [0, 10, 20],
      [10, null, 10],
      [20, 10, null],
    ]);
    const sameDoorAsB = { lat: b.lat + 0.000001, lng: b.lng };
    const plan = await planStops(router, trip({ stops: [b, a, sameDoorAsB] }));
    assert.deepEqual(asked[0]?.points, [pickup, b, a]);
    assert.deepEqual(plan.order, [0, 2, 1]);
    assert.deepEqual(plan.legs[1], { metres: 0, seconds: 0 });
    assert.equal(plan.outwardSeconds, 20);
  });

  test('does not ask the router when everything is at one place', async () => {
    const { router, asked } = routerOf([]);
    const plan = await planStops(router, trip({ stops: [pickup, pickup], end: pickup }));
    assert.deepEqual([plan.order, plan.outwardMetres, plan.backMetres], [[0, 1], 0, 0]);
    assert.equal(asked.length, 0);
  });

  test('leads a driver with no stop left back to the end', async () => {
    const { router } = routerOf([
      [0, 60],
      [50, 0],
    ]);
    assert.deepEqual(await planStops(router, trip({ start: driver, stops: [], end: pickup })), {
      order: [],
      outwardMetres: 0,
      outwardSeconds: 0,
      backMetres: 600,
      backSeconds: 60,
      legs: [],
    });
  });

  test('avoids legs that do not exist while another order does', async () => {
    const { router } = routerOf([
      [0, 1, 50],
      [1, 0, null],
      [1, 50, 0],
    ]);
    assert.deepEqual((await planStops(router, trip({}))).order, [1, 0]);
    await assert.rejects(planStops(router, trip({ optimise: false })), NoWay);
  });

  test('fails with NoWay when a stop cannot be reached, or no way leads back', async () => {
    const unreachable = routerOf([
      [0, 1, null],
      [1, 0, null],
      [1, 1, 0],
    ]);
    await assert.rejects(planStops(unreachable.router, trip({})), NoWay);
    const oneWay = routerOf([
      [0, 1],
      [null, 0],
    ]);
    for (const optimise of [true, false])
      await assert.rejects(planStops(oneWay.router, trip({ stops: [a], end: pickup, optimise })), NoWay);
    await planStops(oneWay.router, trip({ stops: [a] }));
  });

  test('treats a leg without metres as no route', async () => {
    const seconds = [
      [0, 10],
      [10, 0],
    ];
    const metres = [
      [0, null],
      [10, 0],
    ];
    const router: Router = { ...routerOf(seconds).router, matrix: async () => ({ seconds, metres }) };
    for (const optimise of [true, false])
      await assert.rejects(planStops(router, trip({ stops: [a], optimise })), NoWay);
  });

  test('passes on the error of a router that is down', async () => {
    const router: Router = {
      ...routerOf([]).router,
      matrix: () => Promise.reject(new RoutingUnavailable('silent')),
    };
    await assert.rejects(planStops(router, trip({})), RoutingUnavailable);
  });
});

describe('planning stops along straight lines', () => {
  const router = straightLineRouter();

  test('visits a street from its near end to its far end', async () => {
    const plan = await planStops(router, trip({ stops: [c, a, b] }));
    assert.deepEqual(plan.order, [1, 2, 0]);
    assert.deepEqual(
      plan.legs.map(({ metres }) => metres),
      [2051, 2051, 2051],
    );
  });

  test('begins with the stops near the driver', async () => {
    const plan = await planStops(router, trip({ start: driver, stops: [a, b, c], end: pickup }));
    assert.deepEqual(plan.order, [2, 1, 0]);
    assert.equal(plan.backMetres, 2051);
  });

  test('is never slower than the given order, and agrees with the route along its stops', async () => {
    // On a grid, so that points are either equal or different places.
    const degrees = (min: number) => fc.nat({ max: 4000 }).map((steps) => min + steps / 1e4);
    const aroundTown = fc.record({ lat: degrees(-30.3), lng: degrees(-51.4) });
    const anyTrip = fc.record({
      start: aroundTown,
      stops: fc.array(aroundTown, { minLength: 1, maxLength: 6 }),
      end: aroundTown,
      profile: fc.constant('car' as const),
    });
    await fc.assert(
      fc.asyncProperty(anyTrip, async (each) => {
        const best = await planStops(router, { ...each, optimise: true });
        const given = await planStops(router, { ...each, optimise: false });
        assert.ok(best.outwardSeconds + best.backSeconds <= given.outwardSeconds + given.backSeconds);
        assert.deepEqual(
          best.order.toSorted((x, y) => x - y),
          given.order,
        );
        const visited = [each.start, ...best.order.map((stop) => each.stops[stop]!), each.end];
        const route = await router.route(visited, each.profile);
        assert.equal(route.metres, best.outwardMetres + best.backMetres);
        assert.equal(route.seconds, best.outwardSeconds + best.backSeconds);
      }),
    );
  });
});
