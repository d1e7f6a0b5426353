import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { corner } from '../../../test/support/city.ts';
import { buildCityRoads, type CityRoads } from '../../../test/support/cityRoads.ts';
import { startOsrmServer, startValhallaServer } from '../../../test/support/routingServers.ts';
import { waitUntil } from '../../../test/support/waitUntil.ts';
import { type ChosenRouter, chooseRouter, type RouterConfig } from './chooseRouter.ts';
import { RoutingUnavailable } from './router.ts';
import { startValhallaEngine, type ValhallaEngine } from './valhallaEngine.ts';
import { findValhallaPackage } from './valhallaPackage.ts';

const BANKS = [corner(5, 5), corner(5, 6)];

let city: CityRoads;
let engine: ValhallaEngine;
before(async () => {
  city = await buildCityRoads();
  engine = startValhallaEngine(findValhallaPackage(), city.tiles);
});
after(async () => {
  await engine.close();
  await city.remove();
});

async function using(config: RouterConfig, work: (chosen: ChosenRouter) => Promise<void>): Promise<void> {
  const chosen = chooseRouter(config, { snapMetres: 500, timeoutMs: 2000 });
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
      await using(config, async ({ router, counters }) => {
        assert.equal((await router.matrix(BANKS, 'car')).metres[0]![1], 840, config.kind);
        await router.matrix(BANKS, 'car');
        assert.deepEqual(counters().cache, { hits: 1, misses: 1, cells: 4 });
        assert.equal(counters().guard.calls, 1);
      });
  } finally {
    await Promise.all([valhalla.close(), osrm.close()]);
  }
});

test('an engine that dies is given up after some failures, and what is known stays known', async () => {
  const server = await startValhallaServer(engine.ask);
  await using({ kind: 'valhalla-http', url: server.url }, async ({ router, counters }) => {
    const known = await router.matrix(BANKS, 'car');
    await server.close();
    while (counters().guard.state === 'closed')
      await assert.rejects(router.matrix([corner(0, 0), corner(1, 0)], 'car'), RoutingUnavailable);
    assert.equal(counters().guard.state, 'open');
    assert.deepEqual(await router.matrix(BANKS, 'car'), known);
  });
});

test('new roads empty the cache', async () => {
  await using({ kind: 'valhalla', folder: city.folder }, async ({ router }) => {
    const acrossTheRiver = async () => (await router.matrix(BANKS, 'car')).metres[0]![1];
    assert.equal(await acrossTheRiver(), 840);
    await city.rebuild([5]);
    await waitUntil('the new bridge is used', async () => (await acrossTheRiver()) === 120);
  });
});
