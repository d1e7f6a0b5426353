import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  buildCityRoads,
  type CityRoads,
  corner,
  FIELD,
  islandCorner,
} from '../../../../test/support/city.ts';
import { testClock } from '../../../../test/support/clock.ts';
import { guardedRouter, lenientMatrix } from './guardedRouter.ts';
import { NoRoadBetween, PointOffRoad, type Router, RoutingUnavailable } from './router.ts';
import { withFallback } from './routers.ts';
import { straightLineRouter } from './straightLine.ts';
import { type EmbeddedRouter, valhallaEmbedded } from './valhallaEmbedded.ts';

const POINTS = [
  { lat: -30.05, lng: -51.2 },
  { lat: -30.06, lng: -51.21 },
];
const estimator = straightLineRouter();
const PAUSE_MS = 10_000;

/** An engine that follows a script of failures, and works when the script has ended. */
function engine(...script: (Error | 'silence')[]): Router & { asked: number } {
  const next = <Answer>(well: () => Promise<Answer>): Promise<Answer> => {
    router.asked++;
    const step = script.shift();
    if (step === undefined) return well();
    return step === 'silence' ? new Promise(() => {}) : Promise.reject(step);
  };
  const router = {
    name: 'engine',
    asked: 0,
    matrix: (...question: Parameters<Router['matrix']>) => next(() => estimator.matrix(...question)),
    route: (...question: Parameters<Router['route']>) => next(() => estimator.route(...question)),
  };
  return router;
}
const dead = () => new RoutingUnavailable('dead');
const ask = (router: Router) => router.matrix(POINTS, 'car');

test('an engine is tried again when the clock is put back during its pause', async () => {
  const clock = testClock();
  const inner = engine(dead(), dead());
  const router = guardedRouter(inner, { failuresMax: 1, pauseMs: PAUSE_MS, clock });
  await assert.rejects(ask(router), RoutingUnavailable);
  clock.advance({ hours: -3 });
  assert.deepEqual(await ask(router), await ask(estimator));
});

test('a failed request is tried once more', async () => {
  const inner = engine(dead());
  const router = guardedRouter(inner);
  assert.deepEqual(await ask(router), await ask(estimator));
  assert.equal(inner.asked, 2);
  assert.deepEqual(router.counters(), {
    calls: 1,
    failures: 0,
    timeouts: 0,
    retries: 1,
    turnedAway: 0,
    state: 'closed',
  });
});

test('routes are guarded as matrices are', async () => {
  const inner = engine(dead(), dead());
  const router = guardedRouter(inner);
  await assert.rejects(router.route(POINTS, 'car'), RoutingUnavailable);
  assert.deepEqual(await router.route(POINTS, 'car'), await estimator.route(POINTS, 'car'));
});

test('the second failure is the caller’s', async () => {
  const inner = engine(dead(), dead());
  const router = guardedRouter(inner);
  await assert.rejects(ask(router), RoutingUnavailable);
  assert.equal(inner.asked, 2);
  assert.equal(router.counters().failures, 1);
});

test('a silent engine is not called again, because the time is over', async () => {
  const inner = engine('silence');
  const router = guardedRouter(inner, { timeoutMs: 5 });
  await assert.rejects(ask(router), /within 5 ms/);
  assert.equal(inner.asked, 1);
  assert.equal(router.counters().timeouts, 1);
});

test('both tries share one time-out', async () => {
  const router = guardedRouter(engine(dead(), 'silence'), { timeoutMs: 5 });
  await assert.rejects(ask(router), /within 5 ms/);
});

test('after some failures in a row no call is admitted until the pause is over', async () => {
  const clock = testClock();
  const inner = engine(...Array.from({ length: 4 }, dead));
  const router = guardedRouter(inner, { failuresMax: 2, pauseMs: PAUSE_MS, clock });
  await assert.rejects(ask(router));
  assert.equal(router.counters().state, 'closed');
  await assert.rejects(ask(router));
  assert.equal(router.counters().state, 'open');

  await assert.rejects(ask(router), /given a pause/);
  assert.equal(inner.asked, 4);
  assert.equal(router.counters().turnedAway, 1);

  clock.advance({ milliseconds: PAUSE_MS });
  assert.equal(router.counters().state, 'half-open');
  await ask(router);
  assert.equal(router.counters().state, 'closed');
});

test('after the pause one caller tries, and its failure means another pause for all', async () => {
  const clock = testClock();
  const inner = engine(dead(), dead(), 'silence');
  const router = guardedRouter(inner, { failuresMax: 1, pauseMs: PAUSE_MS, timeoutMs: 5, clock });
  await assert.rejects(ask(router));
  clock.advance({ milliseconds: PAUSE_MS });

  const trial = assert.rejects(ask(router), /within/);
  await assert.rejects(ask(router), /given a pause/);
  await trial;
  assert.equal(inner.asked, 3);
  assert.equal(router.counters().state, 'open');
});

test('a success in between resets the count', async () => {
  const inner = engine(dead(), dead());
  const router = guardedRouter(inner, { failuresMax: 2 });
  await assert.rejects(ask(router));
  await ask(router);
  inner.matrix = () => Promise.reject(dead());
  await assert.rejects(ask(router));
  assert.equal(router.counters().state, 'closed');
});

for (const answer of [new PointOffRoad(1), new NoRoadBetween('an island')])
  test(`${answer.name} is an answer: neither tried again nor held against the engine`, async () => {
    const inner = engine(answer);
    const router = guardedRouter(inner, { failuresMax: 1 });
    await assert.rejects(ask(router), answer);
    assert.equal(inner.asked, 1);
    assert.equal(router.counters().failures, 0);
    assert.equal(router.counters().state, 'closed');
  });

test('an estimate falls back to the estimator and says why', async () => {
  const reasons: string[] = [];
  const router = withFallback(engine(dead(), dead()), estimator, ({ message }) => reasons.push(message));
  assert.deepEqual(await ask(router), await ask(estimator));
  assert.deepEqual(await router.route(POINTS, 'car'), await estimator.route(POINTS, 'car'));
  assert.deepEqual(reasons, ['dead', 'dead']);
});

test('while the engine works, the estimator is not asked', async () => {
  const router = withFallback(estimator, engine(dead()), () => assert.fail('fell back'));
  assert.deepEqual(await ask(router), await ask(estimator));
});

for (const answer of [new PointOffRoad(1), new NoRoadBetween('an island'), new TypeError('a bug')])
  test(`an estimate does not guess over ${answer.name}`, async () => {
    const router = withFallback(engine(answer), estimator, () => assert.fail('fell back'));
    await assert.rejects(ask(router), answer);
  });

let city: CityRoads;
let router: EmbeddedRouter;
before(async () => {
  city = await buildCityRoads();
  router = valhallaEmbedded(city.folder, { snapMetres: 500, timeoutMs: 60_000 });
});
after(async () => {
  await router.close();
  await city.remove();
});

const failing = (error: Error): Router => ({
  name: 'failing',
  matrix: () => Promise.reject(error),
  route: () => Promise.reject(error),
});

test('points off the roads are estimated, and do not affect the others', async () => {
  const points = [FIELD, corner(5, 5), FIELD, corner(5, 6)];
  const { metres, seconds } = await lenientMatrix(router, points, 'car');
  const guess = await straightLineRouter().matrix(points, 'car');
  assert.equal(metres[1]![3], 840);
  assert.equal(metres[0]![1], guess.metres[0]![1]);
  assert.equal(seconds[3]![2], guess.seconds[3]![2]);
});

test('an island without a road is an answer, not a reason for an estimate', async () => {
  const { metres } = await lenientMatrix(router, [corner(5, 5), islandCorner(0, 0)], 'car');
  assert.equal(metres[0]![1], null);
});

test('where most points are off the roads, all routes are estimated', async () => {
  const points = [...Array.from({ length: 30 }, () => FIELD), corner(5, 5), corner(5, 6)];
  const guess = await straightLineRouter().matrix(points, 'car');
  assert.deepEqual(await lenientMatrix(router, points, 'car'), guess);
});

test('all routes are estimated if points lie too far apart for the engine', async () => {
  const points = [corner(5, 5), corner(5, 6)];
  const guess = await straightLineRouter().matrix(points, 'car');
  assert.deepEqual(await lenientMatrix(failing(new NoRoadBetween('too far')), points, 'car'), guess);
});

test('an engine that is out of order is reported as out of order', async () => {
  const points = [corner(5, 5), corner(5, 6)];
  await assert.rejects(lenientMatrix(failing(new RoutingUnavailable('down')), points, 'car'), /down/);
});
