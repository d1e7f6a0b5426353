import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { buildCityRoads, type CityRoads, FIELD, writeCity, writePbf } from '../../../../test/support/city.ts';
import { testClock } from '../../../../test/support/clock.ts';
import { waitUntil } from '../../../../test/support/waitUntil.ts';
import { displayProgress, type ImportProgress, importRoads, progressIn } from './importRoads.ts';
import { currentVersion, describeRoads, holdRoads, roadsStatus, watchRoads } from './roadFolder.ts';
import { RoadsError } from './valhallaConfig.ts';
import { requireValhallaPackage } from './valhallaPackage.ts';

let city: CityRoads;
let scratch: string;
before(async () => {
  city = await buildCityRoads();
  scratch = await mkdtemp(join(tmpdir(), 'malote-import-'));
});
after(async () => {
  await city.remove();
  await rm(scratch, { recursive: true });
});

async function fileOf(name: string, content: Buffer | string): Promise<string> {
  const path = join(scratch, name);
  await writeFile(path, content);
  return path;
}

/** All but the source, the pointer and the marks. */
const versionsIn = async (folder: string) =>
  (await readdir(folder)).filter((name) => !['current', 'in-use', 'city.osm.pbf'].includes(name));

test('the status shows the loaded roads', async () => {
  const pbf = await fileOf('porto.osm.pbf', writeCity());
  const folder = join(scratch, 'told');
  const roads = await importRoads({ pbf, folder, clock: testClock() });
  assert.deepEqual(await roadsStatus(folder), roads);
  assert.equal(roads.source.name, 'porto.osm.pbf');
  assert.equal(roads.source.bytes, writeCity().length);
  assert.equal(roads.builtAt, '2026-11-16T15:00:00Z');
  assert.ok(roads.tiles.count > 0 && roads.tiles.bytes > 0);
  assert.match(describeRoads(roads), /porto\.osm\.pbf/);
  assert.equal(roads.bounds.south, -30.06);
  assert.ok(roads.bounds.north < FIELD.lat && roads.bounds.north > roads.bounds.south);
});

test('the bounds are found also where the extract does not declare them', async () => {
  const folder = join(scratch, 'bounds');
  const declared = await importRoads({ pbf: await fileOf('a.osm.pbf', writeCity()), folder });
  const found = await importRoads({ pbf: await fileOf('b.osm.pbf', writeCity({ bounds: false })), folder });
  assert.deepEqual(found.bounds, declared.bounds);
});

test('before the first import nothing is loaded', async () => {
  assert.equal(await roadsStatus(join(scratch, 'nowhere')), null);
  assert.match(describeRoads(null), /roads import/);
});

test('damaged or unreadable roads are reported in a sentence', async () => {
  const folder = join(scratch, 'damaged');
  const { version } = await importRoads({ pbf: await fileOf('c.osm.pbf', writeCity()), folder });
  const cannotTell = (reason: RegExp) =>
    assert.rejects(roadsStatus(folder), (error: Error) => {
      assert.ok(error instanceof RoadsError);
      assert.match(error.message, reason);
      return true;
    });
  await writeFile(join(folder, version, 'roads.json'), '{');
  await cannotTell(/are damaged: import them again/);
  await rm(join(folder, version), { recursive: true });
  await cannotTell(/are damaged: import them again/);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'a file');
  await cannotTell(/damaged cannot be read: ENOTDIR/);
});

test('the progress only grows, from 0 to 100', async () => {
  const reported: ImportProgress[] = [];
  const pbf = await fileOf('progress.osm.pbf', writeCity());
  await importRoads({ pbf, folder: join(scratch, 'progress'), onProgress: (each) => reported.push(each) });
  const percents = reported.map(({ percent }) => percent);
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
  );
  assert.equal(percents[0], 0);
  assert.equal(percents.at(-1), 100);
  assert.ok(new Set(reported.map(({ stage }) => stage)).size > 8, 'the builder is followed stage by stage');
});

const river = {
  nodes: [
    { id: 1, lat: -30, lng: -51 },
    { id: 2, lat: -30.01, lng: -51 },
  ],
  ways: [{ id: 1, nodes: [1, 2], tags: { waterway: 'river' } }],
};
const footpath = {
  nodes: river.nodes,
  ways: [{ id: 1, nodes: [1, 2], tags: { highway: 'footway' } }],
};
const refused: [what: string, content: Buffer | string | null, reason: RegExp][] = [
  ['a missing file', null, /There is no file/],
  ['an empty file', '', /is empty/],
  ['a text', '<osm version="0.6"></osm>', /not an OpenStreetMap extract in PBF form/],
  ['random bytes', Buffer.from('0000000d0a07ffffffffffffffffffff', 'hex'), /not an OpenStreetMap extract/],
  ['an extract cut short', writeCity().subarray(0, 500), /cut short/],
  ['a damaged extract', damaged(writeCity()), /damaged/],
  ['an extract without places', writePbf({ nodes: [], ways: [] }), /without a single place/],
  ['an extract without roads', writePbf(river), /no roads in/],
  ['an extract of footpaths', writePbf(footpath), /lead nowhere/],
];
for (const [what, content, reason] of refused)
  test(`${what} is refused with its reason, and the roads in use stay`, async () => {
    const pbf = content === null ? join(scratch, 'missing') : await fileOf('refused.osm.pbf', content);
    const before = await currentVersion(city.folder);
    await assert.rejects(importRoads({ pbf, folder: city.folder }), (error) => {
      assert.ok(error instanceof RoadsError);
      assert.match(error.message, reason);
      return true;
    });
    assert.equal(await currentVersion(city.folder), before);
    assert.deepEqual(await versionsIn(city.folder), [before]);
  });

test('a folder that cannot be written is refused with its reason', async () => {
  const file = await fileOf('a-file', '');
  const pbf = await fileOf('fine.osm.pbf', writeCity());
  await assert.rejects(importRoads({ pbf, folder: join(file, 'roads') }), /cannot be written/);
});

test('an import that is stopped leaves the roads in use and nothing behind', async () => {
  const before = await currentVersion(city.folder);
  const stop = new AbortController();
  const pbf = await fileOf('stopped.osm.pbf', writeCity());
  await assert.rejects(
    importRoads({ pbf, folder: city.folder, signal: stop.signal, onProgress: () => stop.abort() }),
    /stopped; the roads in use are unchanged/,
  );
  assert.equal(await currentVersion(city.folder), before);
  assert.deepEqual(await versionsIn(city.folder), [before]);
});

test('the remains of a dead import and of a dead service are removed by the next import', async () => {
  const long = new Date(Date.now() - 3_600_000);
  const remains = join(city.folder, '20200101T000000-00000000.importing');
  const mark = join(city.folder, 'in-use', '20200101T000000-00000000.dead');
  await mkdir(remains);
  await writeFile(mark, '');
  await Promise.all([remains, mark].map((path) => utimes(path, long, long)));
  await city.rebuild([5]);
  assert.equal(existsSync(remains), false);
  assert.equal(existsSync(mark), false);
});

test('an import in progress is not disturbed by another one', async () => {
  const working = join(city.folder, '20200101T000000-11111111.importing');
  await mkdir(working);
  await city.rebuild([5]);
  assert.equal(existsSync(working), true);
  await rm(working, { recursive: true });
});

test('roads that a service still reads are kept until it releases them', async () => {
  const held = await holdRoads(city.folder);
  const { version } = await city.rebuild([2]);
  assert.notEqual(held!.version, version);
  assert.deepEqual((await versionsIn(city.folder)).sort(), [held!.version, version].sort());
  assert.ok((await readdir(held!.tiles)).length > 0);
  await held!.release();
  assert.deepEqual(await versionsIn(city.folder), [version]);
});

test('a watcher is notified of each import once', async () => {
  const reported: string[] = [];
  const watcher = watchRoads(city.folder, (version) => reported.push(version), { everyMs: 5 });
  try {
    const first = await city.rebuild([9]);
    await waitUntil('the import is noticed', () => reported.length > 0);
    const second = await city.rebuild([2]);
    await waitUntil('the second import is noticed', () => reported.length > 1);
    assert.deepEqual(reported, [first.version, second.version]);
  } finally {
    watcher.close();
  }
});

test('a watcher of an unreadable folder is notified once it can be read', async () => {
  const folder = join(scratch, 'mended');
  await mkdir(join(folder, 'current'), { recursive: true });
  const reported: string[] = [];
  const watcher = watchRoads(folder, (version) => reported.push(version), { everyMs: 5 });
  try {
    await rm(folder, { recursive: true });
    await cp(city.folder, folder, { recursive: true });
    await waitUntil('the roads are noticed', () => reported.length > 0);
    assert.deepEqual(reported, [await currentVersion(city.folder)]);
  } finally {
    watcher.close();
  }
});

test('the pointer to the roads is one line that a person can read', async () => {
  assert.equal(
    await readFile(join(city.folder, 'current'), 'utf8'),
    `${await currentVersion(city.folder)}\n`,
  );
});

const missingLibraries: [library: string, advice: RegExp][] = [
  ['libbsd.so.0', /^Real roads need libbsd\.so\.0, which this system lacks\..*apt-get install libbsd0/],
  ['libnew.so.7', /^Real roads need libnew\.so\.7, which this system lacks\. Install it, then try again\.$/],
];
for (const [library, advice] of missingLibraries)
  test(`an import without ${library} says so, and the roads in use stay`, async () => {
    // Ends as the system's loader ends the builder.
    const said = `valhalla_build_tiles: error while loading shared libraries: ${library}: cannot open shared object file`;
    const tileBuilder = await fileOf('builder', `#!/bin/sh\necho '${said}' >&2\nexit 127\n`);
    await chmod(tileBuilder, 0o755);
    const pbf = await fileOf('fine.osm.pbf', writeCity());
    const before = await currentVersion(city.folder);
    const engine = { ...requireValhallaPackage(), tileBuilder };
    await assert.rejects(importRoads({ pbf, folder: city.folder, engine }), (error) => {
      assert.ok(error instanceof RoadsError);
      assert.match(error.message, advice);
      return true;
    });
    assert.deepEqual(await versionsIn(city.folder), [before]);
  });

/** Right sizes, wrong bytes. */
function damaged(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  copy.fill(0xff, copy.length - 300);
  return copy;
}

function shown(isTTY: boolean): string {
  let text = '';
  const display = displayProgress({ isTTY, write: (more: string) => (text += more) });
  for (const [stage, percent] of [
    ['reading', 0],
    ['building', 50],
    ['building', 60],
    ['in use', 100],
  ] as const)
    display.show({ stage, percent });
  display.end();
  return text;
}

test('a terminal is shown one bar that grows', () => {
  const bars = shown(true).split('\r');
  assert.equal(bars.length, 5);
  assert.match(bars[2]!, /█{15}░{15} {2}50 % building$/);
  assert.match(bars[4]!, /█{30} 100 % in use\n$/);
});

test('a log gets one line for each stage', () => {
  assert.equal(shown(false), '  0 % reading\n 50 % building\n100 % in use\n');
});

test('an import that ends before it begins prints no empty line', () => {
  let text = '';
  displayProgress({ isTTY: true, write: (more: string) => (text += more) }).end();
  assert.equal(text, '');
});

test('other lines of the builder are not shown as progress', () => {
  assert.equal(progressIn('2026/11/15 01:49:08.598 [WARN] Admin db not found.'), undefined);
  assert.equal(progressIn('2026/11/15 01:49:07.923 [INFO] Parsing ways...')?.stage, 'reading roads');
});
