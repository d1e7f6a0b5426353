import { pino } from 'pino';
import { buildApp } from '../server/src/app.ts';
import { estimatorRouters } from '../server/src/geo/routing/routers.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { type Client, client } from '../test/support/client.ts';
import { countStatements } from '../test/support/countStatements.ts';
import { postmasterOf } from './cpu.ts';
import { type Growth, machine, print } from './growth.ts';
import { API_KEY, growHistory, makeGrowingCentral } from './growthData.ts';
import { blocksOf, measure } from './growthMeasure.ts';
import { onOwnGround } from './service.ts';

const SIZES = [10_000, 100_000, 5_000_000];
const QUICK = [1_000, 10_000, 100_000];
const AIM = 1.2;
/** The texts of a short history are all in memory, and a page that examines 5,000 rows has fewer there. */
const AIM_OF_WALKS = 4;
const WALKS = /^next page|nothing satisfies/;
const CHANGED = 20;
const ALL = '2000-01-01 00:00:00';

type Ask = (query: object, by?: Client) => Promise<{ proximo_cursor: string | null; ha_mais?: boolean }>;

/** A walk that goes on with each run, and begins again at its end. */
const walkOn = (query: object, by?: Client) => (ask: Ask) => {
  let cursor: string | null = null;
  return async () => {
    const { proximo_cursor, ha_mais = true } = await ask({ ...query, cursor: cursor ?? 'inicio' }, by);
    cursor = ha_mais ? proximo_cursor : null;
  };
};

/** Reads up to now, and then only what is new. */
const poll =
  (change: (db: Database) => Promise<unknown>) =>
  async (ask: Ask, db: Database): Promise<() => Promise<void>> => {
    const query = { alteradas_desde: new Date().toISOString(), limite: 100 };
    let cursor: string | null = 'inicio';
    const read = async () => {
      ({ proximo_cursor: cursor } = await ask({ ...query, cursor }));
    };
    await read();
    return async () => {
      await change(db);
      await read();
    };
  };

const changeSome = (db: Database) => db`
  update deliveries set travelled_metres = travelled_metres + 1 where central_id = 1 and id in (
    select id from deliveries where central_id = 1 order by requested_at desc limit ${CHANGED})`;

const day = { finalizada_de: new Date(Date.now() - 4 * 86_400_000).toISOString().replace(/\..*/, 'Z') };

const OPERATIONS: [
  name: string,
  prepare: (ask: Ask, db: Database) => (() => Promise<void>) | Promise<() => Promise<void>>,
][] = [
  ['poll, nothing changed', poll(async () => undefined)],
  [`change ${CHANGED} deliveries, and poll`, poll(changeSome)],
  [
    'begin with what changed since 3 days',
    (ask) => async () => {
      const since = new Date(Date.now() - 3 * 86_400_000).toISOString();
      await ask({ alteradas_desde: since, limite: 100 });
    },
  ],
  ['next page of a copy of everything', walkOn({ alteradas_desde: ALL, limite: 100 })],
  ['next page of all, newest first', walkOn({ limite: 100 })],
  ['of a company and a status', walkOn({ limite: 100, empresa_id: 1, status_solicitacao: 'C' })],
  ['finished in a day', walkOn({ limite: 100, ...day })],
  ['with an order number', (ask) => async () => void (await ask({ numero_pedido: 'P-1000' }))],
  ['with filters that nothing satisfies', walkOn({ limite: 100, tipo_pagamento: 'T', empresa_id: 1 })],
];

/**
 * The cost of the lists by cursor and of asking what changed, as the history grows: it must not. Cost is processor time
 * of the service and PostgreSQL together; blocks are the pages that PostgreSQL reads. `--quick` takes smaller sizes.
 */
export async function run(args: string[]): Promise<void> {
  const sizes = args.includes('--quick') ? QUICK : SIZES;
  const growth = OPERATIONS.map(
    ([name]): Growth => ({ name, aim: WALKS.test(name) ? AIM_OF_WALKS : AIM, measured: [] }),
  );
  await onOwnGround(10, async ({ db }) => {
    await makeGrowingCentral(db);
    const log = pino({ level: 'silent' });
    const app = await buildApp({ db, clock: systemClock, log, routers: estimatorRouters });
    const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const central = client(`${url}/api/v2/integracao`, { key: API_KEY, user: 'central', password: 'demo' });
    const [own] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(own!.pid);
    const ask: Ask = async (query, by = central) => {
      const { status, text, body } = await by.post('/entregas/consultar', query);
      if (status !== 200) throw new Error(`${status}: ${text}`);
      return body;
    };
    try {
      for (const size of sizes) {
        await growHistory(db, size);
        for (const [index, [, prepare]] of OPERATIONS.entries()) {
          const operation = await prepare(ask, db);
          const cost = await measure(postmaster, operation);
          const { statements } = await countStatements(operation);
          growth[index]!.measured.push({ ...cost, blocks: await blocksOf(db.pool, statements) });
        }
      }
    } finally {
      await app.close();
    }
  });
  print('cost of a request with ever more deliveries in one central', sizes, growth);
  console.log(`\n${machine()}`);
}
