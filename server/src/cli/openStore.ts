import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientConfig, DatabaseError } from 'pg';
import type { Logger } from 'pino';
import { type Config, readConfig } from '../config.ts';
import { migrateJobs } from '../dispatch/rounds/jobs.ts';
import { type Database, openDatabase } from '../platform/postgres/database.ts';
import { DataFolderInUse } from '../platform/postgres/dataFolderLock.ts';
import type { Distribution } from '../platform/postgres/distribute.ts';
import {
  findEmbeddedPostgres,
  hasEmbeddedDatabase,
  startEmbeddedPostgres,
} from '../platform/postgres/embedded.ts';
import { type Migrated, migrate } from '../platform/postgres/migrate.ts';
import { WatchedClient, watched } from '../platform/postgres/watchedConnection.ts';
import { CommandFailed } from './command.ts';
import { openLog } from './openLog.ts';
import type { StopSignals } from './stopSignals.ts';

const PAUSE_MS = 500;

/**
 * A booting machine may start this service before its PostgreSQL, so the service waits for it. Errors that waiting
 * does not solve (a wrong password, an unknown database) are left to openStore, which explains them in one line.
 */
export async function awaitDatabase(
  { databaseUrl, databaseWaitSeconds }: Pick<Config, 'databaseUrl' | 'databaseWaitSeconds'>,
  log: Logger,
  signals: StopSignals,
): Promise<void> {
  if (!databaseUrl || databaseWaitSeconds === 0) return;
  const deadline = performance.now() + databaseWaitSeconds * 1000;
  let reported: string | undefined;
  while (!signals.isAsked()) {
    const error = await Promise.race([troubleWith(databaseUrl), signals.asked]);
    if (!isNotThereYet(error)) {
      if (reported && error === undefined) log.info('the database answers');
      return;
    }
    if (performance.now() >= deadline) return;
    const trouble = databaseTrouble(databaseUrl, error);
    if (trouble !== reported) log.warn(`${trouble}; waiting for it up to ${databaseWaitSeconds} s`);
    reported = trouble;
    await Promise.race([sleep(PAUSE_MS), signals.asked]);
  }
}

async function troubleWith(databaseUrl: string): Promise<unknown> {
  let client: WatchedClient | undefined;
  try {
    client = new WatchedClient(
      watched({ connectionString: databaseUrl, connectionTimeoutMillis: CONNECT_MS }, CONNECT_MS),
    );
    client.on('error', () => {});
    await client.connect();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client?.end().catch(() => {});
  }
}

export interface Store extends AsyncDisposable {
  connection: ClientConfig;
  db: Database;
  /** Migrations that were applied while opening. */
  applied: readonly string[];
  /** Tables that were distributed while opening. Undefined: the database has no Citus. */
  distribution: Distribution | undefined;
}

export interface StoreOptions {
  /** May use the embedded server of a running service; otherwise this process must be its only owner. */
  beside: boolean;
  /** For long-running commands: the embedded server is restarted when it dies; if that fails, the process ends. */
  signals?: Pick<StopSignals, 'isAsked' | 'fail'>;
}

const VERSION_MIN = 15;
const CONNECT_MS = 5_000;
const CLOSE_MS = 2_000;

/** Opens the configured database with the schema of this version, or fails with one clear line. */
export async function openStore(config: Config, log: Logger, options: StoreOptions): Promise<Store> {
  await using opening = new AsyncDisposableStack();
  const connection = config.databaseUrl
    ? { connectionString: config.databaseUrl, connectionTimeoutMillis: CONNECT_MS }
    : await embedded(config.dataFolder, log, options, opening);
  if (config.databaseUrl) await assertUsable(config.databaseUrl, connection);
  const { applied, distribution } = await bringUpToDate(connection);
  const db = openDatabase({
    connection,
    poolSize: config.poolSize,
    onError: (err) => log.warn({ err }, 'a database connection was lost'),
    isDistributed: distribution !== undefined,
  });
  // A statement that never ends must not block the rest of the shutdown.
  opening.defer(() => Promise.race([db.close(), sleep(CLOSE_MS, undefined, { ref: false })]));
  const open = opening.move();
  return { connection, db, applied, distribution, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

async function embedded(
  folder: string,
  log: Logger,
  { beside, signals }: StoreOptions,
  opening: AsyncDisposableStack,
): Promise<ClientConfig> {
  const guard = signals && {
    warn: (line: string) => log.warn(line),
    isEnding: signals.isAsked,
    onGivenUp(reason: Error) {
      const failure = new CommandFailed(`the database is lost: ${reason.message}`, { cause: reason });
      log.fatal(failure.message);
      signals.fail(failure);
    },
  };
  try {
    const server = await startEmbeddedPostgres({
      folder,
      log: (line) => log.info(line),
      ...(guard && { guard }),
    });
    opening.defer(() => server.stop());
    return server.connection;
  } catch (error) {
    const running = error instanceof DataFolderInUse && beside ? findEmbeddedPostgres(folder) : undefined;
    if (running) return running;
    throw new CommandFailed(messageOf(error), { cause: error });
  }
}

async function assertUsable(databaseUrl: string, connection: ClientConfig): Promise<void> {
  let client: WatchedClient | undefined;
  try {
    // Reads the files that the URL names, which may be missing.
    client = new WatchedClient(watched(connection, CONNECT_MS));
    // Errors while the connection is being closed are ignored.
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ number: number; version: string; encoding: string }>(
      `select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
         current_setting('server_encoding') as encoding`,
    );
    const [server] = rows;
    if (server && server.number < VERSION_MIN * 10_000)
      throw new CommandFailed(
        `the database of DATABASE_URL is PostgreSQL ${server.version}; malote needs ${VERSION_MIN} or newer`,
      );
    // Names are compared without accents, which PostgreSQL can do in no other encoding.
    if (server && server.encoding !== 'UTF8')
      throw new CommandFailed(
        `the database of DATABASE_URL has the encoding ${server.encoding}; malote needs UTF8: ` +
          `create database malote encoding 'UTF8' template template0`,
      );
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(databaseTrouble(databaseUrl, error), { cause: error });
  } finally {
    await client?.end().catch(() => {});
  }
}

async function bringUpToDate(connection: ClientConfig): Promise<Migrated> {
  try {
    const migrated = await migrate(connection);
    await migrateJobs(connection);
    return migrated;
  } catch (error) {
    if (!isRightMissing(error)) throw new CommandFailed(messageOf(error), { cause: error });
    throw new CommandFailed(
      `the database user may not change the schema, and it must change: run "malote migrate" once with ` +
        `a DATABASE_URL of the schema's owner (${messageOf(error)})`,
      { cause: error },
    );
  }
}

/** For short commands; they also work beside a running service. */
export async function withStore(work: (store: Store, config: Config) => Promise<number>): Promise<number> {
  const config = readConfig(process.env);
  // Results go to stdout; only problems are logged.
  const log = openLog({ logLevel: config.logLevel ?? 'warn' });
  await using store = await openStore(config, log, { beside: true });
  return await work(store, config);
}

/**
 * For short commands about stored data. In a wrong data folder a database would be created and found empty, and an
 * empty backup would look like a good one.
 */
export async function withExistingStore(
  work: (store: Store, config: Config) => Promise<number>,
): Promise<number> {
  const { databaseUrl, dataFolder } = readConfig(process.env);
  if (!databaseUrl && !hasEmbeddedDatabase(dataFolder))
    throw new CommandFailed(`the data folder ${dataFolder} has no database: set MALOTE_DATA or DATABASE_URL`);
  return withStore(work);
}

/** The embedded server alone, with whatever schema it has, for commands that must be its only user. */
export async function withEmbedded(
  work: (connection: ClientConfig, config: Config) => Promise<number>,
): Promise<number> {
  const config = readConfig(process.env);
  await using opening = new AsyncDisposableStack();
  const log = openLog({ logLevel: config.logLevel ?? 'warn' });
  return await work(await embedded(config.dataFolder, log, { beside: false }, opening), config);
}

/** One line that explains why a database cannot be used, with its address but without the password. */
function databaseTrouble(databaseUrl: string, error: unknown): string {
  const { hostname, port, pathname, searchParams, username } = new URL(databaseUrl);
  const host = searchParams.get('host') || decoded(hostname) || 'localhost';
  // A path is the folder of a Unix socket.
  const place = `${host}${host.startsWith('/') ? '/.s.PGSQL.' : ':'}${searchParams.get('port') || port || 5432}`;
  const user = decoded(username);
  const code = isNoSocket(error) ? 'ECONNREFUSED' : codeOf(error);
  const reasons: Record<string, string> = {
    ECONNREFUSED: `no server listens at ${place}`,
    ENOTFOUND: `the host ${host} does not exist`,
    EAI_AGAIN: `the name ${host} cannot be resolved`,
    ETIMEDOUT: `${place} does not answer`,
    EHOSTUNREACH: `${place} cannot be reached`,
    ENETUNREACH: `${place} cannot be reached`,
    '57P03': `${place} is starting or stopping`,
    '28P01': `${place} refused the user "${user}": wrong name or password`,
    '28000': `${place} refused the user "${user}"`,
    '3D000': `${place} has no database "${decoded(pathname.slice(1))}"`,
    '53300': `${place} has no free connections`,
  };
  const reason = reasons[code] ?? `${place} answered: ${messageOf(error)}`;
  return `cannot use the database of DATABASE_URL: ${reason}`;
}

/** A percent sign that encodes nothing is shown unchanged, as `pg` reads it. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const PASSING = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  '57P03',
];

/** The server does not answer, or is starting: common while a machine boots. */
const isNotThereYet = (error: unknown): boolean => PASSING.includes(codeOf(error)) || isNoSocket(error);

/** Only for the socket: a file that a setting of the URL names may also be missing with ENOENT. */
const isNoSocket = (error: unknown): boolean =>
  error instanceof Error && 'syscall' in error && error.syscall === 'connect' && codeOf(error) === 'ENOENT';

/** The database user lacks a privilege; also found when the error is wrapped. */
const isRightMissing = (error: unknown): boolean => codeOf(error) === '42501';

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  // One attempt per address of the host: the first is enough.
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  if (error instanceof DatabaseError || 'code' in error) return String((error as { code?: unknown }).code);
  // Errors of `pg` itself have no codes.
  if (error.message === 'timeout expired') return 'ETIMEDOUT';
  if (error.message === 'Connection terminated unexpectedly') return 'ECONNRESET';
  return codeOf(error.cause);
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
}
