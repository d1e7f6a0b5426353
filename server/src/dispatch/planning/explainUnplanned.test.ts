import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanDriver, PlanProblem, PlanRequest, UnplannedReason } from './planProblem.ts';
import { planRoutes } from './planRoutes.ts';

const driver: PlanDriver = {
  id: 1,
  start: 0,
  shift: { from: 0, to: 3600 },
  capacity: [10],
  skills: ['box'],
};
const request: PlanRequest = {
  id: 7,
  pickup: { place: 1, serviceSeconds: 60 },
  drops: [{ place: 2, serviceSeconds: 60, amounts: [3] }],
};
const hundred: (number | null)[][] = [0, 1, 2].map((from) => [0, 1, 2].map((to) => (from === to ? 0 : 100)));
const problem: PlanProblem = {
  matrix: { seconds: hundred, metres: hundred },
  requests: [request],
  drivers: [driver],
};
const asking = (changes: Partial<PlanRequest>): PlanProblem => ({
  ...problem,
  requests: [{ ...request, ...changes }],
});
const dropUntil = (latest: number) => ({
  drops: [{ ...request.drops[0]!, window: { latest, isHard: true } }],
});

const reasons: [UnplannedReason, PlanProblem][] = [
  ['no-drivers', { ...problem, drivers: [] }],
  ['locked-driver-absent', asking({ onlyDriver: 2 })],
  ['no-driver-with-skills', asking({ skills: ['box', 'van'] })],
  ['no-driver-with-capacity', asking({ drops: [{ ...request.drops[0]!, amounts: [11] }] })],
  [
    'unreachable',
    { ...problem, matrix: { ...problem.matrix, seconds: hundred.map((row) => row.with(2, null)) } },
  ],
  ['window-impossible', asking({ ...dropUntil(200), pickup: { ...request.pickup!, readyAt: 100 } })],
  ['no-shift-then', asking({ pickup: { ...request.pickup!, readyAt: 3500 } })],
  ['no-shift-then', { ...problem, drivers: [{ ...driver, breaks: [{ from: 0, to: 3500 }] }] }],
  [
    'drivers-occupied',
    {
      ...asking(dropUntil(900)),
      drivers: [{ ...driver, fixed: [{ place: 0, serviceSeconds: 900, amounts: [0] }] }],
    },
  ],
];

for (const [reason, asked] of reasons)
  test(`a request that cannot be planned says why: ${reason}`, () => {
    assert.deepEqual(planRoutes(asked, { iterations: 5 }).unplanned, [{ request: 7, reason }]);
  });

test('the same request is planned when nothing prevents it', () => {
  const { routes, unplanned, cost } = planRoutes(problem, { iterations: 5 });
  assert.deepEqual(unplanned, []);
  assert.deepEqual(
    routes[0]!.stops.map(({ request: id, stop, beginAt }) => [id, stop, beginAt]),
    [
      [7, 0, 100],
      [7, 1, 260],
    ],
  );
  assert.equal(cost.travelSeconds, 200);
});

test('of two requests that exclude each other the one with the higher priority is planned', () => {
  const both = [0, 3].map((priority, id) => ({ ...request, ...dropUntil(300), id, priority }));
  const { unplanned } = planRoutes({ ...problem, requests: both }, { iterations: 50 });
  assert.deepEqual(unplanned, [{ request: 0, reason: 'drivers-occupied' }]);
});

test('a problem that contradicts itself is refused', () => {
  const wrong: PlanProblem[] = [
    { ...problem, drivers: [{ ...driver, start: 3 }] },
    { ...problem, drivers: [driver, driver] },
    { ...problem, drivers: [{ ...driver, capacity: [10, 10] }] },
    { ...problem, matrix: { ...problem.matrix, metres: [] } },
    { ...problem, matrix: { ...problem.matrix, seconds: hundred.map((row) => row.with(1, -1)) } },
    asking({ pickup: null }),
    asking({ drops: [{ ...request.drops[0]!, amounts: [-1] }] }),
    asking({ drops: [{ ...request.drops[0]!, serviceSeconds: Number.NaN }] }),
  ];
  for (const each of wrong) assert.throws(() => planRoutes(each, { iterations: 1 }), RangeError);
});

test('no requests at all are a plan without routes', () => {
  assert.deepEqual(planRoutes({ ...problem, requests: [] }, { iterations: 5 }).routes, []);
});
