import { readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTaken } from '../../server/src/platform/postgres/postmaster.ts';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
/** A whole run needs 1 GB at a time. */
const BYTES_MIN = 3 * 2 ** 30;

export interface RunFolder {
  path: string;
  remove(): Promise<void>;
}

/**
 * The folder for all files of one run of the tests: in memory, where there is room. Cloning a database there takes
 * 20 ms of processor time, and up to 400 on a disk with ext4; test/operations takes 66 s instead of 78.
 */
export async function makeRunFolder(parent = hasMemory() ? MEMORY : tmpdir()): Promise<RunFolder> {
  removeAbandoned(parent);
  const path = await mkdtemp(join(parent, `malote-run-${process.pid}-`));
  // As root, PostgreSQL runs under another user.
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    // Some tests run programs from this folder.
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return bavail * bsize >= BYTES_MIN && mount !== undefined && !/\bnoexec\b/.test(mount);
  } catch {
    return false;
  }
}

/**
 * Leftovers of killed runs would fill the memory. Those of another user can only be removed by that user or by root.
 */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^malote-run-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isTaken(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {}
  }
}
