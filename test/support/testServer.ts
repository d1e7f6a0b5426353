import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { type EmbeddedConnection, startEmbeddedPostgres } from '../../server/src/postgres/embedded.ts';
import { migrate } from '../../server/src/postgres/migrate.ts';

export const TEMPLATE_DATABASE = 'malote_template';

export interface TestServer {
  connection: EmbeddedConnection;
  stop(): Promise<void>;
}

/** A server for one run of the tests, in a folder of its own, with the migrated template that tests clone. */
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
      await createTemplate(server.connection);
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
async function createTemplate(connection: EmbeddedConnection): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE_DATABASE}`);
    await migrate({ ...connection, database: TEMPLATE_DATABASE });
    await client.query(`alter database ${TEMPLATE_DATABASE} allow_connections false`);
  } finally {
    await client.end();
  }
}
