import pg from 'pg';
import type { NodePools } from './nodes.ts';
import { queryOf, type Statement, submitAlone, tracedHere } from './statementGroup.ts';

/**
 * Sends a statement that commits by itself. Unlike `pool.query`, it keeps the connection when the server refuses the
 * statement: the connection works, and its prepared statements remain useful.
 */
export const queryAlone = (pool: pg.Pool, statement: Statement): Promise<pg.QueryResult> =>
  tracedHere(
    new Promise((resolve, reject) => {
      pool.connect((failure, client) =>
        client ? resolve(queryOn(client, statement)) : reject(failure as Error),
      );
    }),
  );

/** The same on the node of the central that the statement is about. */
export const queryAt = (nodes: NodePools, statement: Statement): Promise<pg.QueryResult> =>
  tracedHere(nodes.connect(statement).then((client) => queryOn(client, statement)));

function queryOn(client: pg.PoolClient, statement: Statement): Promise<pg.QueryResult> {
  return new Promise((resolve, reject) => {
    const query = queryOf(statement, (error, result) => {
      if (error) return void giveBack(client, error).then(() => reject(error));
      client.release();
      resolve(result);
    });
    submitAlone(client, query);
  });
}

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
