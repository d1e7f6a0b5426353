import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settingsDefaults } from '../../centrals/central.ts';
import { PointOffRoad, type Router } from '../../geo/routing/router.ts';
import { straightLineRouter } from '../../geo/routing/straightLine.ts';
import { bestStopOrder } from '../../money/pricing/stopOrder.ts';
import { randomFrom } from '../../platform/kernel/random.ts';
import type { Mergeable } from './mergeStore.ts';
import { type BatchProblem, planBatches, planMerge } from './planMerge.ts';

const LAKE_LNG = -51.3;
const roads: Router = {
  ...straightLineRouter(),
  async matrix(points, profile) {
    const inTheLake = points.findIndex(({ lng }) => lng === LAKE_LNG);
    if (inTheLake !== -1) throw new PointOffRoad(inTheLake);
    return straightLineRouter().matrix(points, profile);
  },
};
const order = (id: number, lng = -51.216): Mergeable => ({
  id,
  companyId: 1,
  categoryId: 1,
  dispatchAt: Temporal.Instant.from('2026-11-16T15:10:00Z').add({ minutes: id }),
  pickup: { lat: -30.0305, lng: -51.2303 },
  stops: [
    { lat: -30.045 - id / 1000, lng: -51.216 },
    { lat: -30.0455 - id / 1000, lng },
  ],
  returning: false,
  netCents: 1000,
  version: 1,
  mergeKey: '1',
});
const merged = async (...orders: Mergeable[]) =>
  (await planMerge(roads, 'motorcycle', orders, settingsDefaults)).map(({ members }) =>
    members.map(({ id }) => id),
  );

test('an order with a stop away from roads travels alone, and does not prevent the merge of others', async () => {
  assert.deepEqual(await merged(order(1), order(2, LAKE_LNG), order(3)), [[1, 3]]);
});

test('an order travels alone when all others have a stop away from roads', async () => {
  assert.deepEqual(await merged(order(1), order(2, LAKE_LNG), order(3, LAKE_LNG)), []);
});

/** Points of a square city at 7 m/s; the first is the pickup. */
function city(orders: number, seed: number, stopsOf = (_order: number) => 1): BatchProblem {
  const random = randomFrom(seed);
  const stops = Array.from({ length: orders }, (_, order) => stopsOf(order));
  const points = Array.from({ length: 1 + stops.reduce((sum, count) => sum + count, 0) }, () => [
    random() * 8000,
    random() * 8000,
  ]);
  let next = 1;
  return {
    seconds: points.map(([x, y]) =>
      points.map(([toX, toY]) => Math.round(Math.hypot(toX! - x!, toY! - y!) / 7)),
    ),
    orders: stops.map((count) => ({ stops: Array.from({ length: count }, () => next++), dispatchAt: 0 })),
    returning: false,
    stopsMax: 10,
    windowSeconds: 900,
    routeSecondsMax: 7200,
  };
}

const exactTotal = (problem: BatchProblem, batches: readonly (readonly number[])[]): number =>
  batches.reduce((sum, batch) => {
    const stops = batch.flatMap((order) => [...problem.orders[order]!.stops]);
    return (
      sum + bestStopOrder(problem.seconds, { start: 0, stops, ...(problem.returning && { end: 0 }) })!.cost
    );
  }, 0);

/** All partitions of the orders. */
function* partings(orders: number[]): Generator<number[][]> {
  const [first, ...rest] = orders;
  if (first === undefined) return yield [];
  for (const parting of partings(rest)) {
    yield [[first], ...parting];
    for (const [index, group] of parting.entries()) yield parting.with(index, [first, ...group]);
  }
}

test('every order travels exactly once, within stops, window and duration', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 25 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 1e6 }),
      fc.boolean(),
      (count, stopsEach, seed, returning) => {
        const random = randomFrom(seed);
        const problem = city(count, seed, (order) => 1 + (order % stopsEach));
        const orders = problem.orders.map((order) => ({ ...order, dispatchAt: Math.floor(random() * 3600) }));
        const varied = { ...problem, orders, returning, routeSecondsMax: 3600 };
        const batches = planBatches(varied, { rounds: 30, random });
        assert.deepEqual(
          batches.flat().sort((a, b) => a - b),
          [...orders.keys()],
        );
        for (const batch of batches) {
          const stops = batch.reduce((sum, order) => sum + orders[order]!.stops.length, 0);
          const times = batch.map((order) => orders[order]!.dispatchAt);
          assert.ok(stops <= 10);
          assert.ok(Math.max(...times) - Math.min(...times) <= varied.windowSeconds);
          if (batch.length > 1) assert.ok(exactTotal(varied, [batch]) <= varied.routeSecondsMax);
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('finds the best of all partitions of six orders', () => {
  for (const seed of [1, 2, 3, 4, 5]) {
    const problem = { ...city(6, seed), stopsMax: 3 };
    const legal = [...partings([0, 1, 2, 3, 4, 5])].filter((parting) =>
      parting.every((group) => group.length <= 3),
    );
    const best = Math.min(...legal.map((parting) => exactTotal(problem, parting)));
    const found = planBatches(problem, { rounds: 300, random: randomFrom(seed) });
    assert.equal(exactTotal(problem, found), best);
  }
});

test('the same seed gives the same plan', () => {
  const problem = city(30, 9);
  const plan = () => planBatches(problem, { rounds: 50, random: randomFrom(7) });
  assert.deepEqual(plan(), plan());
});

test('an order without a route to the others travels alone', () => {
  const problem = city(3, 4);
  const seconds = problem.seconds.map((row, from) =>
    row.map((cell, to) =>
      from !== to && (from === 2 || to === 2) && from * to !== 0 ? Number.POSITIVE_INFINITY : cell,
    ),
  );
  const batches = planBatches({ ...problem, seconds }, { rounds: 50, random: randomFrom(1) });
  assert.ok(batches.some((batch) => batch.length === 1 && batch[0] === 1));
});
