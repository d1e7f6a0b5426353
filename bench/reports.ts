import { pino } from 'pino';
import { buildApp } from '../server/src/app.ts';
import { estimatorRouters } from '../server/src/geo/routing/routers.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { client } from '../test/support/client.ts';
import { keepTotals } from '../test/support/rounds.ts';
import { runText } from '../test/support/runText.ts';
import { cpuOfServer, postmasterOf } from './cpu.ts';
import { API_KEY, growHistory, makeGrowingCentral } from './growthData.ts';
import { onOwnGround } from './service.ts';

const SIZES = [100_000, 1_000_000];
const RUNS = 60;
/** A garbage collection of this process affects one batch only. It is not part of a report's cost. */
const BATCHES = 5;
const WARM_UP = 10;
/** The accepted ratio between a report's cost with the larger history and with the smaller one. */
const AIM = 1.2;

interface Measured {
  p50: number;
  p95: number;
  cpuMs: number;
}

interface Counting {
  deliveries: number;
  clockSeconds: number;
  cpuMsEach: number;
  /** Rows of all totals tables together. */
  rows: number;
}

const day = (before: number): string => Temporal.Now.plainDateISO().subtract({ days: before }).toString();
const days = (count: number): string => `de=${day(count + 1)}&ate=${day(2)}`;

/** The last days with deliveries are the same in both histories, so the same rows are summed. */
const REPORTS: [name: string, path: string][] = [
  ['figures, 7 days beside 7', `resumo?${days(7)}&comparar_de=${day(15)}&comparar_ate=${day(9)}`],
  ['figures, 20 days', `resumo?${days(20)}`],
  ['by day, 20 days', `serie?por=dia&${days(20)}`],
  ['by hour, 20 days', `serie?por=hora&${days(20)}`],
  ['by weekday, 20 days', `serie?por=dia_semana&${days(20)}`],
  ['by company, 20 days', `divisao?por=empresa&${days(20)}`],
  ['by driver, 20 days', `divisao?por=condutor&${days(20)}`],
  ['by area, 20 days', `divisao?por=area&${days(20)}`],
  ['reasons, 20 days', `motivos?${days(20)}`],
  ['of a company, by day, 20 days', `serie?por=dia&empresa_id=1&${days(20)}`],
];
/** Only the longer history fills such a period. */
const LONG: [name: string, path: string][] = [
  ['figures, 230 days', `resumo?${days(230)}`],
  ['by hour, 230 days', `serie?por=hora&${days(230)}`],
  ['by driver, 230 days', `divisao?por=condutor&${days(230)}`],
];

/**
 * The cost of reports with 100,000 and with 1,000,000 deliveries in one central, and the cost per delivery of keeping
 * their totals. Processor time is that of the service and PostgreSQL together. `--quick` takes a tenth of both sizes.
 */
export async function run(args: string[]): Promise<void> {
  const sizes = args.includes('--quick') ? SIZES.map((size) => size / 10) : SIZES;
  const results: Map<string, Measured>[] = [];
  const counted: Counting[] = [];
  await onOwnGround(10, async ({ db }) => {
    await makeGrowingCentral(db);
    const app = await buildApp({
      db,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      routers: estimatorRouters,
    });
    const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const operator = client(`${url}/api/v2/operacao`, { key: API_KEY, user: 'central', password: 'demo' });
    const [backend] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(backend!.pid);
    const cpuMs = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
      const [server, own] = [cpuOfServer(postmaster) ?? 0, process.cpuUsage()];
      const result = await work();
      const { user, system } = process.cpuUsage(own);
      return [result, (user + system) / 1000 + (cpuOfServer(postmaster) ?? 0) - server];
    };

    for (const size of sizes) {
      await growHistory(db, size);
      // The history is written without triggers, so it is queued here as if it had ended just now.
      await runText(
        db.unhurried,
        `insert into report_queue (central_id, delivery_id)
         select central_id, id from deliveries d where central_id = 1
           and status in ('finished', 'cancelled', 'not_attended') order by id offset $1`,
        [counted.reduce((sum, { deliveries }) => sum + deliveries, 0)],
      );
      const begun = performance.now();
      const [deliveries, spent] = await cpuMs(() =>
        keepTotals({ db: db.unhurried, priceBooks: app.deps.priceBooks }),
      );
      const [rows] = await db<{ count: number }>`
        select (select count(*) from report_days) + (select count(*) from report_hours)
          + (select count(*) from report_reasons) as count`;
      counted.push({
        deliveries,
        clockSeconds: (performance.now() - begun) / 1000,
        cpuMsEach: spent / deliveries,
        rows: rows!.count,
      });
      for (const table of ['report_days', 'report_hours', 'report_reasons', 'report_queue'])
        await runText(db.unhurried, `vacuum (analyze) ${table}`, []);
      const measured = new Map<string, Measured>();
      for (const [name, path] of size === sizes.at(-1) ? [...REPORTS, ...LONG] : REPORTS) {
        const read = async (): Promise<void> => {
          const { status, text } = await operator.get(`/relatorios/${path}`);
          if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
        };
        for (let index = 0; index < WARM_UP; index += 1) await read();
        const clock: number[] = [];
        const cpu: number[] = [];
        for (let batch = 0; batch < BATCHES; batch += 1) {
          const [, total] = await cpuMs(async () => {
            for (let index = 0; index < RUNS; index += 1) {
              const at = performance.now();
              await read();
              clock.push(performance.now() - at);
            }
          });
          cpu.push(total / RUNS);
        }
        for (const values of [clock, cpu]) values.sort((a, b) => a - b);
        measured.set(name, { p50: at(clock, 0.5), p95: at(clock, 0.95), cpuMs: at(cpu, 0.5) });
      }
      results.push(measured);
    }
    await app.close();
  });
  print(sizes, results, counted);
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

function print(
  sizes: readonly number[],
  results: readonly Map<string, Measured>[],
  counted: readonly Counting[],
): void {
  const cell = (measured: Measured | undefined): string =>
    (measured
      ? `${measured.p50.toFixed(1)} / ${measured.p95.toFixed(1)} / ${measured.cpuMs.toFixed(2)}`
      : ''
    ).padStart(26);
  const heads = sizes.map((size) => size.toLocaleString('en').padStart(26)).join('');
  console.log(
    `\nreports: ms at the median / at the 95th of 100 / of processor time, the median of ${BATCHES} batches of ${RUNS}\n`,
  );
  console.log(`${''.padEnd(34)}${heads}  growth of processor time`);
  for (const name of results.at(-1)!.keys()) {
    const cells = results.map((measured) => measured.get(name));
    const factor = cells[0] && cells.at(-1)!.cpuMs / cells[0].cpuMs;
    const verdict = factor ? `${factor.toFixed(2)}${factor > AIM ? ' ABOVE' : ''}` : '';
    console.log(`${name.padEnd(34)}${cells.map(cell).join('')}  ${verdict}`);
  }
  for (const { deliveries, clockSeconds, cpuMsEach, rows } of counted)
    console.log(
      `counted ${deliveries.toLocaleString('en')} deliveries in ${clockSeconds.toFixed(0)} s: ` +
        `${cpuMsEach.toFixed(3)} ms of processor time each; ${rows.toLocaleString('en')} rows of totals`,
    );
}
