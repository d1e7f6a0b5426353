import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { draftPrefix } from './deadDrafts.ts';
import {
  type Account,
  binariesWithinReach,
  giveTo,
  keepSocketFolder,
  makeSocketFolder,
} from './embeddedAccount.ts';
import { embeddedBinaries } from './embeddedBinaries.ts';
import type { Postmaster } from './postmaster.ts';

/** Where a server keeps its files, and who runs it. */
export interface ServerPlace {
  folder: string;
  account: Account | undefined;
}

const SETTINGS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '128MB',
  // A young database grows fast, and until it is analysed its plans are guesses.
  autovacuum_naptime: '5s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A file per weekday, overwritten a week later, so the logs cannot grow for ever.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_checkpoints: 'off',
  // Statements and the details of errors hold what callers sent. The service logs what it needs, without that.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

const PORT = 5432;

/**
 * The account that root lends the server may not be able to walk to the cluster folder from the top. A process
 * always reaches the folder it stands in, so it is started there and told that its data is right here.
 */
const pathOf = ({ folder, account }: ServerPlace): string => (account ? '/proc/self/cwd' : folder);

/** Makes a new cluster in the (empty) folder; it has all its files or does not appear. */
export async function createCluster(place: ServerPlace): Promise<void> {
  const native = await reachableBinaries(place);
  const draft = await mkdtemp(draftPrefix(place.folder));
  try {
    await giveTo(place.account, draft);
    await runInitdb(native, { ...place, folder: draft });
    await rmdir(place.folder);
    await rename(draft, place.folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function runInitdb(native: string, place: ServerPlace): Promise<void> {
  const child = spawn(
    join(native, 'bin', 'initdb'),
    [
      ...['-D', pathOf(place), '--username=malote', '--auth-local=trust', '--auth-host=reject'],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ],
    { cwd: place.folder, ...place.account, env: cleanEnvironment(), stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim() || `exit code ${code}`}`);
}

export interface Launched extends Postmaster {
  ended(): boolean;
  /** What it said before it ended. */
  complaint(): Promise<string>;
}

/**
 * Starts the server as the leader of a session of its own, so that Ctrl-C in the terminal reaches only us and we
 * stop it in order. It does not keep our process alive, and it outlives us if we are killed.
 */
export async function launchPostmaster(
  place: ServerPlace,
  settings: Record<string, string>,
  knownSocketFolder?: string,
): Promise<Launched> {
  const native = await reachableBinaries(place);
  await chmod(place.folder, 0o700);
  const socketFolder = knownSocketFolder ?? (await makeSocketFolder(place.account));
  if (knownSocketFolder) await keepSocketFolder(knownSocketFolder, place.account);
  const startLog = join(place.folder, 'start.log');
  const output = await open(startLog, 'w');
  const options = Object.entries({
    ...SETTINGS,
    unix_socket_directories: socketFolder,
    port: String(PORT),
    ...settings,
  });
  const child = spawn(
    join(native, 'bin', 'postgres'),
    ['-D', pathOf(place), ...options.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: place.folder,
      ...place.account,
      env: cleanEnvironment(),
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    },
  );
  let ended = false;
  child.once('exit', () => {
    ended = true;
  });
  child.unref();
  try {
    await once(child, 'spawn');
  } finally {
    await output.close();
  }
  return {
    pid: child.pid!,
    port: PORT,
    socketFolder,
    ended: () => ended,
    complaint: () => lastWords(place.folder, startLog),
  };
}

async function reachableBinaries({ account }: ServerPlace): Promise<string> {
  if (account && process.platform !== 'linux') {
    throw new Error('PostgreSQL refuses to run as root: start malote as an ordinary user');
  }
  return binariesWithinReach(await embeddedBinaries(), account);
}

/** A PGDATA or PGOPTIONS meant for another server must not steer this one; LC_ALL may name a locale it lacks. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG|NODE_)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

async function lastWords(cluster: string, startLog: string): Promise<string> {
  const logs = join(cluster, 'log');
  const names = (await readdir(logs).catch(() => [])).map((name) => join(logs, name));
  const texts = await Promise.all([startLog, ...names].map((file) => readFile(file, 'utf8').catch(() => '')));
  const words = texts[0]?.includes('FATAL') ? texts.slice(0, 1) : texts;
  const fatal = words.flatMap((text) => text.split('\n')).filter((line) => /FATAL|PANIC/.test(line));
  return fatal.at(-1) ?? texts[0]?.trim().split('\n').at(-1) ?? 'it said nothing';
}
