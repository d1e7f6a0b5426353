// Runs on every Node since 14, like malote.mjs.
import { spawnSync } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The Node that npm installed for Malote. */
export const pinned = join(root, 'node_modules', '.bin', 'node');

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
