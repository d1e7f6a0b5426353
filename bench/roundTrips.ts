import pg from 'pg';
import { pino } from 'pino';
import { buildApp } from '../server/src/app.ts';
import { estimatorRouters } from '../server/src/geo/routing/routers.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import { Batch } from '../server/src/platform/postgres/batch.ts';
import { client } from '../test/support/client.ts';
import { order } from '../test/support/orders.ts';
import { cpuOf, cpuOfServer, postmasterOf } from './cpu.ts';
import { apiKeyOf, makeCentrals, scheduledTomorrow } from './httpData.ts';
import { onOwnGround } from './service.ts';

const COUNT = 100;

/**
 * How often a request goes to PostgreSQL, and what it costs there. Round trips are counted at the driver: one for each
 * message that is waited for, which may hold several statements. What follows the answer (the announcement of the
 * commit) is counted separately.
 */
export function run(args: string[]): Promise<void> {
  const trips = countTrips();
  return onOwnGround(10, async ({ db }) => {
    await makeCentrals(db);
    const app = await buildApp({
      db,
      clock: systemClock,
      log: pino({ level: 'silent' }),
      routers: estimatorRouters,
    });
    const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const login = (user: string, base: string) =>
      client(`${url}/api/v2/${base}`, { key: apiKeyOf(1), user, password: 'demo' });
    const [manager, operator] = [login('gerente', 'integracao'), login('central', 'operacao')];
    const [own] = await db<{ pid: number }>`select pg_backend_pid() as pid`;
    const postmaster = postmasterOf(own!.pid);

    type Step = (index: number) => Promise<{ status: number; text: string }>;
    const measure = async (name: string, step: Step, count = COUNT): Promise<string[]> => {
      const before = {
        trips: { ...trips },
        own: cpuOf(process.pid),
        server: cpuOfServer(postmaster),
        texts: [] as string[],
      };
      for (let index = 0; index < count; index += 1) {
        trips.isListed = index === 0 && args.includes('--statements');
        const { status, text } = await step(index);
        if (status !== 200) throw new Error(`${name} answered ${status}: ${text}`);
        before.texts.push(text);
      }
      await db.announced();
      const each = (read: (now: typeof trips) => number, was: number) =>
        ((read(trips) - was) / count).toFixed(2);
      const ms = (now = Number.NaN, was = Number.NaN) => ((now - was) / count).toFixed(2);
      console.log(
        `  ${name.padEnd(34)} ${each((now) => now.all, before.trips.all).padStart(6)} round trips, ` +
          `${each((now) => now.statements, before.trips.statements)} statements; ` +
          `${each((now) => now.announcements, before.trips.announcements)} announcements; ` +
          `processor time ${ms(cpuOf(process.pid), before.own)} ms of service and client, ` +
          `${ms(cpuOfServer(postmaster), before.server)} ms of PostgreSQL`,
      );
      return before.texts;
    };
    const idOf = (text: string): number => Number(JSON.parse(text).data.id_mch);

    console.log(`\nround trips of each request, mean of ${COUNT}, one after the other`);
    for (let warm = 0; warm < 20; warm += 1) await manager.post('/entregas', order({}, 3));
    const body = order({ com_retorno: true }, 3);
    const ids = (await measure('create, 3 stops', () => manager.post('/entregas', body))).map(idOf);
    await measure('create, with Idempotency-Key', (index) =>
      manager.post('/entregas', body, { 'idempotency-key': `bench-${index}` }),
    );
    const credits = order({ forma_pagamento: 'R' }, 3);
    await db`update wallets set balance_cents = 100000000 where central_id = 1`;
    await measure('create, paid by credits', () => manager.post('/entregas', credits));

    const scheduled = (
      await measure('create scheduled, 2 stops', () =>
        manager.post('/entregas/programadas', scheduledTomorrow(2)),
      )
    ).map(idOf);
    await measure(
      'group two scheduled',
      (index) =>
        manager.post(`/entregas/programadas/${scheduled[2 * index]}/agrupar`, {
          programadas_agrupadas: [scheduled[2 * index + 1]],
        }),
      COUNT / 2,
    );

    const drivers = await db.newIds(1, 'driver', COUNT);
    await db`
      insert into drivers (central_id, id, name, phone)
      select 1, id, 'Condutor ' || n, '5199999' || lpad(n::text, 4, '0')
      from unnest(${drivers}::bigint[]) with ordinality as new (id, n)`;
    const stops = await db<{ delivery_id: number; id: number }>`
      select delivery_id, id from stops where central_id = 1 and delivery_id = any(${ids}::bigint[]) order by position`;
    const stopsOf = Map.groupBy(stops, (stop) => stop.delivery_id);
    const step = (path: string, body: unknown = {}) => operator.post(path, body);
    await measure('accept', (index) =>
      step(`/entregas/${ids[index]}/aceitar`, { condutor_id: drivers[index] }),
    );
    await measure('start', (index) => step(`/entregas/${ids[index]}/iniciar`));
    for (const nth of [0, 1, 2])
      await measure(`conclude stop ${nth + 1} of 3`, (index) =>
        step(`/entregas/${ids[index]}/paradas/${stopsOf.get(ids[index]!)![nth]!.id}/concluir`),
      );
    await measure('finish', (index) => step(`/entregas/${ids[index]}/finalizar`));
    await app.close();
  });
}

/** Counts what each connection sends that this process opens from now on. */
function countTrips() {
  const trips = { all: 0, statements: 0, announcements: 0, isListed: false };
  const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  pg.Client.prototype.query = function counted(this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | { text: string } | Batch];
    const texts =
      asked instanceof Batch
        ? asked.statements.map(({ text }) => text)
        : [typeof asked === 'string' ? asked : asked.text];
    if (texts[0]!.includes('pg_notify')) trips.announcements += 1;
    else {
      trips.all += 1;
      trips.statements += texts.filter((text) => !/^(begin|commit|rollback)$/.test(text)).length;
      if (trips.isListed)
        for (const [index, text] of texts.entries())
          console.log(`      ${index === 0 ? '-' : ' '} ${text.replace(/\s+/g, ' ').trim().slice(0, 110)}`);
    }
    return query.apply(this, given);
  } as typeof pg.Client.prototype.query;
  return trips;
}
