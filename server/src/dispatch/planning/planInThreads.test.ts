import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fridayOf } from '../../../../bench/planFriday.ts';
import { planFaults } from './checkPlan.ts';
import { planInThreads } from './planInThreads.ts';
import { planRoutes, publishedOf, replanRoutes } from './planRoutes.ts';

test('threads share what they find, and the plan breaks no rule', async () => {
  const problem = await fridayOf(40);
  const alone = planRoutes(problem, { iterations: 20 });
  const plan = await planInThreads(problem, { iterations: 200, threads: 2, millis: 20_000 });
  assert.deepEqual(planFaults(problem, plan), []);
  assert.ok(plan.cost.total <= alone.cost.total);
  assert.ok(plan.iterations >= 200);
});

test('one thread gives the plan that planning in this thread gives', async () => {
  const problem = await fridayOf(20);
  const limits = { iterations: 50, seed: 4 };
  assert.deepEqual(await planInThreads(problem, limits), planRoutes(problem, limits));
});

test('a new order leaves published routes as they are, but for the one it joins', async () => {
  const problem = await fridayOf(40);
  const before = planRoutes({ ...problem, requests: problem.requests.slice(1) }, { iterations: 300 });
  const after = replanRoutes(problem, publishedOf(before), { iterations: 20 });
  assert.deepEqual(planFaults(problem, after), []);
  assert.equal(after.cost.unplanned, 0);
  assert.ok(after.cost.moved <= 3, `${after.cost.moved} orders moved`);
});

test('a problem that contradicts itself is refused before a thread begins', async () => {
  const problem = await fridayOf(2);
  await assert.rejects(
    planInThreads({ ...problem, drivers: [...problem.drivers, problem.drivers[0]!] }, {}),
    RangeError,
  );
});
