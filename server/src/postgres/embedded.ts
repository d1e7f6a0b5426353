import { existsSync } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError } from 'pg';
import { lockDataFolder } from './dataFolderLock.ts';
import { giveTo, serverAccount } from './embeddedAccount.ts';
import { createCluster, launchPostmaster, type ServerPlace } from './embeddedCluster.ts';
import { isRunning, type Postmaster, readPostmasterFile, stopPostmaster } from './postmaster.ts';

/** For `pg`: the host is the folder of a socket that only this user can enter. There is no TCP listener. */
export interface EmbeddedConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** The service's data folder; the cluster lies in postgres/ inside it. */
  folder: string;
  log?: (line: string) => void;
  /** Server settings over the usual ones. An adopted server keeps those it was started with. */
  settings?: Record<string, string>;
}

const USER = 'malote';
const DATABASE = 'malote';

/**
 * Runs the PostgreSQL that came with the packages, and is its only owner: throws DataFolderInUse when another
 * process runs it. A server that outlived its owner (kill -9) is adopted with all its data; a dead one recovers.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  const log = options.log ?? (() => {});
  const lock = await lockDataFolder(folder);
  try {
    const cluster = await prepareCluster(folder, log);
    const postmaster =
      (await adoptPostmaster(cluster, log)) ?? (await startPostmaster(cluster, options, log));
    await createDatabaseOnce(postmaster);
    let stopping: Promise<void> | undefined;
    return {
      connection: connectionTo(postmaster),
      stop() {
        stopping ??= stopPostmaster(postmaster, cluster.folder)
          .then(() => removeSocketFolder(postmaster))
          .finally(() => lock.release());
        return stopping;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** How to reach the server that another process runs on this data folder, for commands beside a running service. */
export function findEmbeddedPostgres(folder: string): EmbeddedConnection | undefined {
  const cluster = join(resolve(folder), 'postgres');
  const postmaster = readPostmasterFile(cluster);
  return postmaster && isRunning(postmaster, cluster) ? connectionTo(postmaster) : undefined;
}

async function prepareCluster(folder: string, log: (line: string) => void): Promise<ServerPlace> {
  const cluster = join(folder, 'postgres');
  const account = await serverAccount(cluster);
  if (!existsSync(join(cluster, 'PG_VERSION'))) {
    log('creating the database (first start)');
    await mkdir(cluster, { recursive: true });
    await createCluster({ folder: cluster, account });
  }
  return { folder: await realpath(cluster), account };
}

const connectionTo = ({ socketFolder, port }: Postmaster): EmbeddedConnection => ({
  host: socketFolder,
  port,
  user: USER,
  database: DATABASE,
});

const ADOPT_MS = 15_000;
const START_MS = 120_000;
const RESTART_MS = 20_000;

async function adoptPostmaster(
  place: ServerPlace,
  log: (line: string) => void,
): Promise<Postmaster | undefined> {
  const found = readPostmasterFile(place.folder);
  if (!found) return undefined;
  if (isRunning(found, place.folder)) {
    if (await answers(found, place, ADOPT_MS)) {
      log(`adopting the PostgreSQL that is still running (process ${found.pid})`);
      return found;
    }
    // Alive and deaf, for instance because its socket was swept away.
    await stopPostmaster(found, place.folder);
  }
  // PostgreSQL itself would respect this file as long as any process has that number.
  await rm(join(place.folder, 'postmaster.pid'), { force: true });
  await removeSocketFolder(found);
  return undefined;
}

/** The children of a server that was just killed hold its memory a moment longer, so the first try may fail. */
async function startPostmaster(
  place: ServerPlace,
  { settings = {} }: EmbeddedOptions,
  log: (line: string) => void,
): Promise<Postmaster> {
  await giveTo(place.account, place.folder);
  const deadline = Date.now() + RESTART_MS;
  for (;;) {
    const launched = await launchPostmaster(place, settings);
    const postmaster = { pid: launched.pid, port: launched.port, socketFolder: launched.socketFolder };
    if (await answers(postmaster, place, START_MS, launched.ended)) return postmaster;
    await stopPostmaster(postmaster, place.folder);
    await removeSocketFolder(postmaster);
    const reason = await launched.complaint();
    const mayPass = /shared memory block|lock file/.test(reason);
    if (!mayPass || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${reason}`);
    log('PostgreSQL is still letting go of its last run, trying again');
    await sleep(250);
  }
}

/** Waits as long as it is starting up or recovering; false when it ended or stayed silent. */
async function answers(
  postmaster: Postmaster,
  place: ServerPlace,
  patienceMs: number,
  ended: () => boolean = () => !isRunning(postmaster, place.folder),
): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (!ended() && Date.now() < deadline) {
    if (await accepts(postmaster)) return true;
    await sleep(15);
  }
  return false;
}

async function accepts(postmaster: Postmaster): Promise<boolean> {
  const client = new Client({
    ...connectionTo(postmaster),
    database: 'postgres',
    connectionTimeoutMillis: 5000,
  });
  try {
    await client.connect();
    return true;
  } catch (error) {
    // cannot_connect_now: starting up or shutting down.
    if (error instanceof DatabaseError && error.code !== '57P03') throw error;
    return false;
  } finally {
    await client.end();
  }
}

async function createDatabaseOnce(postmaster: Postmaster): Promise<void> {
  const client = new Client({ ...connectionTo(postmaster), database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}

async function removeSocketFolder({ socketFolder }: Postmaster): Promise<void> {
  if (basename(socketFolder).startsWith('malote-')) await rm(socketFolder, { recursive: true, force: true });
}
