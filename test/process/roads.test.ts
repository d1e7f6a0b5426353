import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeCity } from '../support/city.ts';
import { runMalote } from '../support/maloteProcess.ts';

const folder = await mkdtemp(join(tmpdir(), 'malote-roads-command-'));
after(() => rm(folder, { recursive: true, force: true }));
const env = { MALOTE_DATA: folder };

test('roads are loaded with one command and one file, and another one tells which', async () => {
  const before = await runMalote(['roads', 'status'], { env });
  assert.match(before.stdout, /No roads are loaded/);
  const file = join(folder, 'city.osm.pbf');
  await writeFile(file, writeCity({}));
  const imported = await runMalote(['roads', 'import', file], { env });
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stderr, /100 % in use/);
  const after = await runMalote(['roads', 'status'], { env });
  assert.match(after.stdout, /source {3}city\.osm\.pbf/);
});

test('an unreadable folder is reported in one line', async () => {
  const file = join(folder, 'no-folder');
  await writeFile(file, '');
  const status = await runMalote(['roads', 'status'], { env: { ...env, MALOTE_ROADS: file } });
  assert.equal(status.code, 1);
  assert.match(status.stderr, /^malote: The roads folder .+ cannot be read: ENOTDIR.+\.\n$/);
});

test('a file that is missing, wrong or not named is reported in one line', async () => {
  const missing = await runMalote(['roads', 'import', join(folder, 'none.osm.pbf')], { env });
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /There is no file/);
  const odd = join(folder, 'odd.osm.pbf');
  await writeFile(odd, 'not a map');
  const wrong = await runMalote(['roads', 'import', odd], { env });
  assert.equal(wrong.code, 1);
  const unnamed = await runMalote(['roads', 'import'], { env });
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /<city\.osm\.pbf> is missing/);
  assert.equal((await runMalote(['roads', 'import', 'a', 'b'], { env })).code, 2);
});
