import type pg from 'pg';
import type { CommitAnnouncer } from './listen.ts';
import { type GroupedResult, type Statement, sendTogether, tracedHere } from './statementGroup.ts';

export type { Statement } from './statementGroup.ts';

/** Where statements go. */
export interface Queryable {
  query(statement: Statement): Promise<{ rows: object[] }>;
  /** Absent: deferred statements are sent at once. */
  defer?(statement: Statement): void;
}

export interface Transaction extends Queryable {
  /** Statements of the same turn of the event loop are sent together, in their order. */
  query(statement: Statement): Promise<{ rows: object[] }>;
  /** Sent with the next statement or with the commit, before it. */
  defer(statement: Statement): void;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

interface Waiting {
  statement: Statement;
  settle?: PromiseWithResolvers<GroupedResult>;
}

const BEGIN: Statement = { name: 'begin', text: 'begin', values: [] };
const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] };

/**
 * A transaction with as few round trips as possible: `begin` is sent with its first statement, and deferred statements
 * with the commit. A transaction without a statement sends nothing.
 */
export function openTransaction(client: pg.ClientBase): Transaction {
  let waiting: Waiting[] = [];
  let isBegun = false;
  let isFlushing = false;

  const flush = async (): Promise<void> => {
    isFlushing = false;
    const group = waiting;
    waiting = [];
    if (!isBegun) group.unshift({ statement: BEGIN });
    isBegun = true;
    try {
      const results = await sendTogether(
        client,
        group.map(({ statement }) => statement),
      );
      for (const [index, { settle }] of group.entries()) settle?.resolve(results[index]!);
    } catch (error) {
      for (const { settle } of group) settle?.reject(error);
    }
  };

  const query = (statement: Statement): Promise<GroupedResult> => {
    const settle = Promise.withResolvers<GroupedResult>();
    waiting.push({ statement, settle });
    if (!isFlushing) queueMicrotask(() => void flush());
    isFlushing = true;
    return tracedHere(settle.promise);
  };

  return {
    query,
    defer: (statement) => void waiting.push({ statement }),
    async commit() {
      if (isBegun || waiting.length > 0) await query(COMMIT);
    },
    async rollback() {
      waiting = [];
      if (isBegun) await client.query('rollback');
    },
  };
}

/** The same on a pooled connection, which is returned to the pool at the end. */
export function beginOn(client: pg.PoolClient, announcer: CommitAnnouncer): Transaction {
  announcer.begun(client);
  const transaction = openTransaction(client);
  return {
    ...transaction,
    async commit() {
      await transaction.commit();
      announcer.ended(client, true);
      client.release();
    },
    /** Never fails: if it cannot be sent, the connection is discarded and the server rolls back by itself. */
    async rollback() {
      const broken = await transaction.rollback().then(
        () => undefined,
        (reason: Error) => reason,
      );
      announcer.ended(client, false);
      client.release(broken);
    },
  };
}

const SETTING = /^\s*set /;

/**
 * Begins with the first statement, because it determines the connection. Settings of the transaction and deferred
 * statements that come before it wait for it.
 */
export function beginLater(open: (first: Statement) => Promise<Transaction>): Transaction {
  let begun: Promise<Transaction> | undefined;
  const early: Statement[] = [];
  const beginWith = async (first: Statement): Promise<Transaction> => {
    const transaction = await open(first);
    for (const statement of early) transaction.defer(statement);
    return transaction;
  };
  return {
    async query(statement) {
      if (!begun && SETTING.test(statement.text)) {
        early.push(statement);
        return { rows: [] };
      }
      begun ??= beginWith(statement);
      return (await begun).query(statement);
    },
    defer(statement) {
      if (!begun) early.push(statement);
      // Earlier statements that wait for the transaction to begin are sent before this one.
      else void begun.then((transaction) => transaction.defer(statement)).catch(() => undefined);
    },
    async commit() {
      const first = early.find(({ text }) => !SETTING.test(text));
      if (!begun && first) begun = beginWith(first);
      await (await begun)?.commit();
    },
    rollback: async () => (await begun?.catch(() => undefined))?.rollback(),
  };
}

/**
 * Returns the results of statements of one transaction that are made in the same turn of the event loop. They travel in
 * one message, and PostgreSQL runs them one after another in this order: each holds the locks and sees the effects of
 * those before it. If several refuse, the refusal of the first one is thrown, as if each had been awaited before the next.
 */
export async function inOrder<const Work extends readonly Promise<unknown>[]>(
  work: Work,
): Promise<{ -readonly [Index in keyof Work]: Awaited<Work[Index]> }> {
  const settled = await Promise.allSettled(work);
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
  return settled.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}
