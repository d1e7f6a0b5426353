import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { EmbeddedConnection } from '../../server/src/platform/postgres/embedded.ts';
import { waitUntil } from './waitUntil.ts';

/** The limit for a first start on a very busy machine. */
export const START_MS = 180_000;
const LAUNCHER = join(import.meta.dirname, '../../bin/malote.mjs');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface MaloteProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  ended: Promise<Ended>;
}

export interface RunOptions {
  env?: Record<string, string>;
  input?: string;
  /** As at a terminal, where Ctrl-C reaches the process and all that it started: signal -pid. */
  leadsGroup?: boolean;
}

/** The processes of each data folder. A running one would start its database again while the folder is removed. */
const owners: { folder: string; child: ChildProcess; ended: Promise<Ended> }[] = [];

/** Generous, because a busy machine is slow. A process that does not end is killed at the end of its test file. */
const STOP_SECONDS = '120';

/** The real process as a user starts it, without settings from the environment of the tests. */
export function spawnMalote(
  args: readonly string[],
  { env = {}, input, leadsGroup = false }: RunOptions = {},
): MaloteProcess {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(MALOTE_|DATABASE_URL$|PORT$|HOST$|NODE_|PG)/.test(name),
  );
  const child = spawn(process.execPath, [LAUNCHER, ...args], {
    env: { ...Object.fromEntries(inherited), MALOTE_STOP_LIMIT: STOP_SECONDS, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: leadsGroup,
  });
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const heard = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text;
    });
  const ended = once(child, 'close').then(([code]) => ({ code, ...heard }));
  if (env.MALOTE_DATA) owners.push({ folder: env.MALOTE_DATA, child, ended });
  return { child, stdout: () => heard.stdout, stderr: () => heard.stderr, ended };
}

export const runMalote = (args: readonly string[], options: RunOptions = {}): Promise<Ended> =>
  spawnMalote(args, options).ended;

export interface Service extends MaloteProcess {
  /** The address without a path. */
  url: string;
  signal(signal: NodeJS.Signals): void;
}

/** `malote serve` on a free port, once it listens. */
export async function startService(env: Record<string, string>, args: string[] = []): Promise<Service> {
  const malote = spawnMalote(['serve', ...args], { env: { PORT: '0', ...env } });
  after(() => void malote.child.kill('SIGKILL'));
  let isOver = false;
  void malote.ended.then(() => {
    isOver = true;
  });
  const port = () => /listening at http:\/\/[^"]*:(\d+)/.exec(malote.stdout())?.[1];
  await waitUntil('the service listens', () => isOver || port() !== undefined, START_MS);
  if (isOver) throw new Error(`the service did not start: ${malote.stderr()}`);
  return { ...malote, url: `http://localhost:${port()}`, signal: (signal) => void malote.child.kill(signal) };
}

/** A new data folder. At the end of the test file its processes are ended and the folder is removed. */
export async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-process-'));
  after(async () => {
    for (const owner of owners.filter((candidate) => candidate.folder === folder)) {
      owner.child.kill('SIGKILL');
      await owner.ended;
    }
    const postmaster = postmasterOf(folder);
    if (postmaster !== undefined && isAlive(postmaster)) process.kill(postmaster, 'SIGQUIT');
    await waitUntil('PostgreSQL has ended', () => postmaster === undefined || !isAlive(postmaster));
    await rm(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The process id from PostgreSQL's lock file, which an orderly shutdown removes. */
export function postmasterOf(folder: string): number | undefined {
  const file = join(folder, 'postgres', 'postmaster.pid');
  try {
    // The file is empty for a moment while PostgreSQL starts.
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A zombie process counts as dead. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The URL of a database behind a Unix socket. */
export const databaseUrlOf = ({ host, port, user, database }: EmbeddedConnection): string =>
  `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`;
