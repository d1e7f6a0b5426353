import type { FastifyBaseLogger } from 'fastify';
import { Logger as JobLogger, type LogLevel, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import type { Needs } from '../postgres/needs.ts';
import { tidyUp } from './tidyUp.ts';

/** Everything that is due by the clock and lives in no table of its own. The first column is the minute. */
const CRONTAB = '17 * * * * tidyUp ?jobKey=tidyUp&jobKeyMode=replace&max=3\n';

const CONNECTIONS_MAX = 3;

export interface JobNeeds extends Needs {
  connection: pg.ClientConfig;
  log: FastifyBaseLogger;
}

export interface RunningJobs {
  /** Waits for the job that is running. */
  stop(): Promise<void>;
}

/**
 * Runs jobs with graphile-worker, which keeps its queue in PostgreSQL: of several processes one takes each job,
 * and what fails is tried again. It has connections of its own, because it wants `pg`'s usual types.
 */
export async function startJobs({ connection, log, db, clock }: JobNeeds): Promise<RunningJobs> {
  const pool = jobPool(connection, log);
  try {
    const runner = await run({
      pgPool: pool,
      schema: SCHEMA,
      taskList: {
        tidyUp: async () => {
          const counts = await tidyUp({ db, clock });
          log.info(counts, 'tidied up');
        },
      },
      crontab: CRONTAB,
      concurrency: 1,
      noHandleSignals: true,
      logger: jobLogger(log),
    });
    // Without this a lost runner would take the process down as an unhandled rejection.
    runner.promise.catch((err: unknown) => log.error({ err }, 'the job runner ended'));
    return {
      async stop() {
        await runner.stop().catch(() => {});
        await pool.end();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** The queue's own tables; nothing happens where they are up to date. */
export async function migrateJobs(connection: pg.ClientConfig): Promise<void> {
  const pool = jobPool(connection);
  try {
    await runMigrations({ pgPool: pool, schema: SCHEMA, logger: jobLogger() });
    await openToGrantees(pool);
  } finally {
    await pool.end();
  }
}

const SCHEMA = 'graphile_worker';

/** The queue's tables admit only their owner, whatever is granted; a service may run as a user that owns nothing. */
async function openToGrantees(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    'select oid::regclass as name from pg_class where relnamespace = $1::regnamespace and relrowsecurity',
    [SCHEMA],
  );
  for (const { name } of rows) await pool.query(`alter table ${name} disable row level security`);
}

function jobPool(connection: pg.ClientConfig, log?: FastifyBaseLogger): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: CONNECTIONS_MAX, application_name: 'malote jobs' });
  const onError = (err: Error) => log?.warn({ err }, 'a connection of the job runner was lost');
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** Its chatter about every job is for debugging; what went wrong is for everybody. */
const jobLogger = (log?: FastifyBaseLogger): JobLogger =>
  new JobLogger(() => (level: LogLevel, message: string) => {
    if (level === 'error') log?.error(message);
    else if (level === 'warning') log?.warn(message);
    else log?.debug(message);
  });
