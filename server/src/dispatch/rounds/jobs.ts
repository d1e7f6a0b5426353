import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import {
  Logger as JobLogger,
  type LogLevel,
  type Runner,
  run,
  runMigrations,
  type WorkerEvents,
} from 'graphile-worker';
import type pg from 'pg';
import { removeExpiredPersonalData } from '../../insight/privacy/removeExpired.ts';
import { deleteWipedSandboxes } from '../../insight/sandbox/deleteWiped.ts';
import { takeBackupInTurn } from '../../platform/backup/takeBackup.ts';
import type { SecretBox } from '../../platform/kernel/secretBox.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Deps } from '../../platform/postgres/deps.ts';
import { openPool, silenceAfter } from '../../platform/postgres/watchedConnection.ts';
import { encryptSecrets } from './encryptSecrets.ts';
import { tidyUp } from './tidyUp.ts';

/** All scheduled jobs. The first column is the minute of the hour. */
const CRONTAB = [
  '17 * * * * tidyUp ?jobKey=tidyUp&jobKeyMode=replace',
  '27 * * * * encryptSecrets ?jobKey=encryptSecrets&jobKeyMode=replace',
  '37 * * * * removePersonalData ?jobKey=removePersonalData&jobKeyMode=replace',
  '* * * * * deleteWipedSandboxes ?jobKey=deleteWipedSandboxes&jobKeyMode=replace',
].join('\n');

/** At night in Brazil. A machine that was off at that time takes its backup when it runs again. */
const BACKUP_CRONTAB = '47 6 * * * takeBackup ?jobKey=takeBackup&jobKeyMode=replace&fill=23h';

const CONNECTIONS_MAX = 3;
const QUEUE_STATEMENT_MS = 15_000;
const MIGRATION_STATEMENT_MS = 600_000;

export interface JobDeps extends Deps {
  db: Database;
  secrets: SecretBox;
  connection: pg.ClientConfig;
  log: FastifyBaseLogger;
  /** Daily backups of the embedded database. */
  backups?: { kept: number; folder: string } | undefined;
}

export interface RunningJobs {
  /** Waits for the job that is running. */
  stop(): Promise<void>;
}

/**
 * Runs jobs with graphile-worker, which keeps its queue in PostgreSQL: one of several processes takes each job, and
 * failed jobs are retried. It has separate connections, because it needs the default types of `pg`.
 *
 * A runner that cannot store the result of a job, because the database is gone, ends and is replaced.
 */
export async function startJobs(deps: JobDeps): Promise<RunningJobs> {
  const { connection, log } = deps;
  const restoreTrace = silenceRunner();
  const pool = jobPool(connection, QUEUE_STATEMENT_MS, log);
  const unheard = giveBackUnheard(pool);
  const stopping = new AbortController();
  let runner: Runner;
  try {
    runner = await startRunner(deps, pool, unheard.events);
  } catch (error) {
    restoreTrace();
    await pool.end();
    throw error;
  }

  const keepRunning = async (): Promise<void> => {
    for (;;) {
      // Without this a lost runner would end the process by an unhandled rejection.
      await runner.promise.catch((err: unknown) => log.error({ err }, 'the job runner ended'));
      unheard.runnerEnded();
      do await pause(RESTART_MS, stopping.signal);
      while (!stopping.signal.aborted && !(await replaceRunner()));
      if (stopping.signal.aborted) return;
    }
  };
  const replaceRunner = async (): Promise<boolean> => {
    try {
      runner = await startRunner(deps, pool, unheard.events);
      return true;
    } catch (err) {
      log.warn({ err }, 'the job runner cannot start yet');
      return false;
    }
  };
  const running = keepRunning();

  const end = async (): Promise<void> => {
    await runner.stop().catch(() => {});
    await running;
    // A new runner may have been started meanwhile.
    await runner.stop().catch(() => {});
    await pool.end();
  };
  return {
    async stop() {
      stopping.abort();
      // A runner may wait for a lost database longer than the time limit of a stop.
      await Promise.race([end(), sleep(ENDING_MS, undefined, { ref: false })]);
      restoreTrace();
    },
  };
}

const RUNNER_FILE = /[\\/]graphile-worker[\\/]/;

/**
 * graphile-worker prints the error of a worker that ends with `console.trace`, past the logger, and errors may quote
 * data. Other callers of `console.trace` are not affected. Returns a function that restores it.
 */
function silenceRunner(): () => void {
  const { trace } = console;
  const silenced = (...given: unknown[]): void => {
    if (!RUNNER_FILE.test(new Error().stack ?? '')) trace.apply(console, given);
  };
  console.trace = silenced;
  return () => {
    if (console.trace === silenced) console.trace = trace;
  };
}

const RESTART_MS = 1_000;
const ENDING_MS = 5_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);

/**
 * When a connection is lost, the queue may assign a job, or record its end, without the runner learning of it. The
 * queue reserves such a job for the runner for four hours. Here it is given back as soon as the queue answers again and
 * has no other job. A job may then run a second time, which all jobs allow.
 */
function giveBackUnheard(pool: pg.Pool): { events: WorkerEvents; runnerEnded(): void } {
  const events: WorkerEvents = new EventEmitter();
  const suspects = new Set<string>();
  let current = '';
  const suspectCurrent = () => void suspects.add(current);
  events.on('pool:create', ({ workerPool }) => {
    current = workerPool.id;
  });
  // The runner retries such failures without reporting them.
  pool.on('connect', (client) => client.on('error', suspectCurrent));
  events.on('worker:getJob:empty', () => {
    if (suspects.size === 0) return;
    const ids = [...suspects];
    suspects.clear();
    pool.query(`select ${SCHEMA}.force_unlock_workers($1)`, [ids]).catch(() => {
      for (const id of ids) suspects.add(id);
    });
  });
  return { events, runnerEnded: suspectCurrent };
}

async function startRunner(deps: JobDeps, pool: pg.Pool, events: WorkerEvents): Promise<Runner> {
  const { log, db, clock, secrets, connection, backups } = deps;
  const runner = await run({
    pgPool: pool,
    schema: SCHEMA,
    taskList: {
      tidyUp: async () => {
        const counts = await tidyUp({ db: db.unhurried, clock });
        log.info(counts, 'tidied up');
      },
      encryptSecrets: async () => {
        const counts = await encryptSecrets({ db: db.unhurried, clock, secrets });
        if (Object.values(counts).some((count) => count > 0)) log.info(counts, 'encrypted stored secrets');
      },
      removePersonalData: async () => {
        const counts = await removeExpiredPersonalData({ db: db.unhurried, clock });
        log.info(counts, 'removed personal data whose time was over');
      },
      deleteWipedSandboxes: async () => {
        const rows = await deleteWipedSandboxes(db.unhurried);
        if (rows > 0) log.info({ rows }, 'deleted wiped sandboxes');
      },
      ...(backups && {
        takeBackup: async () => {
          const { path, bytes, rows } = await takeBackupInTurn({ connection, clock }, backups);
          log.info({ path, bytes, rows }, 'took a backup');
        },
      }),
    },
    crontab: [CRONTAB, ...(backups ? [BACKUP_CRONTAB] : []), ''].join('\n'),
    concurrency: 1,
    noHandleSignals: true,
    logger: jobLogger(log),
    events,
    // graphile-worker handles failures to store results only for batches; others would end the process.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
  // A new key encrypts stored secrets now, not at the next scheduled run.
  await runner
    .addJob('encryptSecrets', {}, { jobKey: 'encryptSecrets', jobKeyMode: 'replace' })
    .catch((err: unknown) => log.warn({ err }, 'stored secrets are encrypted later'));
  return runner;
}

/** Creates or updates the queue's own tables, if necessary. */
export async function migrateJobs(connection: pg.ClientConfig): Promise<void> {
  const pool = jobPool(connection, MIGRATION_STATEMENT_MS);
  try {
    await runMigrations({ pgPool: pool, schema: SCHEMA, logger: jobLogger() });
    await openToGrantees(pool);
  } finally {
    await pool.end();
  }
}

const SCHEMA = 'graphile_worker';

/** Row security limits the queue's tables to their owner. The service may run as another user with grants. */
async function openToGrantees(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'select oid::regclass as name from pg_class where relnamespace = $1::regnamespace and relrowsecurity',
    [SCHEMA],
  );
  for (const { name } of rows) await pool.query(`alter table ${name} disable row level security`);
}

function jobPool(connection: pg.ClientConfig, statementMs: number, log?: FastifyBaseLogger): pg.Pool {
  const pool = openPool(
    { ...connection, max: CONNECTIONS_MAX, application_name: 'malote jobs', statement_timeout: statementMs },
    silenceAfter(statementMs),
  );
  const onError = (err: Error) => log?.warn({ err }, 'a connection of the job runner was lost');
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/**
 * Messages about single jobs are logged at debug level, warnings and errors at their own level. Messages of
 * graphile-worker quote errors, which may contain personal data, so the error itself is logged by the usual serializer.
 */
export const jobLogger = (log?: FastifyBaseLogger): JobLogger =>
  new JobLogger(() => (level: LogLevel, message: string, meta?: Readonly<Record<string, unknown>>) => {
    const err = meta?.error;
    const task = (meta?.job as { task_identifier?: string } | undefined)?.task_identifier;
    const isTrouble = level === 'error' || level === 'warning';
    if (isTrouble && err !== undefined)
      log?.[level === 'error' ? 'error' : 'warn']({ err, task }, 'a job failed');
    else if (level === 'error') log?.error(withoutQuotes(message));
    else if (level === 'warning') log?.warn(withoutQuotes(message));
    else log?.debug(withoutQuotes(message));
  });

/** Removes quoted text and all lines after the first. */
const withoutQuotes = (message: string): string => message.split('\n', 1)[0]!.replace(/'.*'/g, "'…'");
