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
import { forgetChanges } from '../audit/forgetChanges.ts';
import { takeBackupInTurn } from '../backup/takeBackup.ts';
import { deleteExpiredInvites, findCentralsWithExpiredInvites } from '../centrals/deviceStore.ts';
import { deleteExpiredSessions, findCentralsWithExpiredSessions } from '../centrals/sessionStore.ts';
import { forgetOldHelp } from '../drivers/askForHelp.ts';
import { forgetEvents } from '../events/forgetEvents.ts';
import { deleteExpiredClaims, findCentralsWithExpiredClaims } from '../grouping/claimStore.ts';
import { forgetOldKeys } from '../http/idempotency.ts';
import { countForEach, forEachIsolated } from '../kernel/rounds.ts';
import type { SecretBox } from '../kernel/secretBox.ts';
import type { Database } from '../postgres/database.ts';
import type { Deps } from '../postgres/deps.ts';
import { openPool, silenceAfter } from '../postgres/watchedConnection.ts';
import { removeExpiredPersonalData } from '../privacy/removeExpired.ts';
import { encryptLinkKeys } from '../proof/proofLinks.ts';
import { encryptPushKeys } from '../push/pushKeys.ts';
import { forgetWebhooks } from '../webhooks/webhookRounds.ts';
import { encryptStoredSecrets } from '../webhooks/webhookSecrets.ts';

/** All scheduled jobs. The first column is the minute of the hour. */
const CRONTAB = [
  '17 * * * * tidyUp ?jobKey=tidyUp&jobKeyMode=replace',
  '27 * * * * encryptSecrets ?jobKey=encryptSecrets&jobKeyMode=replace',
  '37 * * * * removePersonalData ?jobKey=removePersonalData&jobKeyMode=replace',
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
  // graphile-worker prints the error of a worker that ends to stderr, past the logger, and errors may quote data.
  console.trace = () => undefined;
  const pool = jobPool(connection, QUEUE_STATEMENT_MS, log);
  const unheard = giveBackUnheard(pool);
  const stopping = new AbortController();
  let runner: Runner;
  try {
    runner = await startRunner(deps, pool, unheard.events);
  } catch (error) {
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
    },
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

export interface EncryptedSecrets {
  webhooks: number;
  pushKeys: number;
  proofLinkKeys: number;
}

/**
 * Encrypts all stored secrets with the current key; afterwards no value needs an older key. A failure of one kind does
 * not prevent the others, and is thrown after them.
 */
export async function encryptSecrets(deps: Deps & { secrets: SecretBox }): Promise<EncryptedSecrets> {
  const encrypted: EncryptedSecrets = { webhooks: 0, pushKeys: 0, proofLinkKeys: 0 };
  const steps: (() => Promise<Partial<EncryptedSecrets>>)[] = [
    async () => ({ webhooks: await encryptStoredSecrets(deps) }),
    async () => ({ pushKeys: await encryptPushKeys(deps) }),
    async () => ({ proofLinkKeys: await encryptLinkKeys(deps) }),
  ];
  await forEachIsolated(steps, async (step) => Object.assign(encrypted, await step()));
  return encrypted;
}

export interface TidiedUp {
  keys: number;
  claims: number;
  sessions: number;
  events: number;
  positions: number;
  messages: number;
}

/**
 * Deletes expired records in small steps that block no other transaction. It can be repeated safely. A failed step does
 * not prevent the others; its error is thrown after them.
 */
export async function tidyUp({ db, clock }: Deps): Promise<TidiedUp> {
  const now = clock.now();
  const tidied: TidiedUp = { keys: 0, claims: 0, sessions: 0, events: 0, positions: 0, messages: 0 };
  const steps: (() => Promise<Partial<TidiedUp> | undefined>)[] = [
    async () => ({ keys: await forgetOldKeys({ db, clock }) }),
    async () => ({
      claims: await countForEach(await findCentralsWithExpiredClaims(db, now), (centralId) =>
        deleteExpiredClaims(db, centralId, now),
      ),
    }),
    async () => ({
      sessions: await countForEach(await findCentralsWithExpiredSessions(db, now), (centralId) =>
        deleteExpiredSessions(db, centralId, now),
      ),
    }),
    async () => {
      await forEachIsolated(await findCentralsWithExpiredInvites(db, now), (centralId) =>
        deleteExpiredInvites(db, centralId, now),
      );
      return undefined;
    },
    async () => void (await forgetOldHelp({ db, clock })),
    async () => void (await forgetChanges({ db, clock })),
    () => forgetEvents({ db, clock }),
    () => forgetWebhooks({ db }),
  ];
  await forEachIsolated(steps, async (step) => Object.assign(tidied, await step()));
  return tidied;
}
