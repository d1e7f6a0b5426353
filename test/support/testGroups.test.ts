import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeGroups } from './testGroups.ts';

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'malote-groups-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const runner = new URL('runFiles.ts', import.meta.url).href;

/** Runs these sources as the test files of one group, and tells what the test runner says. */
function runGroup(t: TestContext, sources: readonly string[]): { status: number | null; said: string } {
  const folder = scratch(t);
  const files = sources.map((source, index) => {
    const file = join(folder, `file${index + 1}.test.mjs`);
    writeFileSync(file, `import { after, test } from 'node:test';\n${source}\n`);
    return file;
  });
  const group = join(folder, 'group.test.mjs');
  writeFileSync(
    group,
    `import { runFiles } from ${JSON.stringify(runner)};\nawait runFiles(${JSON.stringify(files)});\n`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--test', '--test-reporter=spec', group], {
    encoding: 'utf8',
    env,
  });
  return { status, said: stdout + stderr };
}

test('every test file is run once, alone or in one group', (t) => {
  const shared = Array.from({ length: 30 }, (_, index) => `test/contract/file${index}.test.ts`);
  const browser = Array.from({ length: 9 }, (_, index) => `test/browser/file${index}.test.ts`);
  const alone = ['test/process/ending.test.ts', 'server/src/postgres/embedded.test.ts'];
  const files = [...shared, ...browser, ...alone];
  const given = writeGroups(files, scratch(t));
  const groups = given.filter((file) => file.endsWith('.mjs')).map((file) => readFileSync(file, 'utf8'));
  for (const file of alone) assert.ok(given.includes(file), file);
  for (const file of [...shared, ...browser])
    assert.equal(groups.filter((text) => text.includes(`"${file}"`)).length, 1, file);
});

test('a single test file needs no group', (t) => {
  assert.deepEqual(writeGroups(['test/edges/x.test.ts'], scratch(t)), ['test/edges/x.test.ts']);
});

test('a file of a group has cleaned up before the next one is loaded', (t) => {
  const { status, said } = runGroup(t, [
    `globalThis.open = true; test('one', () => {}); after(async () => { globalThis.open = false; });`,
    `const found = globalThis.open; test('two', () => { if (found !== false) throw new Error('still open'); });`,
  ]);
  assert.equal(status, 0, said);
  assert.match(said, /ℹ tests 2\n/);
  assert.match(said, /ℹ pass 2\n/);
});

test('a failed test and a file that cannot be loaded fail the run, are named, and stop no other file', (t) => {
  const { status, said } = runGroup(t, [
    `test('one', () => { throw new Error('one fails'); });`,
    `throw new Error('two cannot be loaded');`,
    `test('three', () => {});`,
  ]);
  assert.equal(status, 1, said);
  assert.match(said, /test at .*file1\.test\.mjs:2:1\n✖ one/);
  assert.match(said, /✖ .*file2\.test\.mjs/);
  assert.match(said, /two cannot be loaded/);
  assert.match(said, /✔ three/);
});

test('a process that ends in the middle of a group fails the run and says which file it was', (t) => {
  const { status, said } = runGroup(t, [
    `test('one', () => {});`,
    `test('two', () => process.exit(0));`,
    `test('three', () => {});`,
  ]);
  assert.equal(status, 1, said);
  assert.match(said, /the process ended within .*file2\.test\.mjs; not run: .*file3\.test\.mjs/);
});
