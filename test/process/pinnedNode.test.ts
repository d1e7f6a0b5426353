import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

// Simulates a machine on which the Node from npm cannot run: `bin/` next to a Node that ends as the system's loader
// ends it.

const folder = mkdtempSync(join(tmpdir(), 'malote-node-'));
after(() => rmSync(folder, { recursive: true }));
cpSync(join(import.meta.dirname, '../../bin'), join(folder, 'bin'), { recursive: true });
mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
// The Node of this test can run Malote by itself; a user's own may be too old.
const launcher = join(folder, 'bin/malote.mjs');
writeFileSync(launcher, readFileSync(launcher, 'utf8').replace('NODE_MAJOR_MIN = 26', 'NODE_MAJOR_MIN = 99'));

function runWithNode(script: string, nodeDoes: string) {
  const node = join(folder, 'node_modules/.bin/node');
  writeFileSync(node, `#!/bin/sh\n${nodeDoes}\n`);
  chmodSync(node, 0o755);
  return spawnSync(process.execPath, [join(folder, 'bin', script)], { encoding: 'utf8' });
}

const lacking = (library: string) =>
  `echo 'node: error while loading shared libraries: ${library}: cannot open shared object file' >&2; exit 127`;

for (const script of ['checkNode.mjs', 'malote.mjs']) {
  test(`${script} says which library of the system is missing, and how to install it`, () => {
    const { status, stderr } = runWithNode(script, lacking('libatomic.so.1'));
    assert.notEqual(status, 0);
    assert.match(stderr, /malote: Node needs libatomic\.so\.1, .*apt-get install libatomic1/);
  });

  test(`${script} names a library that it knows nothing about`, () => {
    const { status, stderr } = runWithNode(script, lacking('libnew.so.7'));
    assert.notEqual(status, 0);
    assert.match(
      stderr,
      /malote: Node needs libnew\.so\.7, which this system lacks\. Install it, then try again\./,
    );
  });
}

test('after an installation on which Node runs, nothing is printed', () => {
  const { status, stdout, stderr } = runWithNode('checkNode.mjs', 'exit 0');
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

test('an exit code of the service itself is passed on without advice', () => {
  const { status, stderr } = runWithNode('malote.mjs', 'if [ "$1" = --version ]; then exit 0; fi; exit 127');
  assert.deepEqual([status, stderr], [127, '']);
});
