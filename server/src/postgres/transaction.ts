import type pg from 'pg';
import type { CommitAnnouncer } from './listen.ts';

export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

export interface Queryable {
  query(statement: Statement): Promise<pg.QueryResult>;
}

export interface Transaction extends Queryable {
  commit(): Promise<void>;
  /** Never fails: a connection on which it cannot be done is given up, and the server rolls back by itself. */
  rollback(): Promise<void>;
}

export async function beginOn(client: pg.PoolClient, announcer: CommitAnnouncer): Promise<Transaction> {
  announcer.begun(client);
  const transaction: Transaction = {
    query: (statement) => client.query(statement),
    async commit() {
      await client.query('commit');
      announcer.ended(client, true);
      client.release();
    },
    async rollback() {
      const broken = await client.query('rollback').then(
        () => undefined,
        (reason: Error) => reason,
      );
      announcer.ended(client, false);
      client.release(broken);
    },
  };
  try {
    await client.query('begin');
    return transaction;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

const SETTING = /^\s*set /;
const NOTHING = { rows: [], rowCount: null, command: 'SET', oid: 0, fields: [] } satisfies pg.QueryResult;

/**
 * Begins with the first statement, because that one decides on which connection. A setting of the transaction that
 * comes before it waits for it.
 */
export function beginLater(open: (first: Statement) => Promise<Transaction>): Transaction {
  let begun: Promise<Transaction> | undefined;
  const settings: Statement[] = [];
  const beginWith = async (first: Statement): Promise<Transaction> => {
    const transaction = await open(first);
    for (const setting of settings) await transaction.query(setting);
    return transaction;
  };
  return {
    async query(statement) {
      if (!begun && SETTING.test(statement.text)) {
        settings.push(statement);
        return NOTHING;
      }
      begun ??= beginWith(statement);
      return (await begun).query(statement);
    },
    commit: async () => (await begun)?.commit(),
    rollback: async () => (await begun?.catch(() => undefined))?.rollback(),
  };
}
