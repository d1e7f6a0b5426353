import { pino } from 'pino';
import { buildApp } from '../server/src/app.ts';
import { dispatchDue } from '../server/src/dispatch/rounds/startDispatcher.ts';
import { estimatorRouters } from '../server/src/geo/routing/routers.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { type Answer, type Client, client } from '../test/support/client.ts';
import { countStatements } from '../test/support/countStatements.ts';
import { order } from '../test/support/orders.ts';
import { postmasterOf } from './cpu.ts';
import type { Growth } from './growth.ts';
import { API_KEY, endOpenDeliveries, growHistory, makeGrowingCentral, scheduleDue } from './growthData.ts';
import { blocksOf, type Measured, measure } from './growthMeasure.ts';
import { scheduledTomorrow } from './httpData.ts';
import { onOwnGround } from './service.ts';

/** The environment of an operation. */
interface Ground {
  db: Database;
  /** Clients of the integration interface and of the operator's. */
  central: Client;
  manager: Client;
  operator: Client;
  /** Random finished deliveries from the whole history. */
  ids: readonly number[];
  dispatch(): Promise<number>;
}

interface Operation {
  name: string;
  /** The accepted ratio to the cost with the smallest history. */
  aim?: number;
  /** Runs once before the measurement; each run receives its result. */
  prepare?(ground: Ground): Promise<readonly number[]>;
  /** How often the operation can run after one preparation; unlimited by default. */
  count?: number;
  /** The number of items that one run processes; the cost is given per item. */
  size?: number;
  run(ground: Ground, index: number, prepared: readonly number[]): Promise<unknown>;
}

const AIM = 1.2;
const GROUPS = 40;
const DUE = 1_000;

const ok = async (answer: Promise<Answer>): Promise<Answer> => {
  const given = await answer;
  if (given.status !== 200) throw new Error(`${given.status}: ${given.text}`);
  return given;
};
const some = (values: readonly number[], index: number): number => values[(index * 7919) % values.length]!;
const page = (body: object) => (ground: Ground) => ok(ground.central.post('/entregas/consultar', body));

/** One per row of the table. Add new operations here. */
const OPERATIONS: Operation[] = [
  {
    name: 'status',
    run: ({ central, ids }, index) => ok(central.get(`/entregas/${some(ids, index)}/status`)),
  },
  { name: 'page of 100', run: page({ limite: 100 }) },
  {
    name: 'page of 100, by status and payment',
    run: page({ limite: 100, status_solicitacao: 'C', tipo_pagamento: 'D' }),
  },
  { name: 'page 500 of 20', run: page({ pagina: 500, limite: 20 }) },
  {
    name: 'detail',
    run: ({ central, ids }, index) => ok(central.get(`/entregas/${some(ids, index)}/detalhes`)),
  },
  {
    name: 'receipt',
    run: ({ central, ids }, index) => ok(central.get(`/entregas/${some(ids, index)}/recibo`)),
  },
  {
    name: 'operator’s list of 50, by payment',
    run: ({ operator }) => ok(operator.post('/entregas/consultar', { limite: 50, tipo_pagamento: 'D' })),
  },
  { name: 'statement of a wallet', run: ({ operator }) => ok(operator.get('/empresas/1/extrato?limite=50')) },
  { name: 'summary of the day', run: ({ operator }) => ok(operator.get('/resumo')) },
  { name: 'create, 3 stops', run: ({ manager }) => ok(manager.post('/entregas', order({}, 3))) },
  {
    name: 'group two scheduled',
    count: GROUPS,
    async prepare({ manager }) {
      const ids: number[] = [];
      for (let made = 0; made < 2 * GROUPS; made += 1) {
        const { body } = await ok(manager.post('/entregas/programadas', scheduledTomorrow(2)));
        ids.push(Number(body.data.id_mch));
      }
      return ids;
    },
    run: ({ manager }, index, ids) =>
      ok(
        manager.post(`/entregas/programadas/${ids[2 * index]}/agrupar`, {
          programadas_agrupadas: [ids[2 * index + 1]],
        }),
      ),
  },
  {
    name: `dispatch, of ${DUE} due`,
    count: 1,
    size: DUE,
    async prepare({ db }) {
      await scheduleDue(db, [1], DUE);
      return [];
    },
    async run({ dispatch }) {
      const made = await dispatch();
      if (made !== DUE) throw new Error(`${made} of ${DUE} were dispatched`);
    },
  },
];

/** Measures each operation, or those whose name contains one of the words, at each size of the growing history. */
export async function measureHistory(
  sizes: readonly number[],
  words: readonly string[] = [''],
): Promise<Growth[]> {
  const operations = OPERATIONS.filter(({ name }) => words.some((word) => name.includes(word)));
  const growth = operations.map(({ name, aim = AIM }): Growth => ({ name, aim, measured: [] }));
  await onOwnGround(10, async ({ db }) => {
    await makeGrowingCentral(db);
    const app = await buildApp({
      db,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      routers: estimatorRouters,
    });
    const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const login = (user: string, base: string) =>
      client(`${url}/api/v2/${base}`, { key: API_KEY, user, password: 'demo' });
    const [own] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(own!.pid);
    const log = { error: (details: object) => console.error(details) };
    for (const size of sizes) {
      const begun = performance.now();
      await growHistory(db, size);
      console.log(`${size} deliveries, written in ${Math.round((performance.now() - begun) / 1000)} s`);
      const rows = await db<{ id: number }>`
        select id from (
          select id, row_number() over (order by id) as nth from deliveries
          where central_id = 1 and status = 'finished') finished
        where nth % ${Math.ceil(size / 2_000)} = 0`;
      const ground: Ground = {
        db,
        central: login('central', 'integracao'),
        manager: login('gerente', 'integracao'),
        operator: login('central', 'operacao'),
        ids: rows.map(({ id }) => id),
        dispatch: () => dispatchDue({ ...app.deps, log }),
      };
      for (const [index, operation] of operations.entries())
        growth[index]!.measured.push(await measureOperation(ground, operation, postmaster));
    }
    await app.close();
  });
  return growth;
}

async function measureOperation(
  ground: Ground,
  operation: Operation,
  postmaster: number | undefined,
): Promise<Measured> {
  const { prepare, count, size = 1, run } = operation;
  const prepared = (await prepare?.(ground)) ?? [];
  const measured = await measure(postmaster, (index) => run(ground, index, prepared), count);
  let blocks: number | undefined;
  if (count === undefined) {
    const { statements } = await countStatements(() => run(ground, 1, prepared));
    blocks = await blocksOf(ground.db.pool, statements);
  }
  await endOpenDeliveries(ground.db);
  return {
    cpuMs: measured.cpuMs / size,
    clockMs: measured.clockMs === undefined ? undefined : measured.clockMs / size,
    blocks,
  };
}
