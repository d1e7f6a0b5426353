import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { allocateIds, type IdAllocator, type IdNoun } from './ids.ts';
import { announceCommits, type Listening, listenOn } from './listen.ts';
import { atNode, findPlaces, type NodePools, openNodePools } from './nodes.ts';
import { watchWrites } from './registerCache.ts';
import { queryAlone, queryAt } from './singleStatement.ts';
import { beginLater, beginOn, type Queryable, type Statement, type Transaction } from './transaction.ts';
import { openPool, silenceAfter } from './watchedConnection.ts';

/**
 * SQL is written as a tagged template: tx<Row>`select … where central_id = ${centralId}`.
 * Values travel as parameters, never as text. Each template becomes a named prepared statement, which
 * PostgreSQL parses once per connection (measured: twice the lookups of unnamed ones).
 */
export interface Tx {
  <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
  /** For statements composed of fragments; the text must not contain user input. */
  run<Row extends object>(text: string, values: unknown[]): Promise<Row[]>;
  /**
   * For a statement whose result is not needed. Within a transaction it is sent together with the next statement or
   * with the commit, before it, and its failure fails that one.
   */
  defer(text: TemplateStringsArray | string, ...values: unknown[]): Promise<void>;
  /** Ids for new rows, ascending. They are used up even if the transaction does not commit; see ids.ts. */
  newIds(centralId: number, noun: IdNoun, count: number): Promise<number[]>;
  /** Sends a NOTIFY after the transaction has been committed. It is lost if the process dies in between. */
  notify(channel: string, payload: string): void;
  /** Whether centrals are distributed over nodes: a statement then concerns one central, or finds those with work. */
  readonly isDistributed: boolean;
  /** Where a statement that commits by itself may be batched with those of other callers (batchLookups.ts). */
  readonly sharedWith?: Tx;
}

export interface Db extends Tx {
  /**
   * Commits when the work returns, rolls back when it throws. A request that carries an Idempotency-Key
   * is marked as done, and answered, by this very transaction; see settleRequest.ts. If a deadlock occurs in spite of
   * the order of locks, PostgreSQL ends one of the transactions and its work is repeated from the start. The work must
   * therefore have no effect outside the transaction.
   */
  begin<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * The same for work that is one statement, which commits by itself and saves two round trips. For a request with an
   * Idempotency-Key a transaction is begun and committed around it. A second statement is refused.
   */
  beginOne<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** A transaction separate from the request's own (a claim, a release): it never settles a request. */
  beginIndependent<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs work that must follow a commit: at once, or when the request's transaction has ended (settleRequest.ts). */
  afterCommit(work: () => Promise<void>): Promise<void>;
  /** Identifies the request that is carried out with this database, where a repeated attempt must be recognised. */
  readonly request?: Buffer;
}

export interface Database extends Db {
  /** Calls `onMessage` for every NOTIFY, and `onLost` when the connection broke and messages may have been missed. */
  listen(channel: string, onMessage: (payload: string) => void, onLost: () => void): Promise<Listening>;
  readonly pool: pg.Pool;
  /** The same database for background work, with time limits of minutes. */
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
  const ids = allocateIds(idPool);
  const announcer = announceCommits(pool, onError);
  const hear = (each: pg.Pool): pg.Pool =>
    each.on('connect', announcer.hear).on('release', (_error, client) => announcer.released(client));
  hear(pool);
  hear(unhurriedPool);
  const writes = watchWrites(pool);
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
    const beginTransaction = async (): Promise<Transaction> =>
      at
        ? beginLater(async (first) => beginOn(await at.connect(first), announcer))
        : beginOn(await from.connect(), announcer);
    const beginOnce = async <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> => {
      const messages: [channel: string, payload: string][] = [];
      const transaction = await beginTransaction();
      let result: Result;
      try {
        const notify: Tx['notify'] = (...message) => void messages.push(message);
        result = await work(bind(transaction, ids, { notify, isDistributed }));
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
    const outside = { notify: announcer.announce, isDistributed };
    const single: Queryable = {
      query: (statement) => (at ? queryAt(at, statement) : queryAlone(from, statement)),
    };
    const sharedWith = bind(single, ids, outside, note);
    return Object.assign(bind(single, ids, outside, note), {
      begin,
      beginOne: <Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> =>
        retryDeadlocks(() => work(Object.assign(bind(onlyOnce(single), ids, outside, note), { sharedWith }))),
      beginIndependent: begin,
      afterCommit: (work: () => Promise<void>) => work(),
    });
  };

  return Object.assign(bindPool(pool, nodes), {
    pool,
    unhurried: bindPool(unhurriedPool, unhurriedNodes),
    canWrite: writes.canWrite,
    listen: (channel: string, onMessage: (payload: string) => void, onLost: () => void) =>
      listenOn({ ...connection, types }, channel, onMessage, onLost),
    announced: announcer.announced,
    async close() {
      await announcer.announced();
      closing = true;
      await Promise.all([pool.end(), unhurriedPool.end(), nodes?.end(), unhurriedNodes?.end()]);
      const idsGivenBack = ids
        .giveBack()
        .catch(() => undefined)
        .then(() => idPool.end());
      await Promise.race([idsGivenBack, sleep(GIVING_BACK_MS, undefined, { ref: false })]);
    },
  });
}

const DEADLOCK_ATTEMPTS_MAX = 3;

async function retryDeadlocks<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!isDeadlock(error) || attempts === DEADLOCK_ATTEMPTS_MAX) throw error;
    }
  }
}

/** Each statement commits by itself, so a second one is refused. */
function onlyOnce(client: Queryable): Queryable {
  let isUsed = false;
  return {
    query(statement) {
      if (isUsed) throw new Error('a transaction of one statement was given a second one');
      isUsed = true;
      return client.query(statement);
    },
  };
}

function bind(
  channel: Queryable,
  { newIds }: IdAllocator,
  { notify, isDistributed }: Pick<Tx, 'notify' | 'isDistributed'>,
  onError: (error: unknown) => void = () => undefined,
): Tx {
  const statement = (text: string, values: unknown[]): Statement => ({
    name: statementName(text),
    text,
    values: values.map(toParameter),
  });
  const run = async <Row extends object>(text: string, values: unknown[]): Promise<Row[]> => {
    try {
      const result = await channel.query(statement(text, values));
      return result.rows as Row[];
    } catch (error) {
      onError(error);
      throw error;
    }
  };
  const defer = async (given: TemplateStringsArray | string, ...values: unknown[]): Promise<void> => {
    const text = typeof given === 'string' ? given : textOf(given);
    if (channel.defer) channel.defer(statement(text, values));
    else await run(text, values);
  };
  return Object.assign(
    <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]) =>
      run<Row>(textOf(strings), values),
    { run, defer, newIds, notify, isDistributed },
  );
}

const texts = new WeakMap<TemplateStringsArray, string>();

function textOf(strings: TemplateStringsArray): string {
  const known = texts.get(strings);
  if (known !== undefined) return known;
  const text = strings.reduce((sql, part, index) => `${sql}$${index}${part}`);
  texts.set(strings, text);
  return text;
}

const names = new Map<string, string>();

/** The name is a digest of the text, because PostgreSQL truncates names at 63 bytes. */
function statementName(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('hex').slice(0, 32);
    names.set(text, name);
  }
  return name;
}

const toParameter = (value: unknown): unknown =>
  value instanceof Temporal.Instant ? value.toString() : value;

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** bigint as a number (ids and cents stay below 2^53), instants as Temporal; numeric stays exact text. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === INT8) return toSafeInteger;
    if (oid === TIMESTAMPTZ) return (text: string) => Temporal.Instant.from(text);
    return pg.types.getTypeParser(oid, format as 'text');
  }) as pg.CustomTypesConfig['getTypeParser'],
};

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a safe integer`);
  return value;
}

const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01';

/**
 * Lets commands run inside a transaction that is already open: all of them take effect together, or none does.
 * One connection carries one statement at a time, so statements wait for their turn.
 */
export function withinTransaction(tx: Tx): Db {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  const begin = <Result>(work: (inner: Tx) => Promise<Result>) => work(inner);
  const inner: Db = Object.assign(
    <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]) =>
      inTurn(() => tx<Row>(strings, ...values)),
    {
      run: <Row extends object>(text: string, values: unknown[]) => inTurn(() => tx.run<Row>(text, values)),
      defer: (text: TemplateStringsArray | string, ...values: unknown[]) =>
        inTurn(() => tx.defer(text, ...values)),
      newIds: tx.newIds,
      notify: tx.notify,
      isDistributed: tx.isDistributed,
      begin,
      beginOne: begin,
      beginIndependent: begin,
      // The caller that opened the transaction commits it, so the work runs at once.
      afterCommit: (work: () => Promise<void>) => work(),
    },
  );
  return inner;
}

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
