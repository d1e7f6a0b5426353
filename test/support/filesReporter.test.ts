import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FileResult, faultsOf, repeatable, slowest } from './filesReporter.ts';
import { sourceOf } from './testGroups.ts';

test('each file is reported with its tests, in whichever process it ran', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'malote-files-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const sources = {
    'two.mjs': `test('a', () => {}); test('b', () => { throw new Error('fails'); });`,
    'inner.mjs': `describe('s', () => test('inner', () => {}));`,
    'none.mjs': '',
    'skips.mjs': 'test("skipped", { skip: true }, () => {});',
    'last.mjs': `await Promise.resolve(); test('a', () => {});`,
  };
  const files = Object.entries(sources).map(([name, source]) => {
    writeFileSync(join(folder, name), `import { describe, test } from 'node:test';\n${source}\n`);
    return join(folder, name);
  });
  mkdirSync(join(folder, 'begun'));
  const groups = [1, 2].map((number) => join(folder, `group${number}.test.mjs`));
  for (const group of groups) writeFileSync(group, sourceOf(files, join(folder, 'begun')));
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const reporter = join(import.meta.dirname, 'filesReporter.ts');
  const out = join(folder, 'files.json');
  spawnSync(
    process.execPath,
    ['--test', `--test-reporter=${reporter}`, `--test-reporter-destination=${out}`, ...groups],
    { env },
  );
  const results = JSON.parse(readFileSync(out, 'utf8')) as FileResult[];
  const counts = Object.fromEntries(results.map(({ file, tests, skipped }) => [file, [tests, skipped]]));
  assert.deepEqual(
    files.map((file) => counts[file]),
    [
      [2, 0],
      [1, 0],
      [0, 0],
      [0, 1],
      [1, 0],
    ],
  );
  assert.deepEqual(
    results.filter(({ failed }) => failed).map(({ file }) => file),
    [join(folder, 'two.mjs')],
  );
});

const ran = { file: 'a', tests: 3, skipped: 0, failed: false, seconds: 1 };

test('the slowest files are listed', () => {
  const slow = { ...ran, file: 'slow', tests: 1, seconds: 12.34 };
  assert.equal(
    slowest([ran, slow, { ...ran, seconds: 0.1 }], 2),
    '   12.3 s  slow (1 tests)\n    1.0 s  a (3 tests)',
  );
});

test('a file that never ran, or has no test, is named', () => {
  assert.deepEqual(faultsOf(['a'], [ran], true), []);
  assert.deepEqual(faultsOf(['a', 'b', 'c'], [ran, { ...ran, file: 'b', tests: 0 }], true), [
    'No test of these files ran: b, c.',
  ]);
});

test('skipped tests are a fault, unless there is no browser', () => {
  const skipping = { ...ran, tests: 0, skipped: 2 };
  assert.deepEqual(faultsOf(['a'], [skipping], false), []);
  assert.deepEqual(faultsOf(['a'], [{ ...ran, skipped: 1 }], true), [
    'Tests of these files were skipped: a.',
  ]);
});

test('two failed files are run again, more than two are not', () => {
  const failed = ['a', 'b', 'c'].map((file) => ({ ...ran, file, failed: true }));
  assert.deepEqual(repeatable(['a', 'b', 'c', 'd'], [...failed.slice(1), { ...ran, file: 'd' }]), ['b', 'c']);
  assert.deepEqual(repeatable(['a', 'b', 'c'], failed), []);
});

test('nothing is run again after a failure that belongs to no test file', () => {
  const crashed = { ...ran, file: 'group1.test.mjs', tests: 0, failed: true };
  assert.deepEqual(repeatable(['a'], [{ ...ran, failed: true }, crashed]), []);
});
