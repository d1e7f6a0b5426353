import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CNEFE_HEADER, generateCnefe } from '../../support/cnefe.ts';
import { testDatabase } from '../../support/database.ts';
import { databaseUrlOf, runMalote } from '../../support/maloteProcess.ts';

const folder = await mkdtemp(join(tmpdir(), 'malote-addresses-command-'));
after(() => rm(folder, { recursive: true, force: true }));
const env = { DATABASE_URL: databaseUrlOf(await testDatabase()) };

test('addresses are loaded with one command and its files, and another one tells which', async () => {
  const before = await runMalote(['addresses', 'status'], { env });
  assert.match(before.stdout, /No addresses are loaded/);
  const files = ['a.csv', 'b.csv'].map((name) => join(folder, name));
  for (const [index, file] of files.entries())
    await writeFile(file, [CNEFE_HEADER, ...generateCnefe(300, index).lines].join('\n'));
  const imported = await runMalote(['addresses', 'import', ...files], { env });
  assert.equal(imported.code, 0, imported.stderr);
  assert.match(imported.stderr, /100 % in use/);
  const after = await runMalote(['addresses', 'status'], { env });
  assert.match(
    after.stdout,
    /^source {4}a\.csv \(CNEFE\)\nsource {4}b\.csv \(CNEFE\)\naddresses 6\d\d in \d+ streets/,
  );
});

test('a file that is missing, wrong or not named is reported in one line', async () => {
  const missing = await runMalote(['addresses', 'import', join(folder, 'none.csv')], { env });
  assert.deepEqual([missing.code, missing.stdout], [1, '']);
  assert.match(missing.stderr, /^malote: There is no file .+none\.csv\.\n$/m);
  const unnamed = await runMalote(['addresses', 'import'], { env });
  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /<file> is missing/);
});

test('commands that are given a wrong file create no database', async () => {
  for (const [index, args] of [
    ['addresses', 'import', join(folder, 'none.csv')],
    ['addresses', 'import', folder],
    ['restore', join(folder, 'none.zst')],
    ['backup', folder],
    ['roads', 'import', join(folder, 'none.osm.pbf')],
  ].entries()) {
    const MALOTE_DATA = join(folder, `untouched-${index}`);
    const { code } = await runMalote(args, { env: { MALOTE_DATA } });
    assert.deepEqual([code, existsSync(MALOTE_DATA)], [1, false], args.join(' '));
  }
});
