import pg from 'pg';
import { type Statement, send } from './batch.ts';
import { committing } from './databaseErrors.ts';
import type { Connect } from './transaction.ts';

/**
 * Sends a statement that commits by itself. Unlike `pool.query`, it keeps the connection when the server refuses the
 * statement: the connection works, and its prepared statements remain useful.
 */
export async function sendAlone(connect: Connect, statement: Statement): Promise<object[]> {
  const client = await connect([statement]);
  try {
    const [result] = await send(client, [statement]);
    client.release();
    return result!.rows;
  } catch (error) {
    await giveBack(client, error as Error);
    Error.captureStackTrace(error as Error);
    throw mayWrite(statement) ? committing(error) : error;
  }
}

/** Whether the statement may write. In doubt it may: the words may also occur in a statement that only reads. */
const mayWrite = ({ text }: Statement): boolean => /\b(insert|update|delete)\b/i.test(text);

/**
 * The server reports an error before it rolls back. It answers the empty statement after that, so when the caller
 * receives the error, the locks of the refused statement are released.
 */
async function giveBack(client: pg.PoolClient, error: Error): Promise<void> {
  const broken =
    error instanceof pg.DatabaseError
      ? await client.query('').then(
          () => undefined,
          (lost: Error) => lost,
        )
      : error;
  client.release(broken);
}
