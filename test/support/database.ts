import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after } from 'node:test';
import { hash } from '@node-rs/argon2';
import { Client } from 'pg';
import { makeDemo } from '../../server/simulation/demo/makeDemo.ts';
import { openDatabase } from '../../server/src/platform/postgres/database.ts';
import {
  type EmbeddedConnection,
  startEmbeddedPostgres,
} from '../../server/src/platform/postgres/embedded.ts';
import { migrate } from '../../server/src/platform/postgres/migrate.ts';
import { citusNodes, cloneCitusDatabase, closeCitusDatabase, createCitusDatabase } from './citus.ts';
import { testClock } from './clock.ts';

interface Scope {
  after(cleanUp: () => Promise<void>): void;
}

/**
 * A database for this scope only, migrated, and empty or with the demonstration's identities. Returns the config of a
 * `pg` client or pool. It is dropped at the end of the scope: the given test, or else the whole test file.
 */
export async function testDatabase(
  scope: Scope = { after },
  content: keyof typeof templates = 'empty',
): Promise<EmbeddedConnection> {
  const server = testServerConnection();
  // The name holds the process id, by which the databases of finished test files are found and dropped on a cluster.
  const name = `test_${process.pid}_${randomBytes(8).toString('hex')}`;
  const nodes = citusNodes();
  if (nodes) {
    await cloneCitusDatabase(nodes, templates[content], name);
    return { ...server, database: name };
  }
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

/**
 * A forced drop would end the sessions of a pool that is still open. The folder is removed at the end of the run
 * anyway.
 */
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

/**
 * The templates that tests clone: the schema alone, and the schema with the demonstration's identities at the tests'
 * start time.
 */
export const templates = { empty: 'malote_template', demo: 'malote_demo_template' } as const;

export interface TestServer {
  connection: EmbeddedConnection;
  stop(): Promise<void>;
}

/** A server for one test run, in a folder of its own, with the templates that tests clone. */
export async function startTestServer(): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'malote-test-'));
  // Nothing here has to survive a power loss.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    // Test databases live for seconds.
    autovacuum_naptime: '60s',
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

/** The same on a cluster of Citus. The run does not stop that cluster. */
export async function prepareCitus(): Promise<EmbeddedConnection> {
  const nodes = citusNodes()!;
  const [connection] = nodes;
  await createCitusDatabase(nodes, templates.empty);
  await migrate({ ...connection, database: templates.empty });
  await closeCitusDatabase(nodes, templates.empty);
  await cloneCitusDatabase(nodes, templates.empty, templates.demo);
  await fillDemo({ ...connection!, database: templates.demo });
  await closeCitusDatabase(nodes, templates.demo);
  return connection!;
}

/** A template without connections can be cloned at any time, also several times at once. */
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
  const isDistributed = citusNodes() !== undefined;
  const db = openDatabase({ connection, poolSize: 1, onError: () => undefined, isDistributed });
  await makeDemo({ db, clock: testClock() });
  // Every test file logs in, and some do after each move of their clock. The stored hash determines its own cost, so a
  // cheap one speeds up logins.
  await db`update users set password_hash = ${await hash('demo', { memoryCost: 8, timeCost: 1 })}`;
  await db.close();
}
