import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '../../../../test/support/clock.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { cachedRouter } from './cachedRouter.ts';
import { PointOffRoad, type Router } from './router.ts';
import { straightLineRouter } from './straightLine.ts';

const place = (index: number): Position => ({ lat: -30 - index / 100, lng: -51 });

/** The estimator, with a count of the matrices asked of it. */
function counted(): Router & { asked: (readonly Position[])[] } {
  const inner = straightLineRouter();
  const asked: (readonly Position[])[] = [];
  return {
    ...inner,
    asked,
    matrix: (points, profile) => {
      asked.push(points);
      return inner.matrix(points, profile);
    },
  };
}

test('a matrix of known routes is answered from the cache, in any order of its points', async () => {
  const inner = counted();
  const router = cachedRouter(inner);
  await router.matrix([place(1), place(2), place(3)], 'car');
  const answer = await router.matrix([place(3), place(1)], 'car');
  assert.deepEqual(answer, await straightLineRouter().matrix([place(3), place(1)], 'car'));
  assert.equal(inner.asked.length, 1);
  assert.deepEqual(router.counters(), { hits: 1, misses: 1, cells: 9 });
});

test('one unknown route requests the whole matrix', async () => {
  const inner = counted();
  const router = cachedRouter(inner);
  await router.matrix([place(1), place(2)], 'car');
  await router.matrix([place(1), place(2), place(3)], 'car');
  assert.equal(inner.asked.at(-1)!.length, 3);
  assert.deepEqual(router.counters(), { hits: 0, misses: 2, cells: 9 });
});

test('each vehicle has its own routes', async () => {
  const inner = counted();
  const router = cachedRouter(inner);
  await router.matrix([place(1), place(2)], 'car');
  const byBicycle = await router.matrix([place(1), place(2)], 'bicycle');
  assert.deepEqual(byBicycle, await straightLineRouter().matrix([place(1), place(2)], 'bicycle'));
});

test('places within a metre count as one place', async () => {
  const inner = counted();
  const router = cachedRouter(inner);
  await router.matrix([{ lat: -30.000001, lng: -51.000004 }, place(2)], 'car');
  await router.matrix([{ lat: -29.999998, lng: -50.999999 }, place(2)], 'car');
  assert.deepEqual(inner.asked, [[{ lat: -30, lng: -51 }, place(2)]]);
});

test('the absence of a route is cached too', async () => {
  let asked = 0;
  const inner: Router = {
    ...straightLineRouter(),
    async matrix() {
      asked++;
      return {
        metres: [
          [0, null],
          [null, 0],
        ],
        seconds: [
          [0, null],
          [null, 0],
        ],
      };
    },
  };
  const router = cachedRouter(inner);
  const first = await router.matrix([place(1), place(2)], 'car');
  assert.deepEqual(await router.matrix([place(1), place(2)], 'car'), first);
  assert.equal(asked, 1);
});

test('the cache is bounded, and drops the least recently used entry', async () => {
  const inner = counted();
  const router = cachedRouter(inner, { cellsMax: 8 });
  await router.matrix([place(1), place(2)], 'car');
  await router.matrix([place(3), place(4)], 'car');
  await router.matrix([place(1), place(2)], 'car');
  await router.matrix([place(5), place(6)], 'car');
  assert.equal(router.counters().cells, 8);
  assert.equal(inner.asked.length, 3);
  await router.matrix([place(1), place(2)], 'car');
  assert.equal(inner.asked.length, 3, 'used lately');
  await router.matrix([place(3), place(4)], 'car');
  assert.equal(inner.asked.length, 4, 'used longest ago');
});

test('ways are forgotten with age', async () => {
  const clock = testClock();
  const inner = counted();
  const router = cachedRouter(inner, { maxAgeSeconds: 60, clock });
  await router.matrix([place(1), place(2)], 'car');
  clock.advance({ seconds: 59 });
  await router.matrix([place(1), place(2)], 'car');
  assert.equal(inner.asked.length, 1);
  clock.advance({ seconds: 1, milliseconds: 1 });
  await router.matrix([place(1), place(2)], 'car');
  assert.equal(inner.asked.length, 2);
});

test('a refusal is not cached', async () => {
  const inner = counted();
  const well = inner.matrix;
  inner.matrix = () => Promise.reject(new PointOffRoad(0));
  const router = cachedRouter(inner);
  await assert.rejects(router.matrix([place(1)], 'car'), PointOffRoad);
  inner.matrix = well;
  assert.deepEqual((await router.matrix([place(1)], 'car')).metres, [[0]]);
});

test('when the roads change nothing old stays cached, not even answers in progress', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const inner = counted();
  const slow: Router = {
    ...inner,
    matrix: async (points, profile) => {
      await promise;
      return inner.matrix(points, profile);
    },
  };
  const router = cachedRouter(slow);
  const asked = router.matrix([place(1), place(2)], 'car');
  router.clear();
  resolve();
  await asked;
  assert.equal(router.counters().cells, 0);
  await router.matrix([place(1), place(2)], 'car');
  router.clear();
  await router.matrix([place(1), place(2)], 'car');
  assert.equal(inner.asked.length, 3);
});

test('routes pass through', async () => {
  const points = [place(1), place(2)];
  assert.deepEqual(
    await cachedRouter(counted()).route(points, 'car'),
    await straightLineRouter().route(points, 'car'),
  );
});
