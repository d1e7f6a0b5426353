import { monitorEventLoopDelay } from 'node:perf_hooks';
import { dispatchDue } from '../server/src/dispatch/rounds/startDispatcher.ts';
import { estimatorRouters } from '../server/src/geo/routing/routers.ts';
import { couponGuard } from '../server/src/money/pricing/couponGuard.ts';
import { priceBooks } from '../server/src/money/pricing/priceBook.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { countStatements } from '../test/support/countStatements.ts';
import { distributeOnce } from '../test/support/rounds.ts';
import { copyDriver } from '../test/support/states.ts';
import { postmasterOf } from './cpu.ts';
import { endOpenDeliveries, makeGrowingCentral, scheduleDue } from './growthData.ts';
import { measure } from './growthMeasure.ts';
import { onOwnGround } from './service.ts';

const COUNT = 500;
const ROUNDS = 5;
const LOOP_AIM_MS = 50;
const CLOCK_AIM_MS = 1_000;

/** As many waiting deliveries as free drivers in one central: measures the time until each driver has an offer. */
export const measureRush = (): Promise<void> =>
  onOwnGround(10, async ({ db }) => {
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
    const [driver] = await db<{ id: number }>`select min(id) as id from drivers where central_id = 1`;
    await db`delete from driver_companies where central_id = 1`;
    await copyDriver(db, driver!.id, COUNT);
    await db`update drivers set available = id <> ${driver!.id} and id > ${driver!.id} + 5`;
    console.log(`\n${COUNT} deliveries that wait and as many free drivers in one central, ${ROUNDS} times`);
    const stalls = monitorEventLoopDelay({ resolution: 5 });
    for (let round = 0; round < ROUNDS; round += 1) {
      await scheduleDue(db, [1], COUNT);
      await dispatchDue(deps);
      await db`
        insert into driver_positions (central_id, driver_id, lat, lng, at)
        select 1, id, -30.05 + id % 23 * 0.002, -51.23 + id % 19 * 0.002, now() from drivers where central_id = 1
        on conflict (central_id, driver_id) do update set lat = excluded.lat, lng = excluded.lng, at = excluded.at`;
      await db`
        update deliveries set pickup_lat = -30.05 + id % 25 * 0.002, pickup_lng = -51.23 + id % 20 * 0.002
        where central_id = 1 and status = 'distributing'`;
      stalls.enable();
      stalls.reset();
      let offered = 0;
      const { result, texts } = await countStatements(() =>
        measure(
          postmaster,
          async () => {
            offered = (await distributeOnce(deps)).offered;
          },
          1,
        ),
      );
      stalls.disable();
      const longest = stalls.max / 1e6;
      const slow = result.clockMs! > CLOCK_AIM_MS ? ' ABOVE' : '';
      console.log(
        `  ${offered} offered in ${result.clockMs!.toFixed(0)} ms (aim ${CLOCK_AIM_MS}${slow}), ` +
          `${result.cpuMs.toFixed(0)} ms of processor time, ${texts.length} statements, ` +
          `event loop blocked ${longest.toFixed(0)} ms at most (aim ${LOOP_AIM_MS})`,
      );
      await endOpenDeliveries(db);
    }
  });
