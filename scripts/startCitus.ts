import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverAccount } from '../server/src/platform/postgres/embeddedAccount.ts';

/**
 * `npm run citus`: a coordinator and two workers on this machine, in a folder for temporary files, until it is
 * interrupted. `npm run citus -- 1` starts one worker. Requires a PostgreSQL in which Citus is installed, which is found
 * by PG_CONFIG, by the PATH, or in the usual places.
 */
export interface CitusCluster {
  /** The coordinator first, in the format of MALOTE_CITUS. */
  addresses: string;
  stop(): Promise<void>;
}

const WORKERS = 2;

/** Nothing here has to survive a power loss. Citus has a background worker for each database of each node. */
const SETTINGS: Record<string, string> = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Shards are moved while they are written.
  wal_level: 'logical',
  max_wal_senders: '20',
  max_replication_slots: '20',
  max_connections: '500',
  max_worker_processes: '200',
  max_prepared_transactions: '500',
  shared_buffers: '64MB',
  timezone: 'UTC',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.shard_count': '4',
  // Tests put triggers on tables to make statements fail.
  'citus.enable_unsafe_triggers': 'on',
  'citus.enable_stat_counters': 'on',
  'citus.max_background_task_executors': '1',
  // Tests of deadlocks between nodes wait for this check.
  'citus.distributed_deadlock_detection_factor': '2',
  'citus.enable_create_database_propagation': 'off',
};

export async function startCitus(workers = WORKERS): Promise<CitusCluster> {
  const bin = findBinaries();
  const folder = await mkdtemp(join(tmpdir(), 'malote-citus-'));
  const account = await serverAccount(folder);
  if (account) await chown(folder, account.uid, account.gid);
  const run = (name: string, args: string[]): void => {
    // The servers connect to each other, and look for certificates in HOME.
    const env = { ...process.env, HOME: folder };
    const done = spawnSync(join(bin, name), args, { ...account, cwd: folder, env, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${name} failed: ${done.stderr?.trim() || done.error?.message}`);
  };
  const nodes: { data: string; port: number }[] = [];
  const stop = async () => {
    for (const { data } of nodes.reverse()) run('pg_ctl', ['stop', '-D', data, '-m', 'immediate', '-s']);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index <= workers; index += 1) {
      const data = join(folder, `node${index}`);
      const port = await freePort();
      run('initdb', [
        '-D',
        data,
        '-U',
        'postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        '-N',
      ]);
      const settings = Object.entries({ ...SETTINGS, port: String(port) });
      const options = settings.map(([name, value]) => `-c ${name}='${value}'`).join(' ');
      run('pg_ctl', ['start', '-D', data, '-w', '-s', '-l', join(data, 'server.log'), '-o', options]);
      nodes.push({ data, port });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { addresses: nodes.map(({ port }) => `127.0.0.1:${port}`).join(','), stop };
}

/** The programs of a PostgreSQL installation that has Citus. */
function findBinaries(): string {
  const candidates = process.env.PG_CONFIG
    ? [process.env.PG_CONFIG]
    : [
        'pg_config',
        ...globSync('/usr/{lib/postgresql/*,pgsql-*,local/pgsql}/bin/pg_config').sort().reverse(),
      ];
  const ask = (config: string, flag: string): string =>
    spawnSync(config, [flag], { encoding: 'utf8' }).stdout?.trim() ?? '';
  for (const config of candidates) {
    if (existsSync(join(ask(config, '--sharedir'), 'extension', 'citus.control')))
      return ask(config, '--bindir');
  }
  throw new Error(
    'no PostgreSQL with the extension Citus was found on this machine: install it, name its pg_config in PG_CONFIG, ' +
      'or use a running cluster (MALOTE_CITUS); see docs/citus.md',
  );
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

if (import.meta.main) {
  try {
    const cluster = await startCitus(Number(process.argv[2] ?? WORKERS));
    console.log(`MALOTE_CITUS=${cluster.addresses}`);
    const { promise, resolve } = Promise.withResolvers<void>();
    const alive = setInterval(() => {}, 60_000);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    await promise;
    clearInterval(alive);
    await cluster.stop();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
