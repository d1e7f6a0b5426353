import { join, resolve } from 'node:path';
import type { Db, openDatabase, Tx } from '../server/src/platform/postgres/database.ts';
import { runText } from '../test/support/runText.ts';
import { cpuOf, cpuOfServer, postmasterOf } from './cpu.ts';
import { onOwnGround } from './service.ts';

const ROUNDS = 15;

type Layer = Pick<Db, 'begin'> & Tx;

interface Row {
  name: string;
  count: number;
  callers: number;
  work(db: Layer, index: number): Promise<unknown>;
}

const ROWS: Row[] = [
  {
    name: 'look-up',
    count: 2_000,
    callers: 1,
    work: (db, index) => db`select value from counters where central_id = ${1} and id = ${index % 1_000}`,
  },
  {
    name: 'look-up, 32 callers',
    count: 4_000,
    callers: 32,
    work: (db, index) => db`select value from counters where central_id = ${1} and id = ${index % 1_000}`,
  },
  { name: 'begin, lock, 3 writes, commit', count: 500, callers: 1, work: writeThree },
  { name: 'the same, 8 callers', count: 1_000, callers: 8, work: writeThree },
  {
    name: 'page of 100 texts',
    count: 500,
    callers: 1,
    work: (db) =>
      db`select id, central_id, value, note, at from counters where central_id = ${1} order by id limit 100`,
  },
];

/**
 * Processor time of the database layer, client and PostgreSQL. With the folder of another checkout the layers of both
 * are measured in turns.
 */
export function run(folders: string[]): Promise<void> {
  return onOwnGround(10, async ({ connection }) => {
    const layers: { name: string; db: ReturnType<typeof openDatabase> }[] = [];
    for (const folder of ['.', ...folders]) {
      const module = await import(join(resolve(folder), 'server/src/platform/postgres/database.ts'));
      const open = module.openDatabase as typeof openDatabase;
      layers.push({ name: folder, db: open({ connection, poolSize: 10, onError: console.error }) });
    }
    const { db } = layers[0]!;
    await runText(
      db,
      `create unlogged table counters (central_id bigint, id bigint, value integer not null default 0,
        note text not null default 'as it was', at timestamptz not null default now(), primary key (central_id, id))`,
      [],
    );
    await runText(db, 'insert into counters (central_id, id) select 1, n from generate_series(0, 999) n', []);
    const [own] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(own!.pid);

    console.log(`\nprocessor time in µs, client + PostgreSQL, medians of ${ROUNDS} rounds in turns`);
    for (const row of ROWS) {
      const figures = new Map(layers.map(({ name }) => [name, { client: [0], server: [0] }]));
      for (let round = -1; round < ROUNDS; round += 1)
        for (const layer of layers) {
          const before = { client: cpuOf(process.pid)!, server: cpuOfServer(postmaster)! };
          await inTurns(row, layer.db);
          if (round < 0) continue;
          const { client, server } = figures.get(layer.name)!;
          client[round] = ((cpuOf(process.pid)! - before.client) * 1_000) / row.count;
          server[round] = ((cpuOfServer(postmaster)! - before.server) * 1_000) / row.count;
        }
      for (const [name, { client, server }] of figures)
        console.log(
          `  ${row.name.padEnd(32)} ${name.padEnd(24)} ${median(client).padStart(7)} + ${median(server).padStart(6)}`,
        );
    }
    for (const layer of layers) await layer.db.close();
  });
}

/** Waits for each statement but the last two, which travel with the commit. */
function writeThree(db: Layer, index: number): Promise<unknown> {
  return db.begin(async (tx) => {
    const id = index % 1_000;
    await tx`select value from counters where central_id = ${1} and id = ${id} for update`;
    await tx`update counters set value = value + 1 where central_id = ${1} and id = ${id}`;
    await tx.write`update counters set note = ${`note ${index}`} where central_id = ${1} and id = ${id}`;
    await tx.write`update counters set at = now() where central_id = ${1} and id = ${id}`;
  });
}

async function inTurns({ count, callers, work }: Row, db: Layer): Promise<void> {
  let next = 0;
  const call = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(db, next);
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
}

const median = (figures: readonly number[]): string =>
  figures.toSorted((one, other) => one - other)[Math.floor(figures.length / 2)]!.toFixed(1);
