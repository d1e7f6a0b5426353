import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { makeDemo } from '../../server/src/demo/makeDemo.ts';
import { openDatabase } from '../../server/src/postgres/database.ts';
import { type EmbeddedConnection, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { migrate } from '../../server/src/postgres/migrate.ts';
import { testClock } from './clock.ts';

/** What tests clone: the schema alone, and the schema with the demonstration's identities as of the tests' clock. */
export const templates = { empty: 'malote_template', demo: 'malote_demo_template' } as const;

export interface TestServer {
  connection: EmbeddedConnection;
  stop(): Promise<void>;
}

/** A server for one run of the tests, in a folder of its own, with the templates that tests clone. */
export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-test-'));
  // Nothing here has to survive a power cut.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
  };
  try {
    const server = await startEmbeddedPostgres({ folder, settings });
    const stop = async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await createTemplates(server.connection);
    } catch (error) {
      await stop();
      throw error;
    }
    return { connection: server.connection, stop };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A template that nobody can connect to can be cloned at any time, by several at once. */
async function createTemplates(connection: EmbeddedConnection): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    await client.query(`create database ${templates.empty}`);
    await migrate({ ...connection, database: templates.empty });
    await client.query(`create database ${templates.demo} template ${templates.empty}`);
    await fillDemo({ ...connection, database: templates.demo });
    for (const name of Object.values(templates))
      await client.query(`alter database ${name} allow_connections false`);
  } finally {
    await client.end();
  }
}

async function fillDemo(connection: EmbeddedConnection): Promise<void> {
  const db = openDatabase({ connection, poolSize: 1, onError: () => undefined });
  await makeDemo({ db, clock: testClock() });
  await db.close();
}
