import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ClientConfig, DatabaseError } from 'pg';
import { programFile } from '../kernel/programFiles.ts';
import type { Tx } from './database.ts';
import { createTable, type Distribution, distributeTables, findCitus } from './distribute.ts';
import { sqlStatements } from './sqlStatements.ts';
import { commitOn } from './transaction.ts';
import { WatchedClient, watched } from './watchedConnection.ts';

const MIGRATIONS_FOLDER = fileURLToPath(programFile('migrations'));

// An arbitrary number that no other advisory lock uses.
const MIGRATION_LOCK = 7_462_551;
const LOCK_PAUSE_MS = 250;
const LOCK_ANSWER_MS = 30_000;
/** Long enough to change a large table; after this time a silent connection counts as lost. */
const STATEMENT_MS = 3_600_000;

/**
 * While a statement waits for the lock of a table, later statements wait behind it. So it gives up soon, lets the
 * others pass and tries again.
 */
const LOCK_WAIT_SECONDS = 3;
const LOCK_RETRY_PAUSE_MS = 1_000;
const LOCK_ATTEMPTS_MAX = 60;

/** The first line of a file whose statements run without a transaction, as `create index concurrently` must. */
const NO_TRANSACTION = /^-- no transaction\b/;
const CREATE_TABLE = /^create table\b/i;

/** One of these was applied by every version before the first release, whose migrations the present ones replace. */
const UNRELEASED_MIGRATIONS = ['0003_deliveries.sql', '0004_requests.sql'];

export interface Migrated {
  /** The names of the files that were applied. */
  applied: string[];
  /** Tables that were distributed. Undefined: the database has no Citus. */
  distribution: Distribution | undefined;
}

/**
 * Brings the schema up to date, and distributes new tables where Citus is installed. Files run in the order of their
 * names, each in its own transaction unless its first line is "-- no transaction", forward only. Processes that start
 * together take turns, so each file runs once. Before anything is applied, a database is refused if its history is not
 * the beginning of these files: an applied file that has since been edited describes a schema that exists nowhere.
 * With `upTo`, later files are not applied.
 */
export async function migrate(
  connection: ClientConfig,
  folder: string = MIGRATIONS_FOLDER,
  upTo?: string,
): Promise<Migrated> {
  const client = new WatchedClient(watched(connection, STATEMENT_MS));
  // A broken connection fails its statement too. Without a listener the error would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await takeTurn(client);
    const citus = await findCitus(client);
    return {
      applied: await applyPending(client, folder, citus === 'in use', upTo),
      distribution: citus && (await distributeTables(client)),
    };
  } finally {
    await client.end();
  }
}

/** Polls instead of waiting in the server, so that a lost connection is noticed. */
async function takeTurn(client: WatchedClient): Promise<void> {
  for (;;) {
    const { rows } = await client.queryWithin<{ taken: boolean }>(
      LOCK_ANSWER_MS,
      'select pg_try_advisory_lock($1) as taken',
      [MIGRATION_LOCK],
    );
    if (rows[0]?.taken) return;
    await sleep(LOCK_PAUSE_MS);
  }
}

/** Whether all migrations of this version are applied. The schema may be newer. */
export async function isMigrated(tx: Tx): Promise<boolean> {
  const rows = await tx.rows<{ name: string }>`select name from migrations`;
  const applied = new Set(rows.map(({ name }) => name));
  return (await migrationNames(MIGRATIONS_FOLDER)).every((name) => applied.has(name));
}

/** Whether a database with these migrations was made by a version before the first release. */
export const areUnreleased = (names: readonly string[]): boolean =>
  UNRELEASED_MIGRATIONS.some((name) => names.includes(name));

async function applyPending(
  client: WatchedClient,
  folder: string,
  isDistributed: boolean,
  upTo?: string,
): Promise<string[]> {
  await createLogOnce(client);
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from migrations',
  );
  const sums = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  if (areUnreleased([...sums.keys()]))
    throw new Error(
      'this database was made by a version of Malote before its first release and cannot be upgraded: ' +
        'use a new, empty database (DATABASE_URL) or another data folder (MALOTE_DATA), and remove the old one',
    );
  const files = await Promise.all(
    (await migrationNames(folder)).map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
  const edited = files.find(({ name, sha256 }) => sums.has(name) && sums.get(name) !== sha256);
  if (edited)
    throw new Error(
      `migration ${edited.name} was changed after it had been applied: restore it and write a new one, or use a new database`,
    );
  const pending = files.filter(({ name }) => !sums.has(name) && (upTo === undefined || name <= upTo));
  for (const { name, sql, sha256 } of pending) {
    await apply(client, name, sql, sha256, isDistributed);
    // A later file may add foreign keys from distributed tables to the new ones.
    if (isDistributed) await distributeTables(client);
  }
  return pending.map(({ name }) => name);
}

/** Checks first, so that a user without the right to create tables can use a schema that is up to date. */
async function createLogOnce(client: WatchedClient): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('migrations') is not null as exists`,
  );
  if (rows[0]?.exists) return;
  await client.query(`
    create table migrations (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    );
    comment on table migrations is 'The migrations that were applied. Written by server/src/platform/postgres/migrate.ts.';
    comment on column migrations.sha256 is 'Digest of the file: one that was edited afterwards is refused.'`);
}

async function migrationNames(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const odd = names.find((name) => !/^\d{4}_\w+\.sql$/.test(name));
  if (odd) throw new Error(`migration ${odd} must be named like 0001_what_it_does.sql`);
  return names;
}

async function apply(
  client: WatchedClient,
  name: string,
  sql: string,
  sha256: string,
  isDistributed: boolean,
): Promise<void> {
  const log = () => client.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256]);
  let sent = sql;
  try {
    const sendEach = async (): Promise<void> => {
      for (const { text, line } of sqlStatements(sql)) {
        // Empty lines are prepended, so that the position of an error is a line of the file.
        sent = '\n'.repeat(line - 1) + text;
        await (isDistributed && CREATE_TABLE.test(text) ? createTable(client, sent) : client.query(sent));
      }
    };
    if (NO_TRANSACTION.test(sql)) {
      await sendEach();
      await log();
    } else {
      await applyInTransaction(client, isDistributed ? sendEach : () => client.query(sql), log);
    }
  } catch (error) {
    throw new Error(
      `migration ${name}${lineOf(error, sent)} failed: ${error instanceof Error ? error.message : error}`,
      { cause: error },
    );
  }
}

async function applyInTransaction(
  client: WatchedClient,
  send: () => Promise<unknown>,
  log: () => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query('begin');
      await client.query(`set local lock_timeout = '${LOCK_WAIT_SECONDS}s'`);
      await send();
      await log();
      await commitOn(client);
      return;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      if (!isLockNotAvailable(error) || attempt === LOCK_ATTEMPTS_MAX) throw error;
      await sleep(LOCK_RETRY_PAUSE_MS);
    }
  }
}

const isLockNotAvailable = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === '55P03';

function lineOf(error: unknown, sql: string): string {
  const position = error instanceof DatabaseError ? Number(error.position) : Number.NaN;
  return position > 0 ? `, line ${sql.slice(0, position).split('\n').length},` : '';
}
