import type pg from 'pg';
import { type Statement, send, tracedHere } from './batch.ts';
import { committing } from './databaseErrors.ts';
import type { CommitAnnouncer } from './listen.ts';
import type { Channel } from './queries.ts';

/** Gives a connection for statements, the first of which may decide on the node. */
export type Connect = (statements: readonly Statement[]) => Promise<pg.PoolClient>;

export interface Transaction extends Channel {
  commit(): Promise<void>;
  /** Never fails: if it cannot be sent, the connection is discarded and the server rolls back by itself. */
  rollback(): Promise<void>;
}

interface Waiting {
  statement: Statement;
  answer?: PromiseWithResolvers<object[]>;
}

/**
 * PostgreSQL answers the commit of an aborted transaction with `ROLLBACK`, without an error. The work has then ignored
 * the failure of a statement, which is thrown now.
 */
function assertCommitted(tag: string, failure?: Error): void {
  if (tag !== 'COMMIT') throw failure ?? new Error('the transaction was rolled back at its commit');
}

const whileCommitting = <Answer>(committed: Promise<Answer>): Promise<Answer> =>
  committed.catch((error: unknown) => {
    throw committing(error);
  });

/** Commits a transaction that was begun with a plain statement. */
export async function commitOn(client: pg.ClientBase): Promise<void> {
  const { command } = await whileCommitting(client.query('commit'));
  assertCommitted(command);
}

const BEGIN: Statement = { name: 'begin', text: 'begin', values: [] };
const COMMIT: Statement = { name: 'commit', text: 'commit', values: [] };

/**
 * Opens a transaction. Statements that are made in one turn of the event loop are sent in one message, `begin` with the
 * first and `commit` with the last. Statements that are made while a message is under way are sent in the next one. A
 * transaction without a statement takes no connection.
 */
export function openTransaction(
  connect: Connect,
  announcer: Pick<CommitAnnouncer, 'begun' | 'ended'>,
): Transaction {
  let client: pg.PoolClient | undefined;
  let waiting: Waiting[] = [];
  let sending: Promise<void> | undefined;
  let tag = '';
  let failure: Error | undefined;

  const sendWaiting = async (): Promise<void> => {
    const message = waiting;
    waiting = [];
    const statements = message.map(({ statement }) => statement);
    try {
      if (failure) throw failure;
      if (!client) {
        client = await connect(statements);
        announcer.begun(client);
        statements.unshift(BEGIN);
      }
      const sent = send(client, statements);
      const results = await (statements.includes(COMMIT) ? whileCommitting(sent) : sent);
      tag = results.at(-1)!.tag;
      for (const [index, { answer }] of message.entries())
        answer?.resolve(results.at(index - message.length)!.rows);
    } catch (error) {
      failure ??= error as Error;
      for (const { answer } of message) answer?.reject(failure);
    }
  };
  const sendAll = async (): Promise<void> => {
    do {
      await afterMicrotasks();
      if (waiting.length > 0) await sendWaiting();
    } while (waiting.length > 0);
    sending = undefined;
  };
  const add = (one: Waiting): void => {
    waiting.push(one);
    sending ??= sendAll();
  };
  const query = (statement: Statement): Promise<object[]> => {
    const answer = Promise.withResolvers<object[]>();
    add({ statement, answer });
    return tracedHere(answer.promise);
  };

  return {
    query,
    write: async (statement) => add({ statement }),
    async commit() {
      // Without a connection, no statement was made, or the first message could not be sent.
      if (!client && !sending && !failure) return;
      await query(COMMIT);
      assertCommitted(tag, failure);
      announcer.ended(client!, true);
      client!.release();
    },
    async rollback() {
      waiting = [];
      await sending;
      if (!client) return;
      const broken = await rollBackOn(client);
      announcer.ended(client, false);
      client.release(broken);
    },
  };
}

/** Rolls back. Returns the error that makes the connection useless, if there is one. */
const rollBackOn = (client: pg.PoolClient): Promise<Error | undefined> =>
  client.query('rollback').then(
    () => undefined,
    (reason: Error) => reason,
  );

const afterMicrotasks = (): Promise<void> =>
  new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)));

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
