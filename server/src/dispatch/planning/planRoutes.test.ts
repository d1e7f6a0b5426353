import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { randomFrom } from '../../platform/kernel/random.ts';
import { planFaults } from './checkPlan.ts';
import { describePlan } from './describePlan.ts';
import { packRoutes } from './packRoutes.ts';
import type { PlanDriver, PlanProblem, PlanRequest, PlanStop } from './planProblem.ts';
import { planRoutes, publishedOf, replanRoutes } from './planRoutes.ts';
import { Search } from './search.ts';

interface Kind {
  seed: number;
  requests: number;
  drivers: number;
  /** Probabilities of what makes a problem harder. */
  hard: number;
  unreachable: number;
  fixed: number;
  locked: number;
  published: number;
}

const kinds = fc.record({
  seed: fc.integer({ min: 0, max: 1e6 }),
  requests: fc.integer({ min: 0, max: 14 }),
  drivers: fc.integer({ min: 0, max: 5 }),
  hard: fc.constantFrom(0, 0.5, 1),
  unreachable: fc.constantFrom(0, 0, 0.05, 0.4),
  fixed: fc.constantFrom(0, 0.5),
  locked: fc.constantFrom(0, 0.3),
  published: fc.constantFrom(0, 0.8),
});

/** A day of 4 hours in a city of 20 places; seconds and metres are integers. */
function randomProblem(kind: Kind): PlanProblem {
  const random = randomFrom(kind.seed);
  const int = (below: number): number => Math.floor(random() * below);
  const chance = (probability: number): boolean => random() < probability;
  const points = Array.from({ length: 20 }, () => [random() * 5000, random() * 5000]);
  const metres = points.map(([x, y]) =>
    points.map(([toX, toY]) => Math.round(Math.hypot(toX! - x!, toY! - y!))),
  );
  const seconds = metres.map((row, from) =>
    row.map((cell, to) => (from !== to && chance(kind.unreachable) ? null : Math.round(cell / 6))),
  );
  const stop = (): PlanStop => {
    const latest = 1800 + int(12_000);
    return {
      place: int(20),
      serviceSeconds: int(3) * 60,
      ...(chance(0.8) && {
        window: { isHard: chance(kind.hard), latest, ...(chance(0.3) && { earliest: latest - int(3600) }) },
      }),
    };
  };
  const amounts = (): number[] => [int(6), int(3)];
  const drivers = Array.from({ length: kind.drivers }, (_, id): PlanDriver => {
    const from = int(3) * 1800;
    const fixed = Array.from({ length: chance(kind.fixed) ? 1 + int(3) : 0 }, () => ({
      ...stop(),
      amounts: amounts().map((amount) => -amount),
    }));
    const load = [0, 1].map((k) => -fixed.reduce((sum, each) => sum + each.amounts[k]!, 0));
    return {
      id: id + 100,
      start: int(20),
      ...(chance(0.4) && { end: int(20) }),
      shift: { from, to: from + 5400 + int(9000) },
      ...(chance(0.4) && { breaks: [{ from: from + 2000, to: from + 2000 + int(2000) }] }),
      capacity: [8 + int(8), 4 + int(4)],
      ...(fixed.length > 0 && { fixed, load }),
      ...(chance(0.6) && { skills: ['box'] }),
      workedSeconds: int(5000),
    };
  });
  const requests = Array.from({ length: kind.requests }, (_, id): PlanRequest => {
    const isAboard = kind.drivers > 0 && chance(0.1);
    const drops = Array.from({ length: isAboard ? 1 : int(4) }, () => ({ ...stop(), amounts: amounts() }));
    const driver = 100 + int(kind.drivers + 1);
    return {
      id,
      pickup: isAboard ? null : { ...stop(), ...(chance(0.5) && { readyAt: int(7200) }) },
      drops,
      ...(drops.length === 0 && { collected: amounts() }),
      ...(chance(0.3) && { skills: ['box'] }),
      ...(chance(0.2) && { priority: 1 + int(3) }),
      ...((isAboard || chance(kind.locked)) && { onlyDriver: driver }),
    };
  });
  const published = drivers.map(({ id }, at) => ({
    driver: id,
    stops: requests
      .filter(({ id: request }) => request % drivers.length === at && chance(kind.published))
      .flatMap(({ id: request, pickup, drops }) =>
        [...(pickup ? [0] : []), ...drops.map((_, drop) => drop + 1)].map((each) => ({
          request,
          stop: each,
        })),
      ),
  }));
  return { matrix: { seconds, metres }, requests, drivers, published };
}

test('a plan breaks no rule, and every request is planned once or explained', () => {
  fc.assert(
    fc.property(kinds, (kind) => {
      const problem = randomProblem(kind);
      const plan = planRoutes(problem, { iterations: 40, seed: kind.seed });
      assert.deepEqual(planFaults(problem, plan), []);
    }),
    { numRuns: 150 },
  );
});

test('the cost that the search adds up is the cost of the plan computed anew', () => {
  fc.assert(
    fc.property(kinds, fc.boolean(), (kind, isPlain) => {
      const problem = randomProblem(kind);
      const weights = isPlain ? { lateSecond: 0, waitingSecond: 0, fairness: 0 } : {};
      const search = new Search({ ...problem, weights }, kind.seed);
      search.construct(() => 0);
      const packed = search.best.slice();
      for (let each = 0; each < 30; each += 1) {
        search.improve(each / 30);
        packRoutes(search.routes, packed);
        const { cost } = describePlan(search.problem, packed, search);
        const sum = search.routes.total();
        assert.ok(Math.abs(cost.total - sum) <= 1e-6 * Math.max(1, sum), `${cost.total} is not ${sum}`);
      }
    }),
    { numRuns: 60 },
  );
});

test('with the fewest drivers a plan breaks no rule either, and needs no more drivers', () => {
  fc.assert(
    fc.property(kinds, (kind) => {
      const problem = { ...randomProblem({ ...kind, fixed: 0, published: 0 }) };
      const limits = { iterations: 60, seed: kind.seed };
      const few = planRoutes(problem, { ...limits, fewestDrivers: true });
      assert.deepEqual(planFaults(problem, few), []);
      const search = new Search(problem, kind.seed);
      search.construct(() => 0);
      assert.ok(few.cost.unplanned <= describePlan(search.problem, search.best, search).cost.unplanned);
    }),
    { numRuns: 40 },
  );
});

test('the same seed and iterations give the same plan', () => {
  fc.assert(
    fc.property(kinds, (kind) => {
      const plan = () => planRoutes(randomProblem(kind), { iterations: 50, seed: 7 });
      assert.deepEqual(plan(), plan());
    }),
    { numRuns: 25 },
  );
});

test('a search that has a time limit ends, also one that is over at once', () => {
  const problem = randomProblem({
    ...{ seed: 3, requests: 200, drivers: 5, hard: 0.5, unreachable: 0 },
    ...{ fixed: 0.5, locked: 0, published: 0 },
  });
  for (const millis of [0, 1, 50]) {
    const plan = planRoutes(problem, { millis });
    assert.deepEqual(planFaults(problem, plan), []);
    if (millis === 0) assert.ok(plan.unplanned.some(({ reason }) => reason === 'out-of-time'));
  }
});

test('a plan without any time is whole where every request can be served', () => {
  fc.assert(
    fc.property(kinds, (kind) => {
      const { matrix, drivers, requests } = randomProblem({
        ...{ ...kind, requests: 60, drivers: 1 + kind.drivers },
        ...{ hard: 0, unreachable: 0, fixed: 0, locked: 0, published: 0 },
      });
      const problem: PlanProblem = {
        matrix,
        // With one driver some stops are so late that staying out would cost less.
        weights: { unplanned: 1e10 },
        requests: requests.map((request) => ({ ...request, skills: [] })),
        drivers: drivers.map((driver) => ({
          ...driver,
          shift: { from: 0, to: 1e6 },
          capacity: [1000, 1000],
        })),
      };
      const plan = planRoutes(problem, { millis: 0 });
      assert.deepEqual(planFaults(problem, plan), []);
      assert.deepEqual(
        plan.unplanned.filter(({ reason }) => reason !== 'locked-driver-absent'),
        [],
      );
    }),
    { numRuns: 20 },
  );
});

test('a construction that runs out of time ends in a quicker way, and breaks no rule', () => {
  fc.assert(
    fc.property(kinds, fc.integer({ min: 1, max: 60 }), (kind, calls) => {
      const problem = randomProblem(kind);
      const search = new Search(problem, kind.seed);
      let left = calls;
      search.construct(() => {
        left -= 1;
        return left > 0 ? 0 : left > -10 ? 0.5 : 1;
      });
      assert.deepEqual(planFaults(problem, describePlan(search.problem, search.best, search)), []);
    }),
    { numRuns: 100 },
  );
});

test('a new request joins the published plan, which stays as it is', () => {
  fc.assert(
    fc.property(kinds, (kind) => {
      const problem = randomProblem({
        ...kind,
        requests: 12,
        drivers: 3,
        hard: 0,
        unreachable: 0,
        published: 0,
      });
      const known = { ...problem, published: [], requests: problem.requests.slice(1) };
      const before = planRoutes(known, { iterations: 100 });
      const published = publishedOf(before);
      const weights = { move: 1e9 };
      const after = replanRoutes({ ...problem, weights }, published, { iterations: 40 });
      assert.deepEqual(planFaults(problem, after), []);
      assert.equal(after.cost.moved, 0);
    }),
    { numRuns: 40 },
  );
});
