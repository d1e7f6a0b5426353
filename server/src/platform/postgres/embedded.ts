import { existsSync, realpathSync, statSync } from 'node:fs';
import { mkdir, realpath, rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { lockDataFolder } from './dataFolderLock.ts';
import { giveTo, serverAccount } from './embeddedAccount.ts';
import { createCluster, launchPostmaster, removeDeadDrafts, type ServerPlace } from './embeddedCluster.ts';
import {
  guardPostmaster,
  isRunning,
  isTaken,
  type Postmaster,
  readPostmasterFile,
  stopPostmaster,
} from './postmaster.ts';
import { WatchedClient, watched } from './watchedConnection.ts';

/** For `pg`: the host is the folder of a socket, which only this user can enter. There is no TCP listener. */
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
  log?: Log;
  /** Overrides of the server settings. An adopted server keeps the settings it was started with. */
  settings?: Settings;
  /** With a guard, a server that ends unexpectedly is started again at the same address. */
  guard?: GuardOptions;
}

export interface GuardOptions {
  warn: Log;
  /** Whether this process is about to end. The same signal may have ended the server, which then stays down. */
  isEnding(): boolean;
  /** The server has ended and every attempt to start it has failed. */
  onGivenUp(reason: Error): void;
}

type Log = (line: string) => void;
type Settings = Record<string, string>;

const USER = 'malote';
const DATABASE = 'malote';

/**
 * Runs the PostgreSQL of the npm packages as its only owner: throws DataFolderInUse when another process runs it. A
 * server that outlived its owner (kill -9) is adopted with all its data; a crashed one is started and recovers.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.folder);
  const log: Log = options.log ?? (() => {});
  const lock = await lockDataFolder(folder);
  try {
    const cluster = await prepareCluster(folder, log);
    await giveTo(cluster.account, cluster.folder);
    const start = { place: cluster, settings: options.settings ?? {}, log };
    let server = await running(start);
    await createDatabaseOnce(server);
    const { guard: wanted } = options;
    const guard =
      wanted &&
      guardPostmaster({
        ...wanted,
        isGone: () => server.ended() && !wanted.isEnding(),
        async startAgain(stopping) {
          server = await running({ ...start, socketFolder: server.socketFolder, stopping });
        },
      });
    const stop = async () => {
      await guard?.stop();
      await stopPostmaster(server, cluster.folder);
      await removeSocketFolder(server);
    };
    let stopping: Promise<void> | undefined;
    return {
      connection: connectionTo(server),
      stop() {
        stopping ??= stop().finally(() => lock.release());
        return stopping;
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** A folder that may not be read counts as one with a database: the start then reports the error. */
export function hasEmbeddedDatabase(folder: string): boolean {
  try {
    return statSync(join(folder, 'postgres', 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

/** The address of the server that another process runs on this data folder, for commands beside a running service. */
export function findEmbeddedPostgres(folder: string): EmbeddedConnection | undefined {
  if (!existsSync(join(folder, 'postgres'))) return undefined;
  const cluster = realpathSync(join(folder, 'postgres'));
  const postmaster = readPostmasterFile(cluster);
  return postmaster && isRunning(postmaster, cluster) ? connectionTo(postmaster) : undefined;
}

async function prepareCluster(folder: string, log: Log): Promise<ServerPlace> {
  const cluster = join(folder, 'postgres');
  const account = await serverAccount(cluster);
  for (const draft of await removeDeadDrafts(cluster))
    log(`removed ${draft}, left by a start that was killed`);
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

const RETRY_MS = 20_000;
const RETRY_PAUSE_MS = 250;

interface Start {
  place: ServerPlace;
  settings: Settings;
  log: Log;
  /** The socket folder of a server that is started again: its clients still connect there. */
  socketFolder?: string;
  stopping?: AbortSignal;
}

interface Running extends Postmaster {
  ended(): boolean;
}

/** Adopts or starts a server. Both may fail for a moment after a crash, so they are retried for some seconds. */
async function running(start: Start): Promise<Running> {
  const { place, log, stopping } = start;
  const deadline = Date.now() + RETRY_MS;
  for (let attempt = 1; ; attempt += 1) {
    stopping?.throwIfAborted();
    const adopted = await adoptPostmaster(start);
    if (adopted) return adopted;
    const launched = await launchPostmaster(place, start.settings, start.socketFolder);
    const isVain = () => launched.ended() || stopping?.aborted === true;
    if (await answers(launched, START_SILENCE_MS, isVain)) return launched;
    await stopPostmaster(launched, place.folder);
    if (!start.socketFolder) await removeSocketFolder(launched);
    const reason = await launched.complaint();
    // The children of a server that was just killed hold its shared memory a moment longer.
    const mayPass = /shared memory block|lock file/.test(reason);
    if (!mayPass || Date.now() > deadline) throw new Error(`PostgreSQL did not start: ${reason}`);
    if (attempt === 1) log('PostgreSQL has not released its last run yet, trying again');
    await sleep(RETRY_PAUSE_MS);
  }
}

async function adoptPostmaster({ place, log, socketFolder }: Start): Promise<Running | undefined> {
  const found = readPostmasterFile(place.folder);
  if (!found) return undefined;
  const ended = () => !isRunning(found, place.folder);
  if (!ended()) {
    if (await answers(found, ADOPT_SILENCE_MS, ended)) {
      log(`adopting the PostgreSQL that is still running (process ${found.pid})`);
      return { ...found, ended };
    }
    // It runs but does not answer, for instance because its socket was deleted.
    await stopPostmaster(found, place.folder);
  }
  // Another process may have that id now. PostgreSQL would mistake it for a running server and refuse to start, so the
  // file is removed. Otherwise it stays: PostgreSQL uses it to wait for children of the dead server that still write.
  if (isTaken(found.pid)) await rm(join(place.folder, 'postmaster.pid'), { force: true });
  if (found.socketFolder !== socketFolder) await removeSocketFolder(found);
  return undefined;
}

const ADOPT_SILENCE_MS = 2_000;
const START_SILENCE_MS = 30_000;

/** True when it accepts a session; false when it ended or was silent for too long. Recovery is not limited. */
async function answers(postmaster: Postmaster, silenceMs: number, ended: () => boolean): Promise<boolean> {
  let heardAt = Date.now();
  while (!ended() && Date.now() - heardAt < silenceMs) {
    const answer = await tryToConnect(postmaster);
    if (answer === 'ready') return true;
    if (answer === 'busy') heardAt = Date.now();
    await sleep(15);
  }
  return false;
}

async function tryToConnect(postmaster: Postmaster): Promise<'ready' | 'busy' | 'unreachable'> {
  const client = clientOf(postmaster);
  try {
    await client.connect();
    return 'ready';
  } catch (error) {
    if (!(error instanceof DatabaseError)) return 'unreachable';
    // Starting up, recovering, shutting down or killed; or sessions of a dead owner hold all connections.
    if (error.code?.startsWith('57P0') || error.code === '53300') return 'busy';
    throw error;
  } finally {
    await client.end();
  }
}

const SILENCE_MS = 60_000;

/** A connection to the maintenance database, which always exists. */
function clientOf(postmaster: Postmaster): WatchedClient {
  const connection = { ...connectionTo(postmaster), database: 'postgres', connectionTimeoutMillis: 5_000 };
  const client = new WatchedClient(watched(connection, SILENCE_MS));
  // The next check notices a server that dies now. Without a listener the error would end the process.
  client.on('error', () => {});
  return client;
}

async function createDatabaseOnce(postmaster: Postmaster): Promise<void> {
  const client = clientOf(postmaster);
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
