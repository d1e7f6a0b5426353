import { makeDemo } from '../server/simulation/demo/makeDemo.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { type Answer, client, type Json } from '../test/support/client.ts';
import { order } from '../test/support/orders.ts';
import { cpuOf, cpuOfServer, postmasterOf } from './cpu.ts';
import { scheduledTomorrow } from './httpData.ts';
import { answers, onOwnGround } from './service.ts';

const PORT = 29_151;
const ITEMS = 500;
const STOPS = 2;
const ROUNDS = 3;
const CALLERS = 8;
/** The part of the cost of single requests, one after the other, that a bulk may have. */
const AIM = 0.2;
const OUT_OF_THE_WAY = 10_000_000;
/** Ticks of the processor's time are too coarse for one fast request. */
const FAST_TIMES = 10;

interface Cost {
  wallMs: number;
  serviceMs: number;
  serverMs: number;
}

/** 500 things in one bulk request beside 500 single requests, one after the other and by eight callers. */
export const run = (): Promise<void> =>
  onOwnGround(2, async ({ db, connection, startScript }) => {
    await makeDemo({ db, clock: systemClock }, 'empty');
    // Deliveries that wait for their release are not offered to drivers meanwhile.
    const settings = {
      limitDeliveries: OUT_OF_THE_WAY,
      limitScheduled: OUT_OF_THE_WAY,
      releaseRequired: true,
    };
    await db`update centrals set settings = settings || ${settings}::jsonb`;
    // Background work for the new deliveries is the same for both, and would be counted in either.
    const env = { PORT: String(PORT), BENCH_PG: JSON.stringify(connection) };
    const service = startScript('bench/appServer.ts', env);
    await answers(PORT);
    const login = { key: 'demo-chave', user: 'gerente', password: 'demo' };
    const manager = client(`http://127.0.0.1:${PORT}/api/v2/integracao`, login);
    const [own] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(own!.pid);

    const costOf = async (work: () => Promise<unknown>, times = 1): Promise<Cost> => {
      const before = {
        at: performance.now(),
        service: cpuOf(service.pid)!,
        server: cpuOfServer(postmaster)!,
      };
      for (let time = 0; time < times; time += 1) await work();
      return {
        wallMs: (performance.now() - before.at) / times,
        serviceMs: (cpuOf(service.pid)! - before.service) / times,
        serverMs: (cpuOfServer(postmaster)! - before.server) / times,
      };
    };
    const post = async (path: string, body: unknown): Promise<Answer> => {
      const answer = await manager.post(path, body);
      if (answer.status !== 200 || answer.body.recusados > 0) throw new Error(answer.text.slice(0, 500));
      return answer;
    };
    const get = async (path: string): Promise<void> => {
      const { status, text } = await manager.get(path);
      if (status !== 200) throw new Error(text);
    };
    const byCallers = async (callers: number, one: (index: number) => Promise<unknown>): Promise<void> => {
      let next = 0;
      const call = async (): Promise<void> => {
        while (next < ITEMS) {
          next += 1;
          await one(next - 1);
        }
      };
      await Promise.all(Array.from({ length: callers }, call));
    };
    const repeated = (body: unknown) => ({ entregas: Array.from({ length: ITEMS }, () => body) });
    const created = async (): Promise<number[]> => {
      const { body } = await post('/entregas/lote', repeated(order({}, STOPS)));
      return body.data.map((item: Json) => Number(item.data.id_mch));
    };

    type Kind = {
      name: string;
      single(id: number): Promise<unknown>;
      bulk(ids: number[]): Promise<unknown>;
      fast?: true;
    };
    const kinds: Kind[] = [
      {
        name: 'creation',
        single: () => post('/entregas', order({}, STOPS)),
        bulk: () => post('/entregas/lote', repeated(order({}, STOPS))),
      },
      {
        name: 'scheduled creation',
        single: () => post('/entregas/programadas', scheduledTomorrow(STOPS)),
        bulk: () => post('/entregas/programadas/lote', repeated(scheduledTomorrow(STOPS))),
      },
      {
        name: 'status',
        single: (id) => get(`/entregas/${id}/status`),
        bulk: (ids) => post('/entregas/status', { ids }),
        fast: true,
      },
      {
        name: 'cancellation',
        single: (id) => post(`/entregas/${id}/cancelar`, { motivo_id: 2 }),
        bulk: (ids) => post('/entregas/cancelar', { ids, motivo_id: 2 }),
      },
    ];
    console.log(
      `\n${ITEMS} of ${STOPS} stops, medians of ${ROUNDS} rounds in turns: wall time, and processor time of`,
    );
    console.log('the service + PostgreSQL, in ms');
    for (const { name, single, bulk, fast } of kinds) {
      const costs: Record<'bulk' | 'alone' | 'callers', Cost[]> = { bulk: [], alone: [], callers: [] };
      for (let round = -1; round < ROUNDS; round += 1) {
        const ids = [await created(), await created(), await created()] as const;
        const bulkCost = await costOf(() => bulk(ids[0]), fast ? FAST_TIMES : 1);
        const aloneCost = await costOf(() => byCallers(1, (index) => single(ids[1][index]!)));
        const callersCost = await costOf(() => byCallers(CALLERS, (index) => single(ids[2][index]!)));
        if (round < 0) continue;
        costs.bulk.push(bulkCost);
        costs.alone.push(aloneCost);
        costs.callers.push(callersCost);
      }
      const all = medianCost(costs.bulk);
      const alone = medianCost(costs.alone);
      console.log(`\n${name}`);
      for (const [label, cost] of [
        ['one bulk', all],
        ['one after the other', alone],
        [`${CALLERS} callers`, medianCost(costs.callers)],
      ] as const) {
        const { wallMs, serviceMs, serverMs } = cost;
        const part = cpuMs(all) / cpuMs(cost);
        const isAbove = cost === alone && part > AIM;
        console.log(
          `  ${label.padEnd(22)} ${wallMs.toFixed(0).padStart(6)}   ${serviceMs.toFixed(0).padStart(6)} + ${serverMs.toFixed(0).padStart(5)}` +
            (cost === all
              ? ''
              : `   the bulk costs ${part.toFixed(2)} of it${isAbove ? '  ABOVE THE AIM' : ''}`),
        );
      }
    }
  });

const cpuMs = ({ serviceMs, serverMs }: Cost): number => serviceMs + serverMs;

const medianCost = (costs: readonly Cost[]): Cost =>
  costs.toSorted((a, b) => cpuMs(a) - cpuMs(b))[Math.floor(costs.length / 2)]!;
