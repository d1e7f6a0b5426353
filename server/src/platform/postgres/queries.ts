import type { Statement } from './batch.ts';
import type { IdNoun } from './ids.ts';
import { prepare } from './sql.ts';

/** Where statements go. */
export interface Channel {
  query(statement: Statement): Promise<object[]>;
  /** Within a transaction nobody waits for the statement. */
  write(statement: Statement): Promise<void>;
}

type Template<Answer> = (strings: TemplateStringsArray, ...values: unknown[]) => Answer;

/**
 * SQL is written as a tagged template: tx.rows<Row>`select … where central_id = ${centralId}`. Values travel as
 * parameters, never as text; a value may be a piece of SQL, with values of its own (sql.ts). Each text becomes a named
 * prepared statement, which PostgreSQL parses once per connection (measured: twice the lookups of unnamed ones).
 */
export interface Queries {
  /** Columns come back in camelCase: `central_id` as `centralId`. */
  rows<Row extends object>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
  /** The first row. */
  row<Row extends object>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row | undefined>;
  /**
   * For a statement whose result is not needed. Within a transaction nobody waits for it, and its failure fails the
   * statements after it, and the commit.
   */
  write(strings: TemplateStringsArray, ...values: unknown[]): Promise<void>;
  /** With the names that the statement gives to its columns. */
  <Row extends object>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>;
}

export interface TxParts {
  readonly channel: Channel;
  /** Ids for new rows, ascending. They are used up even if the transaction does not commit; see ids.ts. */
  newIds(centralId: number, noun: IdNoun, count: number): Promise<number[]>;
  /** Sends a NOTIFY after the transaction has been committed. It is lost if the process dies in between. */
  notify(channel: string, payload: string): void;
  /** Whether centrals are distributed over nodes: a statement then concerns one central, or finds those with work. */
  readonly isDistributed: boolean;
}

export interface Tx extends Queries, TxParts {}

type Work<Result> = (tx: Tx) => Promise<Result>;

export interface DbParts extends TxParts {
  /**
   * Commits when the work returns, rolls back when it throws. A request that carries an Idempotency-Key
   * is marked as done, and answered, by this very transaction; see commitWithAnswer.ts. If a deadlock occurs in spite of
   * the order of locks, PostgreSQL ends one of the transactions and its work is repeated from the start. The work must
   * therefore have no effect outside the transaction.
   */
  begin<Result>(work: Work<Result>): Promise<Result>;
  /** A transaction separate from the request's own (a claim, a release): the request's answer is not stored with it. */
  beginIndependent<Result>(work: Work<Result>): Promise<Result>;
  /** Runs work that must follow a commit: at once, or when the request's transaction has ended (commitWithAnswer.ts). */
  afterCommit(work: () => Promise<void>): Promise<void>;
  /**
   * Runs work if the transaction is undone after `begin` has resolved, which happens only to a request with an
   * Idempotency-Key (commitWithAnswer.ts). Absent: what `begin` has resolved is committed.
   */
  afterRollback?(work: () => Promise<void>): void;
  /**
   * Identifies the request that is carried out with this database, where a repeated attempt must be recognised. Its
   * writes belong in `begin`, so that its answer is stored with them.
   */
  readonly request?: Buffer;
}

/** A statement outside of `begin` commits by itself, in one message; after a deadlock it is sent again. */
export interface Db extends Queries, DbParts {
  /** This database with some parts replaced. */
  with(changes: Partial<DbParts>): Db;
}

export const makeTx = (parts: TxParts): Tx => Object.assign(queriesOn(parts.channel), parts);

export const makeDb = (parts: DbParts): Db =>
  Object.assign(queriesOn(parts.channel), parts, {
    with: (changes: Partial<DbParts>) => makeDb({ ...parts, ...changes }),
  });

function queriesOn({ query, write }: Channel): Queries {
  const rows: Template<Promise<object[]>> = (strings, ...values) =>
    query({ ...prepare(strings, values), isCamelCase: true });
  const plain: Template<Promise<object[]>> = (strings, ...values) => query(prepare(strings, values));
  return Object.assign(plain, {
    rows,
    row: async (strings: TemplateStringsArray, ...values: unknown[]) => (await rows(strings, ...values))[0],
    write: (strings: TemplateStringsArray, ...values: unknown[]) => write(prepare(strings, values)),
  }) as Queries;
}

/** Lets commands run inside a transaction that is already open: all of them take effect together, or none does. */
export function withinTransaction(tx: Tx): Db {
  const { channel, newIds, notify, isDistributed } = tx;
  const begin = <Result>(work: Work<Result>) => work(inner);
  const inner: Db = makeDb({
    ...{ channel, newIds, notify, isDistributed },
    ...{ begin, beginIndependent: begin },
    // The caller that opened the transaction commits it, so the work runs at once.
    afterCommit: (work) => work(),
  });
  return inner;
}
