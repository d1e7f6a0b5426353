import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { buildCityRoads, type CityRoads, corner } from '../../../../test/support/city.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { isTaken } from '../../platform/postgres/postmaster.ts';
import { RoutingUnavailable } from './router.ts';
import { startValhallaEngine } from './valhallaEngine.ts';
import { requireValhallaPackage } from './valhallaPackage.ts';

let city: CityRoads;
before(async () => {
  city = await buildCityRoads();
});
after(() => city.remove());

const start = (options = {}) =>
  startValhallaEngine(requireValhallaPackage(), city.tiles, { timeoutMs: 60_000, ...options });

const side = Array.from({ length: 50 }, (_, index) => corner(index % 12, Math.floor(index / 12)));
const locations = side.map(({ lat, lng }) => ({ lat, lon: lng }));
const bigMatrix = { sources: locations, targets: locations, costing: 'auto', units: 'kilometers' };

test('searches do not use the threads of this process', async () => {
  const engine = start({ timeoutMs: 60_000 });
  try {
    let answered = 0;
    const searches = Array.from({ length: 12 }, () =>
      engine.ask('sources_to_targets', bigMatrix).then(() => answered++),
    );
    await readFile(import.meta.filename);
    assert.ok(answered < searches.length, 'a file is read before all searches are done');
    await Promise.all(searches);
  } finally {
    await engine.close();
  }
});

test('a killed engine fails its requests, and the next request starts another one', async () => {
  const engine = start();
  try {
    await engine.ask('locate', { locations, costing: 'auto' });
    const first = engine.pid!;
    const lost = assert.rejects(engine.ask('sources_to_targets', bigMatrix), RoutingUnavailable);
    process.kill(first, 'SIGKILL');
    await lost;
    await engine.ask('locate', { locations, costing: 'auto' });
    assert.notEqual(engine.pid, first);
  } finally {
    await engine.close();
  }
});

test('a question that is not answered in time fails', async () => {
  const engine = start({ timeoutMs: 1 });
  try {
    await assert.rejects(engine.ask('sources_to_targets', bigMatrix), /within 1 ms/);
  } finally {
    await engine.close();
  }
});

test('an engine that cannot start says why', async () => {
  const engine = startValhallaEngine({ module: '/no/such/engine' }, city.tiles);
  await assert.rejects(engine.ask('locate', {}), /routing engine ended .*Cannot find module/s);
  await engine.close();
});

test('closing waits for open requests, and refuses later ones', async () => {
  const engine = start();
  const asked = engine.ask('locate', { locations, costing: 'auto' });
  const closed = engine.close();
  await assert.rejects(engine.ask('locate', {}), RoutingUnavailable);
  assert.equal(((await asked) as unknown[]).length, locations.length);
  await closed;
  assert.equal(engine.pid, undefined);
});

test('closing does not wait for a search without a waiting caller', async ({ mock }) => {
  const engine = start({ timeoutMs: 60_000 });
  await engine.ask('locate', { locations, costing: 'auto' });
  process.kill(engine.pid!, 'SIGSTOP');
  mock.timers.enable({ apis: ['setTimeout'] });
  const given = assert.rejects(engine.ask('locate', { locations, costing: 'auto' }), /within 60000 ms/);
  mock.timers.tick(60_000);
  await given;
  await engine.close();
  assert.equal(engine.pid, undefined);
});

test('an engine does not outlive the service, whichever way the service ends', async () => {
  const script = `
    import { startValhallaEngine } from ${JSON.stringify(new URL('./valhallaEngine.ts', import.meta.url).href)};
    import { requireValhallaPackage } from ${JSON.stringify(new URL('./valhallaPackage.ts', import.meta.url).href)};
    const engine = startValhallaEngine(requireValhallaPackage(), ${JSON.stringify(city.tiles)});
    await engine.ask('locate', { locations: [{ lat: 0, lon: 0 }], costing: 'auto' });
    console.log(engine.pid);
    setInterval(() => {}, 1000);
  `;
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await new Promise<string[]>((resolve) =>
    createInterface(service.stdout).once('line', (text) => resolve([text])),
  );
  const pid = Number(line);
  assert.ok(isTaken(pid));
  service.kill('SIGKILL');
  await waitUntil('the engine is gone', () => !isTaken(pid));
});

test('an idle engine does not keep the process alive', async () => {
  const script = `
    import { startValhallaEngine } from ${JSON.stringify(new URL('./valhallaEngine.ts', import.meta.url).href)};
    import { requireValhallaPackage } from ${JSON.stringify(new URL('./valhallaPackage.ts', import.meta.url).href)};
    const engine = startValhallaEngine(requireValhallaPackage(), ${JSON.stringify(city.tiles)});
    await engine.ask('locate', { locations: [{ lat: 0, lon: 0 }], costing: 'auto' });
  `;
  const service = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  assert.equal(await new Promise((resolve) => service.once('exit', resolve)), 0);
});
