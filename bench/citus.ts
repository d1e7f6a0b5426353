import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import { startCitus } from '../scripts/startCitus.ts';
import { openDatabase } from '../server/src/platform/postgres/database.ts';
import { migrate } from '../server/src/platform/postgres/migrate.ts';
import {
  type CitusNode,
  countStatements,
  createCitusDatabase,
  describeCounts,
} from '../test/support/citus.ts';
import { databaseUrlOf } from '../test/support/maloteProcess.ts';
import { order } from '../test/support/orders.ts';
import { apiKeyOf, makeCentrals } from './httpData.ts';
import { compare, type LoadRequest, print } from './load.ts';
import { answers, basic, untilSignalled } from './service.ts';

const NAME = 'malote_bench';
const FIRST_PORT = 29_301;
const ROUNDS = 3;
const CONNECTIONS = 16;
/** The centrals are spread over both workers. */
const CENTRALS = 4;

interface Ground {
  name: string;
  url: string;
  nodes: CitusNode[];
  stop(): Promise<void>;
}

/**
 * Creations and look-ups on plain PostgreSQL, and on Citus with one and two workers. Everything runs on one machine, so
 * this shows the cost of distribution and not the gain from more machines.
 */
export async function run(args: string[]): Promise<void> {
  const seconds = args.includes('--quick') ? 3 : 8;
  const grounds: Ground[] = [];
  try {
    await untilSignalled(async () => {
      for (const workers of [0, 1, 2]) grounds.push(await prepare(workers, FIRST_PORT + workers));
      console.log(`\nmedian of ${ROUNDS} rounds of ${seconds} s, taking turns, ${CONNECTIONS} connections`);
      const creates = Array.from({ length: CENTRALS }, (_, index) => createRequest(index + 1));
      await measure('POST /entregas, 3 stops', grounds, async () => creates, seconds);
      await measure('GET /entregas/{id}/status', grounds, statusRequests, seconds);
      for (const { name, nodes } of grounds)
        if (nodes.length > 1) console.log(`${name}: ${describeCounts(await countStatements(nodes, NAME))}`);
    });
  } finally {
    await Promise.all(grounds.map((ground) => ground.stop()));
  }
}

async function prepare(workers: number, port: number): Promise<Ground> {
  const cluster = await startCitus(workers);
  let service: ChildProcess | undefined;
  const stop = async () => {
    service?.kill('SIGTERM');
    if (service) await once(service, 'exit');
    await cluster.stop();
  };
  try {
    const nodes = cluster.addresses.split(',').map((address): CitusNode => {
      const [host, nodePort] = address.split(':');
      return { host: host!, port: Number(nodePort), user: 'postgres', database: 'postgres' };
    });
    const connection = { ...nodes[0]!, database: NAME };
    if (workers > 0) await createCitusDatabase(nodes, NAME);
    else await createPlainDatabase(nodes[0]!);
    await migrate(connection);
    const db = openDatabase({ connection, poolSize: 2, onError: console.error, isDistributed: workers > 0 });
    await makeCentrals(db, CENTRALS);
    await db.close();
    service = spawn(process.execPath, ['bin/malote.mjs', 'serve'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrlOf(connection),
        PORT: String(port),
        MALOTE_LOG: 'info',
      },
    });
    await answers(port);
    const name = workers === 0 ? 'plain PostgreSQL' : `Citus, ${workers} worker${workers > 1 ? 's' : ''}`;
    return { name, url: `http://127.0.0.1:${port}`, nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function createPlainDatabase(node: CitusNode): Promise<void> {
  const client = new Client(node);
  await client.connect();
  await client.query(`create database ${NAME}`);
  await client.end();
}

async function measure(
  name: string,
  grounds: readonly Ground[],
  requestsOf: (ground: Ground) => Promise<LoadRequest[]>,
  seconds: number,
): Promise<void> {
  const contestants = await Promise.all(
    grounds.map(async (ground) => ({
      name: ground.name,
      url: ground.url,
      requests: await requestsOf(ground),
    })),
  );
  const results = await compare(contestants, { connections: CONNECTIONS, seconds, rounds: ROUNDS });
  results.forEach((result, index) => {
    print(`${name}, ${grounds[index]!.name}`, result);
    if (index > 0)
      console.log(`  ${(result.perSecond / results[0]!.perSecond).toFixed(2)} of plain PostgreSQL`);
  });
}

const BASE = '/api/v2/integracao';
const headersOf = (centralId: number): Record<string, string> => ({
  'api-key': apiKeyOf(centralId),
  authorization: basic('gerente'),
  'content-type': 'application/json',
});

const createRequest = (centralId: number): LoadRequest => ({
  method: 'POST',
  path: `${BASE}/entregas`,
  headers: headersOf(centralId),
  body: JSON.stringify(order({}, 3)),
});

/** Status requests for one delivery in each central. */
async function statusRequests({ url }: Ground): Promise<LoadRequest[]> {
  return Promise.all(
    Array.from({ length: CENTRALS }, async (_, index): Promise<LoadRequest> => {
      const { path, headers, body } = createRequest(index + 1);
      const answer = await fetch(url + path, { method: 'POST', headers: headers!, body: body! });
      const created = (await answer.json()) as { data: { id_mch: string } };
      return {
        method: 'GET',
        path: `${BASE}/entregas/${created.data.id_mch}/status`,
        headers: headersOf(index + 1),
      };
    }),
  );
}
