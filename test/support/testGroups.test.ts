import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { HOUSE_RULES, sourceOf, testFiles, writeGroups } from './testGroups.ts';

function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'malote-groups-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs these sources as test files in shared processes, and returns the output of the test runner. */
function runGroup(
  t: TestContext,
  sources: readonly string[],
  processes = 1,
): { status: number | null; said: string } {
  const folder = scratch(t);
  const files = sources.map((source, index) => {
    const file = join(folder, `file${index + 1}.test.mjs`);
    writeFileSync(file, `import { after, test } from 'node:test';\n${source}\n`);
    return file;
  });
  const begun = join(folder, 'begun');
  mkdirSync(begun);
  const groups = Array.from({ length: processes }, (_, index) => {
    const group = join(folder, `group${index + 1}.test.mjs`);
    writeFileSync(group, sourceOf(files, begun));
    return group;
  });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--test', '--test-reporter=spec', '--test-concurrency=3', ...groups],
    {
      encoding: 'utf8',
      env,
    },
  );
  return { status, said: stdout + stderr };
}

test('every test file is given to the processes that share the work, or runs alone', (t) => {
  const shared = Array.from({ length: 30 }, (_, index) => `test/contract/file${index}.test.ts`);
  const browser = Array.from({ length: 9 }, (_, index) => `test/browser/file${index}.test.ts`);
  const alone = ['server/src/platform/postgres/embedded.test.ts', 'test/long/process/addresses.test.ts'];
  // A long file begins before the others.
  const long = 'test/long/process/ending.test.ts';
  const given = writeGroups([...shared, ...browser, ...alone, long], scratch(t));
  assert.deepEqual(given, given.toSorted(), 'in the order in which the test runner begins them');
  const texts = given.map((file) => readFileSync(file, 'utf8'));
  const groups = texts.filter((text) => text.includes(`"${shared[0]}"`));
  assert.ok(groups.length > 1);
  for (const text of groups) {
    for (const file of [...shared, ...browser]) assert.equal(text.split(`"${file}"`).length, 2, file);
    for (const file of [...alone, long]) assert.ok(!text.includes(file), file);
  }
  const others = texts.slice(groups.length);
  assert.equal(others.length, 3);
  for (const [index, file] of [long, ...alone].entries())
    assert.ok(others[index]!.includes(`["${file}"]`), file);
});

test('CI runs every test file once, and `npm test` all but the long ones', () => {
  const root = join(import.meta.dirname, '../..');
  const ci = readFileSync(join(root, '.ci/run'), 'utf8');
  for (const script of ['check', 'test:all']) assert.match(ci, new RegExp(`^step npm run ${script}$`, 'm'));
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.match(scripts['test:all'], /test\/run\.ts --all$/);
  const exclude = ['**/node_modules', '.git'];
  const every = globSync('**/*.test.ts', { cwd: root, exclude }).sort();
  const all = testFiles('all');
  assert.deepEqual([...HOUSE_RULES, ...all].sort(), every);
  const daily = testFiles('daily');
  assert.deepEqual(
    daily,
    all.filter((file) => !file.startsWith('test/long/')),
  );
  assert.ok(daily.length < all.length);
});

test('processes that share files run each of them once', (t) => {
  const sources = Array.from({ length: 12 }, (_, index) => `test('number ${index}', () => {});`);
  const { status, said } = runGroup(t, sources, 3);
  assert.equal(status, 0, said);
  // The total is not asserted: a process that finds all files begun by others counts as a test too.
  const names = [...said.matchAll(/✔ (number \d+) \(/g)].map(([, name]) => name!);
  assert.deepEqual(names.sort(), sources.map((_, index) => `number ${index}`).sort(), said);
  assert.match(said, /ℹ fail 0\n/);
});

test('a single test file runs as many do, as a suite with its path as name', (t) => {
  for (const file of ['test/edges/x.test.ts', 'test/long/process/x.test.ts']) {
    const given = writeGroups([file], scratch(t));
    assert.equal(given.length, 1);
    assert.ok(readFileSync(given[0]!, 'utf8').includes(`runFiles(["${file}"]`));
  }
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

test('a process that ends in the middle of a file fails the run and says which file it was', (t) => {
  const { status, said } = runGroup(t, [
    `test('one', () => {});`,
    `test('two', () => process.exit(0));`,
    `test('three', () => {});`,
  ]);
  assert.equal(status, 1, said);
  assert.match(said, /the process ended within .*file2\.test\.mjs; not begun by then: .*file3\.test\.mjs/);
});

test('a test file that runs alone fails the run when its process ends in the middle', (t) => {
  const folder = scratch(t);
  const file = join(folder, 'alone.test.mjs');
  writeFileSync(
    file,
    `import { test } from 'node:test';\ntest('one', () => process.exit(0));\ntest('two', () => {});\n`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stderr, stdout } = spawnSync(process.execPath, ['--test', ...writeGroups([file], folder)], {
    encoding: 'utf8',
    env,
  });
  assert.equal(status, 1, stdout + stderr);
  assert.match(stdout + stderr, /the process ended within .*alone\.test\.mjs/);
});
