import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../server/src/platform/postgres/database.ts';
import { type EmbeddedConnection, startEmbeddedPostgres } from '../server/src/platform/postgres/embedded.ts';
import { migrate } from '../server/src/platform/postgres/migrate.ts';
import { databaseUrlOf } from '../test/support/maloteProcess.ts';

export interface Ground {
  db: Database;
  connection: EmbeddedConnection;
  /**
   * Runs `malote` with these arguments on this database, as `npm start` does. It ends with the ground. A module that is
   * preloaded can exchange messages with this process.
   */
  startMalote(args: readonly string[], env: Record<string, string>, preload?: string): ChildProcess;
  /** Runs any other script of this repository. */
  startScript(file: string, env: Record<string, string>): ChildProcess;
}

/** Provides a PostgreSQL with an empty Malote until the work ends or a signal interrupts it. */
export async function onOwnGround(poolSize: number, work: (ground: Ground) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-bench-'));
  const embedded = await startEmbeddedPostgres({ folder });
  const { connection } = embedded;
  const db = openDatabase({ connection, poolSize, onError: console.error });
  const children: ChildProcess[] = [];
  const start = (
    args: readonly string[],
    env: Record<string, string>,
    more: readonly 'ipc'[] = [],
  ): ChildProcess => {
    // Log lines are written as in production, and discarded.
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit', ...more],
      env: { ...process.env, ...env },
    });
    children.push(child);
    return child;
  };
  try {
    await untilSignalled(async () => {
      await migrate(connection);
      await work({
        db,
        connection,
        startMalote: (args, env, preload) =>
          start(
            [...asStarted().flags, ...(preload ? [`--import=${preload}`] : []), 'bin/malote.mjs', ...args],
            { ...asStarted().env, DATABASE_URL: databaseUrlOf(connection), ...env },
            preload ? ['ipc'] : [],
          ),
        startScript: (file, env) => start([file], env),
      });
    });
  } finally {
    await Promise.all(children.map(end));
    await db.close();
    await embedded.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Abandons the work at a signal, so that the caller can stop the servers on which it runs. The rest of the work may
 * fail without them, and ends with the process.
 */
export async function untilSignalled(work: () => Promise<void>): Promise<void> {
  const { promise: signalled, resolve } = Promise.withResolvers<void>();
  const giveUp = () => {
    process.exitCode = 1;
    process.on('unhandledRejection', () => undefined).on('uncaughtException', () => undefined);
    resolve();
  };
  for (const signal of SIGNALS) process.once(signal, giveUp);
  await Promise.race([work(), signalled]);
  for (const signal of SIGNALS) process.off(signal, giveUp);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The arguments and the environment that `npm start` gives to Node. */
function asStarted(): { flags: string[]; env: Record<string, string> } {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
  const words = scripts.start.split(' ');
  return {
    flags: words.filter((word) => word.startsWith('--')),
    env: Object.fromEntries(words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('='))),
  };
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

export async function answers(port: number): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const reached = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (reached) return;
    await sleep(100);
  }
  throw new Error(`nothing answers on port ${port}`);
}

/** The resident memory of a process, from Linux's /proc; not measured elsewhere. */
export function residentMegabytes({ pid }: ChildProcess): number {
  try {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes ?? 0) / 1024);
  } catch {
    return 0;
  }
}

const TICKS_PER_SECOND = 100;

/** The processor seconds that a process has used so far; 0 on systems other than Linux. */
export function cpuSeconds({ pid }: ChildProcess): number {
  try {
    // The name, in brackets, may contain spaces. After it, user and system time are fields 12 and 13.
    const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return (user! + system!) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

export function watchMemory(child: ChildProcess): { peakMegabytes(): number } {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(child));
  }, 200);
  timer.unref();
  return { peakMegabytes: () => peak };
}

export const basic = (user: string, password = 'demo'): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
