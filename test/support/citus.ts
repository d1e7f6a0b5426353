import { Client } from 'pg';
import type { EmbeddedConnection } from '../../server/src/platform/postgres/embedded.ts';

/** The variable that names a cluster: host:port of the coordinator and of each worker, separated by commas. */
export const ADDRESSES_VARIABLE = 'MALOTE_CITUS';

export interface CitusNode extends EmbeddedConnection {
  host: string;
  port: number;
}

/** The nodes of the cluster, the coordinator first. Undefined where tests run on plain PostgreSQL. */
export function citusNodes(): CitusNode[] | undefined {
  const addresses = process.env[ADDRESSES_VARIABLE];
  if (!addresses) return undefined;
  return addresses.split(',').map((address) => {
    const [, host, port] = /^(.+):(\d+)$/.exec(address.trim()) ?? [];
    if (!host) throw new Error(`${ADDRESSES_VARIABLE}: "${address}" is not host:port`);
    return {
      host,
      port: Number(port),
      user: process.env.PGUSER ?? 'postgres',
      ...(process.env.PGPASSWORD !== undefined && { password: process.env.PGPASSWORD }),
      database: 'postgres',
    };
  });
}

/** Creates a database of this name on all nodes and registers the workers with the coordinator. */
export async function createCitusDatabase(nodes: readonly CitusNode[], name: string): Promise<void> {
  await onEach(nodes, (client) => client.query(`create database ${name}`));
  const inside = nodes.map((node) => ({ ...node, database: name }));
  await onEach(inside, (client) => client.query('create extension citus'));
  const [coordinator, ...workers] = inside;
  await onEach([coordinator!], async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator!.host, coordinator!.port]);
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port]);
  });
}

/** Copies the files on each node. The metadata of Citus, such as the list of nodes, is copied too. */
export async function cloneCitusDatabase(
  nodes: readonly CitusNode[],
  template: string,
  name: string,
): Promise<void> {
  await onEach(nodes, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
}

/** A template must have no sessions, but Citus keeps one open in each database of a node. */
export async function closeCitusDatabase(nodes: readonly CitusNode[], name: string): Promise<void> {
  await onEach(nodes, (client) => client.query(`alter database ${name} allow_connections false`));
  await onEach(nodes, async (client) => {
    const isUsed = async () =>
      (
        await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
          name,
        ])
      ).rowCount !== 0;
    while (await isUsed()) await client.query('select pg_sleep(0.05)');
  });
}

export async function dropCitusDatabase(nodes: readonly CitusNode[], name: string): Promise<void> {
  await onEach(nodes, (client) => client.query(`drop database if exists ${name} with (force)`));
}

export interface StatementCounts {
  /** Statements that Citus sent to one shard group, and so to one node. */
  toOneNode: number;
  toMany: number;
}

/** Counted for the given database by the counters of all nodes. With 'all', for every database, dropped ones too. */
export async function countStatements(
  nodes: readonly CitusNode[],
  name: string,
  databases: 'this' | 'all' = 'this',
): Promise<StatementCounts> {
  const counts: StatementCounts = { toOneNode: 0, toMany: 0 };
  const inside = nodes.map((node) => ({ ...node, database: name }));
  await onEach(inside, async (client) => {
    const { rows } = await client.query<{ single: string; multi: string }>(
      `select coalesce(sum(query_execution_single_shard), 0) as single,
         coalesce(sum(query_execution_multi_shard), 0) as multi
       from citus_stat_counters(${databases === 'all' ? '0' : '(select oid from pg_database where datname = current_database())'})`,
    );
    counts.toOneNode += Number(rows[0]!.single);
    counts.toMany += Number(rows[0]!.multi);
  });
  return counts;
}

export const describeCounts = ({ toOneNode, toMany }: StatementCounts): string =>
  `${toOneNode + toMany} statements on distributed tables, ` +
  `${((100 * toOneNode) / Math.max(1, toOneNode + toMany)).toFixed(2)} % of them to one node`;

/** Runs the work on all nodes in parallel. */
async function onEach(
  nodes: readonly CitusNode[],
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  await Promise.all(
    nodes.map(async (node) => {
      const client = new Client(node);
      client.on('error', () => {});
      await client.connect();
      try {
        await work(client);
      } finally {
        await client.end();
      }
    }),
  );
}
