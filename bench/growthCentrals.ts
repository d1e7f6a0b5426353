import { dispatchDue } from '../server/src/dispatch/rounds/startDispatcher.ts';
import { estimatorRouters } from '../server/src/geo/routing/routers.ts';
import { couponGuard } from '../server/src/money/pricing/couponGuard.ts';
import { priceBooks } from '../server/src/money/pricing/priceBook.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { countStatements } from '../test/support/countStatements.ts';
import { distributeOnce } from '../test/support/rounds.ts';
import { runText } from '../test/support/runText.ts';
import { copyCentral } from '../test/support/states.ts';
import { postmasterOf } from './cpu.ts';
import type { Growth } from './growth.ts';
import { endOpenDeliveries, makeGrowingCentral, scheduleDue } from './growthData.ts';
import { measure } from './growthMeasure.ts';
import { answers, onOwnGround, residentMegabytes } from './service.ts';

const PORT = 29_111;
const AIM = 1.2;
const IDLE_MS = 6_000;

/** Measures the rounds with one delivery to process in each central, then without any, and then a whole process. */
export async function measureCentrals(sizes: readonly number[]): Promise<Growth[]> {
  const row = (name: string, aim: number): Growth => ({ name, aim, measured: [] });
  const dispatch = row('dispatch, per central', AIM);
  const search = row('search for drivers, per central', AIM);
  const statements = row('statements of dispatch, per central', 1);
  const idle = row('both rounds without work', sizes.at(-1)! > 100 ? 3 : AIM);
  const start = row('start-up, ms', AIM);
  const memory = row('memory of the process, MB', AIM);
  await onOwnGround(10, async ({ db, startMalote }) => {
    await makeGrowingCentral(db);
    const [own] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(own!.pid);
    const log = { error: (details: object) => console.error(details) };
    const deps = {
      db,
      clock: systemClock,
      routers: estimatorRouters,
      priceBooks: priceBooks(db),
      couponGuard: couponGuard(systemClock),
      log,
    };
    let centralIds = [1];
    for (const size of sizes) {
      centralIds = [...centralIds, ...(await addCentrals(db, size - centralIds.length))];
      // The rounds of few centrals are repeated, so that the time is long enough to measure.
      const repeats = Math.max(1, Math.floor(30 / size));
      const results = { dispatch: 0, search: 0, statements: 0 };
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        await scheduleDue(db, centralIds, 1);
        await seeDrivers(db);
        const dispatched = await countStatements(async () => measure(postmaster, () => dispatchDue(deps), 1));
        results.dispatch += dispatched.result.cpuMs;
        results.statements += dispatched.texts.length;
        results.search += (await measure(postmaster, () => distributeOnce(deps), 1)).cpuMs;
        await endOpenDeliveries(db);
      }
      const each = (sum: number) => ({ cpuMs: sum / repeats / size });
      dispatch.measured.push(each(results.dispatch));
      search.measured.push(each(results.search));
      statements.measured.push(each(results.statements));
      for (const table of ['scheduled', 'deliveries', 'offers', 'drivers'])
        await runText(db.unhurried, `vacuum (analyze) ${table}`, []);
      idle.measured.push(
        await measure(postmaster, async () => {
          await dispatchDue(deps);
          await distributeOnce(deps);
        }),
      );

      await scheduleDue(db, centralIds, 1);
      const begun = performance.now();
      const child = startMalote(['serve'], {
        PORT: String(PORT),
        MALOTE_LOG: 'error',
        MALOTE_COURIERS: 'off',
      });
      await answers(PORT);
      start.measured.push({ cpuMs: performance.now() - begun });
      await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
      memory.measured.push({ cpuMs: residentMegabytes(child) });
      child.kill('SIGTERM');
      await new Promise((resolve) => child.once('exit', resolve));
      await endOpenDeliveries(db);
      console.log(`${size} centrals measured`);
    }
  });
  return [dispatch, search, statements, idle, start, memory];
}

/** Adds centrals with the registers and drivers of the first one. */
async function addCentrals(db: Database, count: number): Promise<number[]> {
  if (count <= 0) return [];
  const rows = await db<{ id: number }>`
    insert into centrals (name, time_zone)
    select 'Central de medida ' || n || ' de ' || ${count}::integer, 'America/Sao_Paulo'
    from generate_series(1, ${count}::integer) n returning id`;
  const ids = rows.map(({ id }) => id);
  await db.unhurried.begin(async (tx) => {
    // The data is known to satisfy the triggers and keys.
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await copyCentral(tx, ids);
  });
  await runText(db.unhurried, 'analyze', []);
  return ids;
}

/** In each central, makes one driver free and seen just now. */
async function seeDrivers(db: Database): Promise<void> {
  await db.unhurried.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true)`;
    await tx`update drivers set available = true where not available`;
    await tx`
      insert into driver_positions (central_id, driver_id, lat, lng, at)
      select central_id, min(id), -30.031, -51.2303, now() from drivers where available group by central_id
      on conflict (central_id, driver_id) do update set lat = excluded.lat, lng = excluded.lng, at = excluded.at`;
  });
}
