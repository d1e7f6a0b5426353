import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Statement } from './batch.ts';
import { allocateIds } from './ids.ts';
import { announceCommits, type Listening, listenOn } from './listen.ts';
import { atNode, findPlaces, type NodePools, openNodePools } from './nodes.ts';
import { types } from './pgValues.ts';
import { type Db, makeDb, makeTx, type Tx } from './queries.ts';
import { sendAlone } from './singleStatement.ts';
import { type Connect, openTransaction } from './transaction.ts';
import { openPool, silenceAfter } from './watchedConnection.ts';
import { watchWrites } from './watchWrites.ts';

export type { Db, Tx } from './queries.ts';

export interface Database extends Db {
  /** Calls `onMessage` for every NOTIFY, and `onLost` when the connection broke and messages may have been missed. */
  listen(channel: string, onMessage: (payload: string) => void, onLost: () => void): Promise<Listening>;
  readonly pool: pg.Pool;
  /** A separate connection, which answers while all others are busy. It shows whether the server can be reached. */
  readonly probe: Tx;
  /** This database with time limits of minutes, for background work. */
  readonly unhurried: Db;
  /** False while the server cannot store data, because its disk is full for instance. May be called at any rate. */
  canWrite(): Promise<boolean>;
  /** Resolves once all commits so far have been announced to all processes; false if that failed. */
  announced(): Promise<boolean>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  connection: pg.PoolConfig;
  poolSize: number;
  onError: (error: Error) => void;
  /** The database has Citus and its tables are distributed; see nodes.ts. */
  isDistributed?: boolean;
}

/** How long the server works on a statement before it cancels it, and how long a transaction may be idle. */
interface Limits {
  statementMs: number;
  idleMs: number;
}

/** For requests, whose callers wait for the answer. Longer than the wait for a lock. */
const REQUEST_LIMITS: Limits = { statementMs: 15_000, idleMs: 20_000 };
const UNHURRIED_LIMITS: Limits = { statementMs: 600_000, idleMs: 60_000 };
const UNHURRIED_CONNECTIONS_MAX = 2;
/** Ids that cannot be given back within this time leave a gap. */
const GIVING_BACK_MS = 2_000;

export function openDatabase(options: DatabaseOptions): Database {
  const { connection, poolSize, onError, isDistributed = false } = options;
  let closing = false;
  const open = (to: pg.PoolConfig, size: number, { statementMs, idleMs }: Limits): pg.Pool => {
    const pool = openPool(
      {
        ...to,
        max: size,
        types,
        idleTimeoutMillis: 30_000,
        connectionTimeoutMillis: 10_000,
        // Time limits, so that one stuck transaction cannot block the others for ever.
        statement_timeout: statementMs,
        lock_timeout: 10_000,
        idle_in_transaction_session_timeout: idleMs,
        application_name: 'malote',
        options: '-c TimeZone=UTC -c client_min_messages=notice',
      },
      silenceAfter(statementMs),
    );
    // The pool replaces a connection that dies. Without a listener the error would end the process. Errors while
    // the database is being closed are expected.
    pool.on('connect', (client) => client.on('error', (error) => closing || onError(error)));
    // The pool reports connections that die while idle a second time.
    pool.on('error', () => undefined);
    return pool;
  };
  const pool = open(connection, poolSize, REQUEST_LIMITS);
  const unhurriedPool = open(connection, UNHURRIED_CONNECTIONS_MAX, UNHURRIED_LIMITS);
  const idPool = open(connection, 1, REQUEST_LIMITS);
  const probePool = open(connection, 1, REQUEST_LIMITS);
  const ids = allocateIds(idPool);
  const { newIds } = ids;
  const announcer = announceCommits(pool, onError);
  const hear = (each: pg.Pool): pg.Pool =>
    each.on('connect', announcer.hear).on('release', (_error, client) => announcer.released(client));
  hear(pool);
  hear(unhurriedPool);
  const writes = watchWrites(probePool);
  const places = isDistributed ? findPlaces(pool) : undefined;
  const nodesOf = (from: pg.Pool, size: number, limits: Limits): NodePools | undefined =>
    places && openNodePools(from, places, (node) => hear(open(atNode(connection, node), size, limits)));
  const nodes = nodesOf(pool, poolSize, REQUEST_LIMITS);
  const unhurriedNodes = nodesOf(unhurriedPool, UNHURRIED_CONNECTIONS_MAX, UNHURRIED_LIMITS);
  const note = (error: unknown): void => {
    writes.note(error);
    places?.note(error);
  };

  const bindPool = (from: pg.Pool, at: NodePools | undefined): Db => {
    const connect: Connect = at ? at.connect : () => from.connect();
    const beginOnce = async <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => {
      const messages: [channel: string, payload: string][] = [];
      const transaction = openTransaction(connect, announcer);
      let result: Result;
      try {
        const notify: Tx['notify'] = (...message) => void messages.push(message);
        result = await work(makeTx({ channel: transaction, newIds, notify, isDistributed }));
        await transaction.commit();
      } catch (error) {
        note(error);
        await transaction.rollback();
        throw error;
      }
      for (const message of messages) announcer.announce(...message);
      return result;
    };
    const begin = <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
      retryDeadlocks(() => beginOnce(work));
    const query = async (statement: Statement): Promise<object[]> => {
      try {
        return await retryDeadlocks(() => sendAlone(connect, statement));
      } catch (error) {
        note(error);
        throw error;
      }
    };
    return makeDb({
      channel: { query, write: async (statement) => void (await query(statement)) },
      ...{ newIds, notify: announcer.announce, isDistributed },
      begin,
      beginIndependent: begin,
      afterCommit: (work) => work(),
    });
  };

  return Object.assign(bindPool(pool, nodes), {
    pool,
    probe: bindPool(probePool, undefined),
    unhurried: bindPool(unhurriedPool, unhurriedNodes),
    canWrite: writes.canWrite,
    listen: (channel: string, onMessage: (payload: string) => void, onLost: () => void) =>
      listenOn({ ...connection, types }, channel, onMessage, onLost),
    announced: announcer.announced,
    async close() {
      await announcer.announced();
      closing = true;
      await Promise.all([
        pool.end(),
        probePool.end(),
        unhurriedPool.end(),
        nodes?.end(),
        unhurriedNodes?.end(),
      ]);
      const idsGivenBack = ids
        .giveBack()
        .catch(() => undefined)
        .then(() => idPool.end());
      await Promise.race([idsGivenBack, sleep(GIVING_BACK_MS, undefined, { ref: false })]);
    },
  });
}

const DEADLOCK_ATTEMPTS_MAX = 3;
const DEADLOCK_PAUSE_MS = 50;

/**
 * The pause lets the other transaction take the lock that this one has given up. Without it, on a busy machine, the
 * repeated attempt locked the row first and met the same transaction again.
 */
async function retryDeadlocks<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDeadlock(error) || attempts === DEADLOCK_ATTEMPTS_MAX) throw error;
    }
    await sleep((1 + Math.random()) * attempts * DEADLOCK_PAUSE_MS);
  }
}

const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01';

/** Rows deleted in one step. */
const STEP = 500;

/** Deletes in small steps, each in its own transaction, so that no other transaction waits long for a lock. */
export async function deleteInSteps(
  db: Db,
  deleteSome: (tx: Tx, limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await db.beginIndependent((tx) => deleteSome(tx, STEP));
    total += deleted;
    if (deleted < STEP) return total;
  }
}
