import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running database server, found by the file it keeps in its cluster folder. */
export interface Postmaster {
  pid: number;
  socketFolder: string;
  port: number;
}

/** Reads postmaster.pid of a running or dead server: pid, folder, start time, port and socket folder, one per line. */
export function readPostmasterFile(cluster: string): Postmaster | undefined {
  const lines = readIfThere(join(cluster, 'postmaster.pid'))?.split('\n') ?? [];
  const pid = Number.parseInt(lines[0] ?? '', 10);
  const port = Number.parseInt(lines[3] ?? '', 10);
  const socketFolder = lines[4]?.trim();
  if (!Number.isInteger(pid) || !Number.isInteger(port) || !socketFolder) return undefined;
  return { pid, port, socketFolder };
}

/** The file may be removed at any moment, so its existence is not checked first. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether any process has that id, including processes of other users. */
export function isTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether that process is still the server of this cluster. A process id alone proves nothing: after a reboot, or in a
 * new container on an old volume, it may belong to another process. A zombie counts as dead. `cluster` must be the
 * real path.
 */
export function isRunning(postmaster: Postmaster, cluster: string): boolean {
  const { pid } = postmaster;
  if (process.platform === 'linux') {
    try {
      const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0];
      // Linux appends this note if the folder was removed while the server ran.
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

/** Ends sessions and writes all data to disk. If that takes too long, the next start recovers. */
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

export interface Guarded {
  isGone(): boolean;
  /** Rejects when the server cannot be started. Once `stopping` is aborted it ends soon and leaves nothing running. */
  startAgain(stopping: AbortSignal): Promise<void>;
  warn(line: string): void;
  /** Called after the last failed attempt. The server is not guarded any more. */
  onGivenUp(reason: Error): void;
  /** The pauses before the first attempt, the second … */
  pausesMs?: readonly number[];
}

export interface Guard {
  /** From then on an ending server is not restarted; an attempt in progress is aborted. */
  stop(): Promise<void>;
}

const POLL_MS = 250;
const PAUSES_MS = [0, 1_000, 2_000, 4_000, 8_000];

/**
 * Restarts the database server when it ends while the service runs, for instance killed for lack of memory. PostgreSQL
 * replaces all its processes except the first; without that one the others end, too.
 */
export function guardPostmaster(guarded: Guarded): Guard {
  const stopping = new AbortController();
  const guarding = guard(guarded, stopping.signal);
  return {
    async stop() {
      stopping.abort();
      await guarding;
    },
  };
}

async function guard(guarded: Guarded, stopping: AbortSignal): Promise<void> {
  while (await pause(POLL_MS, stopping))
    if (guarded.isGone() && !(await bringBack(guarded, stopping))) return;
}

/** False when all attempts failed, or when it was stopped. */
async function bringBack(guarded: Guarded, stopping: AbortSignal): Promise<boolean> {
  const { warn, pausesMs = PAUSES_MS } = guarded;
  warn('PostgreSQL has ended unexpectedly, starting it again');
  const since = performance.now();
  for (const [index, pauseMs] of pausesMs.entries()) {
    if (!(await pause(pauseMs, stopping))) return false;
    try {
      await guarded.startAgain(stopping);
      warn(`PostgreSQL is back after ${((performance.now() - since) / 1000).toFixed(1)} seconds`);
      return true;
    } catch (error) {
      if (stopping.aborted) return false;
      const reason = error as Error;
      if (index === pausesMs.length - 1) guarded.onGivenUp(reason);
      else warn(`${reason.message}; it will be tried again`);
    }
  }
  return false;
}

/** False when it was aborted. */
const pause = (ms: number, stopping: AbortSignal): Promise<boolean> =>
  sleep(ms, true, { ref: false, signal: stopping }).catch(() => false);
