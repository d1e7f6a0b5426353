import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildCityRoads, type CityRoads, corner, FIELD } from '../../../../test/support/city.ts';
import { startOsrmServer, startValhallaServer } from '../../../../test/support/routingServers.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { settingsDefaults } from '../../centrals/central.ts';
import { systemClock } from '../../platform/kernel/clock.ts';
import {
  type ChosenRouter,
  chooseRouter,
  type OpenRouters,
  openRouters,
  type RouterConfig,
  type RoutingConfig,
} from './openRouters.ts';
import { PointOffRoad, RoutingUnavailable } from './router.ts';
import { estimatorFor } from './routers.ts';
import { startValhallaEngine, type ValhallaEngine } from './valhallaEngine.ts';
import { requireValhallaPackage } from './valhallaPackage.ts';

const scratch = await mkdtemp(join(tmpdir(), 'malote-routers-'));
after(() => rm(scratch, { recursive: true }));

const POINTS = [corner(1, 1), corner(2, 1)];

/** Opens the routers of a configuration, and records the reasons of their fallbacks. */
async function using(
  config: Partial<RoutingConfig>,
  work: (routers: OpenRouters, reasons: string[]) => Promise<void>,
): Promise<void> {
  const reasons: string[] = [];
  const routers = await openRouters(
    {
      engine: 'auto',
      folder: join(scratch, 'none'),
      valhallaUrl: undefined,
      osrmUrl: undefined,
      snapMetres: 500,
      ...config,
    },
    { clock: systemClock, onFallback: ({ message }) => reasons.push(message), timeoutMs: ANSWER_MS },
  );
  try {
    await work(routers, reasons);
  } finally {
    await routers.close();
  }
}

test('without any roads the estimator serves for everything, with the factors of the central', async () => {
  await using({}, async ({ forPlanning, forEstimates, figures }, reasons) => {
    const settings = { ...settingsDefaults, estimatorInterceptMetres: 5000, estimatorKmPerHour: 50 };
    const { metres, seconds } = await forPlanning(settings).matrix(POINTS, 'motorcycle');
    assert.ok(metres[0]![1]! > 5000);
    assert.equal(seconds[0]![1], Math.round(metres[0]![1]! / (50 / 3.6)));
    assert.deepEqual(await forEstimates(settings).matrix(POINTS, 'motorcycle'), { metres, seconds });
    assert.deepEqual([reasons, figures()], [[], { engines: [], fallbacks: 0 }]);
  });
});

test('an unreadable folder does not prevent the start: estimates fall back and report why', async () => {
  const folder = join(scratch, 'a-file');
  await writeFile(folder, '');
  await using({ folder }, async ({ forPlanning, forEstimates, figures }, reasons) => {
    await forEstimates(settingsDefaults).matrix(POINTS, 'car');
    assert.match(reasons[0]!, /roads cannot be read: ENOTDIR/);
    assert.equal(figures().fallbacks, 1);
    await assert.rejects(forPlanning(settingsDefaults).matrix(POINTS, 'car'), RoutingUnavailable);
  });
});

test('a point is refused from the configured distance to a road on', async () => {
  const city = await buildCityRoads();
  try {
    const points = [corner(5, 11), FIELD];
    for (const [snapMetres, isNear] of [
      [500, false],
      [20_000, true],
    ] as const)
      await using({ folder: city.folder, snapMetres }, async ({ forEstimates }) => {
        const asked = forEstimates(settingsDefaults).matrix(points, 'car');
        if (isNear) await asked;
        else await assert.rejects(asked, PointOffRoad);
      });
  } finally {
    await city.remove();
  }
});

test('an estimate is not cached: roads are used as soon as they answer', async () => {
  const city = await buildCityRoads();
  const engine = startValhallaEngine(requireValhallaPackage(), city.tiles, { timeoutMs: ANSWER_MS });
  let isDown = true;
  const server = await startValhallaServer(async (action, query) => {
    if (isDown) throw new Error('down');
    return engine.ask(action, query);
  });
  try {
    await using({ engine: 'valhalla', valhallaUrl: server.url }, async ({ forEstimates }, reasons) => {
      const banks = [corner(5, 5), corner(5, 6)];
      const acrossTheRiver = async () =>
        (await forEstimates(settingsDefaults).matrix(banks, 'car')).metres[0]![1];
      const guess = await estimatorFor(settingsDefaults).matrix(banks, 'car');
      assert.equal(await acrossTheRiver(), guess.metres[0]![1]);
      isDown = false;
      assert.equal(await acrossTheRiver(), 840);
      assert.equal(reasons.length, 1);
    });
  } finally {
    await server.close();
    await engine.close();
    await city.remove();
  }
});

for (const [engine, variable] of [
  ['valhalla', 'MALOTE_VALHALLA_URL'],
  ['osrm', 'MALOTE_OSRM_URL'],
] as const)
  test(`a central that chooses ${engine} where none is configured gets no estimate for a plan`, async () => {
    await using({}, async ({ forPlanning, forEstimates }, reasons) => {
      const settings = { ...settingsDefaults, routing: engine };
      await assert.rejects(forPlanning(settings).matrix(POINTS, 'car'), RoutingUnavailable);
      await forEstimates(settings).matrix(POINTS, 'car');
      assert.match(reasons[0]!, new RegExp(variable));
    });
  });

const BANKS = [corner(5, 5), corner(5, 6)];
/** Enough for an engine that starts on a busy machine. */
const ANSWER_MS = 20_000;

let city: CityRoads;
let engine: ValhallaEngine;
before(async () => {
  city = await buildCityRoads();
  engine = startValhallaEngine(requireValhallaPackage(), city.tiles, { timeoutMs: ANSWER_MS });
});
after(async () => {
  await engine.close();
  await city.remove();
});

async function choosing(config: RouterConfig, work: (chosen: ChosenRouter) => Promise<void>): Promise<void> {
  const chosen = chooseRouter(config, { snapMetres: 500, timeoutMs: ANSWER_MS });
  try {
    await work(chosen);
  } finally {
    await chosen.close();
  }
}

test('every engine that can be chosen finds the bridge, once', async () => {
  const valhalla = await startValhallaServer(engine.ask);
  const osrm = await startOsrmServer(engine.ask);
  const configs: RouterConfig[] = [
    { kind: 'valhalla', folder: city.folder },
    { kind: 'valhalla-http', url: valhalla.url },
    { kind: 'osrm-http', url: osrm.url },
  ];
  try {
    for (const config of configs)
      await choosing(config, async ({ router, counters }) => {
        assert.equal((await router.matrix(BANKS, 'car')).metres[0]![1], 840, config.kind);
        await router.matrix(BANKS, 'car');
        assert.deepEqual(counters().cache, { hits: 1, misses: 1, cells: 4 });
        assert.equal(counters().guard.calls, 1);
      });
  } finally {
    await Promise.all([valhalla.close(), osrm.close()]);
  }
});

test('an engine that dies is not called after some failures, and cached answers stay', async (t) => {
  const server = await startValhallaServer(engine.ask);
  t.after(server.close);
  await choosing({ kind: 'valhalla-http', url: server.url }, async ({ router, counters }) => {
    const known = await router.matrix(BANKS, 'car');
    await server.close();
    while (counters().guard.state === 'closed')
      await assert.rejects(router.matrix([corner(0, 0), corner(1, 0)], 'car'), RoutingUnavailable);
    assert.equal(counters().guard.state, 'open');
    assert.deepEqual(await router.matrix(BANKS, 'car'), known);
  });
});

test('new roads empty the cache', async () => {
  await choosing({ kind: 'valhalla', folder: city.folder }, async ({ router }) => {
    const acrossTheRiver = async () => (await router.matrix(BANKS, 'car')).metres[0]![1];
    assert.equal(await acrossTheRiver(), 840);
    await city.rebuild([5]);
    await waitUntil('the new bridge is used', async () => (await acrossTheRiver()) === 120);
  });
});
