import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files in memory, on Linux. */
const MEMORY = '/dev/shm';
/** A whole run has 1 GB at a time. */
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
  const path = mkdtempSync(join(parent, `malote-run-${process.pid}-`));
  // For root, PostgreSQL runs as another user.
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    // Some tests start programs that they have put there.
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === MEMORY);
    return bavail * bsize >= BYTES_MIN && mount !== undefined && !/\bnoexec\b/.test(mount);
  } catch {
    return false;
  }
}

/** What killed runs have left would fill the memory. Folders of other users stay, since only they may remove them. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = /^malote-run-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {}
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
