import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const built = mkdtempSync(join(tmpdir(), 'malote-client-'));
after(() => rmSync(built, { recursive: true }));

test('the package is built as plain modules with their types, and needs no other package', async () => {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(tsc, ['-p', 'client', '--outDir', built], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  assert.equal(status, 0, stdout);
  const modules = readdirSync(built).filter((name) => name.endsWith('.js'));
  for (const name of modules)
    for (const [, imported] of readFileSync(join(built, name), 'utf8').matchAll(/from '([^']+)'/g))
      assert.match(imported!, /^\.\/\w+\.js$/);
  assert.ok(readdirSync(built).includes('index.d.ts'));
  const { Malote, verifyWebhook } = await import(join(built, 'index.js'));
  assert.equal(typeof Malote, 'function');
  assert.equal(typeof verifyWebhook, 'function');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'));
  assert.equal(dependencies, undefined);
});
