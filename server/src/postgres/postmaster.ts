import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running database server, found by the file it keeps in its cluster folder. */
export interface Postmaster {
  pid: number;
  socketFolder: string;
  port: number;
}

/** What postmaster.pid says, alive or not: pid, folder, start time, port and socket folder, one per line. */
export function readPostmasterFile(cluster: string): Postmaster | undefined {
  const file = join(cluster, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const port = Number.parseInt(lines[3] ?? '', 10);
  const socketFolder = lines[4]?.trim();
  if (!Number.isInteger(pid) || !Number.isInteger(port) || !socketFolder) return undefined;
  return { pid, port, socketFolder };
}

/** Whether any process has that number, be it another user's. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether that process still is the server of this cluster. A process id alone proves nothing: after a reboot, or in
 * a new container on an old volume, it belongs to somebody else. A zombie counts as dead. The
 * cluster's path must be its real one.
 */
export function isRunning(postmaster: Postmaster, cluster: string): boolean {
  const { pid } = postmaster;
  if (process.platform === 'linux') {
    try {
      const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
      // A folder that was removed under a running server has this note after its name.
      const home = readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
      return state !== 'Z' && home === cluster;
    } catch {
      return false;
    }
  }
  const { stdout } = spawnSync('ps', ['-o', 'stat=,command=', '-p', String(pid)], { encoding: 'utf8' });
  const [state = 'Z', command = ''] = (stdout ?? '').trim().split(/\s+/);
  return !state.startsWith('Z') && basename(command).startsWith('postgres');
}

const FAST_STOP_MS = 5000;
const IMMEDIATE_STOP_MS = 5000;

/** Sessions are cut off and all is written to disk; what takes too long is left to recovery at the next start. */
export async function stopPostmaster(postmaster: Postmaster, cluster: string): Promise<void> {
  if (await endsAfter('SIGINT', FAST_STOP_MS, postmaster, cluster)) return;
  if (await endsAfter('SIGQUIT', IMMEDIATE_STOP_MS, postmaster, cluster)) return;
  await endsAfter('SIGKILL', IMMEDIATE_STOP_MS, postmaster, cluster);
}

async function endsAfter(
  signal: NodeJS.Signals,
  patienceMs: number,
  postmaster: Postmaster,
  cluster: string,
): Promise<boolean> {
  if (!isRunning(postmaster, cluster)) return true;
  try {
    process.kill(postmaster.pid, signal);
  } catch {
    return !isRunning(postmaster, cluster);
  }
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    if (!isRunning(postmaster, cluster)) return true;
    await sleep(10);
  }
  return false;
}
