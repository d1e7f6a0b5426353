import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeRunFolder } from './runFolder.ts';

test('a run has a folder of its own, and removes only the folders of ended runs', async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'malote-folders-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const [abandoned, running, foreign] = [
    `malote-run-${ended}-a`,
    `malote-run-${process.ppid}-b`,
    'somebody-else',
  ].map((name) => join(parent, name)) as [string, string, string];
  for (const folder of [abandoned, running, foreign]) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'file'), '');
  }
  const own = await makeRunFolder(parent);
  assert.deepEqual(
    [abandoned, running, foreign, own.path].map((folder) => existsSync(folder)),
    [false, true, true, true],
  );
  writeFileSync(join(own.path, 'file'), '');
  await own.remove();
  assert.ok(!existsSync(own.path));
});
