import { randomBytes } from 'node:crypto';
import { relative } from 'node:path';
import { after } from 'node:test';
import { Client } from 'pg';
import type { EmbeddedConnection } from '../../server/src/postgres/embedded.ts';
import { templates } from './testServer.ts';

interface Scope {
  after(cleanUp: () => Promise<void>): void;
}

/**
 * A database of one's own, migrated and empty or with the demonstration's identities, as the config of a `pg` client or pool. It is dropped at the end of
 * the scope: the given test, or else the whole test file.
 */
export async function testDatabase(
  scope: Scope = { after },
  content: keyof typeof templates = 'empty',
): Promise<EmbeddedConnection> {
  const server = testServerConnection();
  const name = `test_${randomBytes(8).toString('hex')}`;
  // Without fsync, copying files takes half the time of writing them through the log (20 ms against 40).
  await onServer(server, (client) =>
    client.query(`create database ${name} template ${templates[content]} strategy file_copy`),
  );
  scope.after(() => dropUnlessUsed(server, name));
  return { ...server, database: name };
}

/** The server that the test runner started for this run. */
function testServerConnection(): EmbeddedConnection {
  const text = process.env.MALOTE_TEST_PG;
  if (!text) {
    const file = relative(process.cwd(), process.argv[1] ?? 'path/of.test.ts');
    throw new Error(`this test needs the test runner's PostgreSQL: run "npm test -- ${file}"`);
  }
  return JSON.parse(text);
}

/** A pool that is still open would lose its sessions to a forced drop; the folder goes at the end of the run anyway. */
async function dropUnlessUsed(server: EmbeddedConnection, name: string): Promise<void> {
  await onServer(server, async (client) => {
    const sessions = await client.query('select 1 from pg_stat_activity where datname = $1', [name]);
    if (sessions.rowCount === 0) await client.query(`drop database ${name}`);
  });
}

async function onServer(
  server: EmbeddedConnection,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
