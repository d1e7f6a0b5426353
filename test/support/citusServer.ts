import { Client } from 'pg';
import { startCitus } from '../../scripts/startCitus.ts';
import { isTaken } from '../../server/src/platform/postgres/postmaster.ts';
import {
  ADDRESSES_VARIABLE,
  citusNodes,
  countStatements,
  createCitusDatabase,
  describeCounts,
  dropCitusDatabase,
} from './citus.ts';
import { prepareCitus, type TestServer, templates } from './database.ts';

const SWEEP_MS = 5_000;

/**
 * The cluster of MALOTE_CITUS, or one on this machine for this run, with the templates that tests clone. While tests
 * run, the databases of finished test files are dropped: each costs a process of Citus on each node.
 */
export async function startCitusServer(): Promise<TestServer> {
  const local = process.env[ADDRESSES_VARIABLE] ? undefined : await startCitus();
  if (local) process.env[ADDRESSES_VARIABLE] = local.addresses;
  const stop = async () => {
    clearInterval(sweeping);
    await reportCounts().catch((error: Error) =>
      console.log(`statements were not counted: ${error.message}`),
    );
    if (local) return local.stop();
    await dropDatabases((name) => isOurs(name));
  };
  const sweeping = setInterval(() => void dropDatabases(isOfEndedProcess).catch(() => {}), SWEEP_MS);
  try {
    if (!local) await dropDatabases((name) => isOurs(name));
    return { connection: await prepareCitus(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The counters of Citus, over all databases of the run. */
async function reportCounts(): Promise<void> {
  const nodes = citusNodes()!;
  const name = 'test_counters';
  await createCitusDatabase(nodes, name);
  console.log(describeCounts(await countStatements(nodes, name, 'all')));
  await dropCitusDatabase(nodes, name);
}

const isOurs = (name: string): boolean =>
  name.startsWith('test_') || Object.values<string>(templates).includes(name);

function isOfEndedProcess(name: string): boolean {
  const [, pid] = /^test_(\d+)_/.exec(name) ?? [];
  return pid !== undefined && !isTaken(Number(pid));
}

async function dropDatabases(isUnused: (name: string) => boolean): Promise<void> {
  const nodes = citusNodes()!;
  const client = new Client(nodes[0]);
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database');
    for (const { datname } of rows) if (isUnused(datname)) await dropCitusDatabase(nodes, datname);
  } finally {
    await client.end();
  }
}
