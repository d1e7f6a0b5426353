import { makeDemo } from '../server/simulation/demo/makeDemo.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { newId } from '../server/src/platform/postgres/ids.ts';
import { type LoadRequest, load, loadSteadily, print } from './load.ts';
import { batchOf, CENTRALS, hirePhones, PHONES } from './phones.ts';
import { answers, basic, cpuSeconds, onOwnGround } from './service.ts';

const PORT = 29_121;
const DRIVERS = 2_000;
const CONNECTIONS = 64;
const SECONDS = 8;
const STEADY_PER_SECOND = 2_000;
const STATUSES_PER_SECOND = 200;
/** Each driver reports one position every five seconds. */
const EVERY_SECONDS = 5;
const BATCHES_SECONDS = 30;

/**
 * Measures how many positions per second are accepted and how fast a status is answered meanwhile; then phones that
 * send batches. `batches` measures only the latter.
 */
export const run = (args: string[]): Promise<void> =>
  onOwnGround(4, async ({ db, startMalote }) => {
    await makeDemo({ db, clock: systemClock }, 'empty');
    await db`update centrals set settings = settings || ${OUT_OF_THE_WAY}`;
    const delivery = await openDelivery(db);
    const drivers = await hire(db);
    const phones = await hirePhones(db);
    const malote = startMalote(['serve', '--no-work'], { PORT: String(PORT), MALOTE_LOG: 'info' });
    await answers(PORT);
    const url = `http://127.0.0.1:${PORT}`;
    const headers = { 'api-key': 'demo-chave', authorization: basic('central') };
    const positions = drivers.map((id, index) => positionOf(id, index, headers));
    const status: LoadRequest[] = [
      { method: 'GET', path: `/api/v2/integracao/entregas/${delivery}/status`, headers },
    ];

    if (!args.includes('batches')) await measureFlood(url, positions, status);
    for (const size of [1, 6]) {
      const perSecond = PHONES / (EVERY_SECONDS * size);
      console.log(
        `\n${PHONES} phones in ${CENTRALS} centrals, a position each ${EVERY_SECONDS} s, ${size} in a request: ${perSecond.toFixed(0)} requests a second`,
      );
      const batches = phones.map((cookie, index) => batchOf(cookie, index, size, EVERY_SECONDS));
      const [cpuBefore, begun] = [cpuSeconds(malote), performance.now()];
      const [status99, sent] = await Promise.all([
        loadSteadily(url, status, { seconds: BATCHES_SECONDS, perSecond: STATUSES_PER_SECOND / 10 }),
        loadSteadily(url, batches, { seconds: BATCHES_SECONDS, perSecond }),
      ]);
      const share = (cpuSeconds(malote) - cpuBefore) / ((performance.now() - begun) / 1000);
      print('batches', sent);
      print('status beside them', status99);
      console.log(`  service: ${(share * 100).toFixed(1)} % of a core, both together`);
    }
  });

async function measureFlood(url: string, positions: LoadRequest[], status: LoadRequest[]): Promise<void> {
  const gently = { seconds: SECONDS, perSecond: STATUSES_PER_SECOND };
  await load(url, positions, { connections: CONNECTIONS, seconds: 2 });
  console.log(`positions of ${DRIVERS} drivers over ${CONNECTIONS} connections, ${SECONDS} s`);
  print('positions', await load(url, positions, { connections: CONNECTIONS, seconds: SECONDS }));

  console.log(
    `\n${STATUSES_PER_SECOND} statuses a second, alone and beside ${STEADY_PER_SECOND} positions a second`,
  );
  const alone = await loadSteadily(url, status, gently);
  const steady = { seconds: SECONDS, perSecond: STEADY_PER_SECOND };
  const [beside, flood] = await Promise.all([
    loadSteadily(url, status, gently),
    loadSteadily(url, positions, steady),
  ]);
  print('status alone', alone);
  print('status beside positions', beside);
  print('those positions', flood);
}

const OUT_OF_THE_WAY = { limitDeliveries: 10_000_000, limitPositions: 10_000_000 };

const positionOf = (id: number, index: number, headers: Record<string, string>): LoadRequest => ({
  method: 'POST',
  path: `/api/v2/operacao/condutores/${id}/posicao`,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ lat: -30.03 - (index % 100) / 1e4, lng: -51.2 - Math.floor(index / 100) / 1e3 }),
});

async function hire(db: Database): Promise<number[]> {
  const ids = await db.newIds(1, 'driver', DRIVERS);
  await db`
    insert into drivers (central_id, id, name, phone)
    select 1, id, 'Condutor ' || n, '5199999' || lpad(n::text, 4, '0')
    from unnest(${ids}::bigint[]) with ordinality as new (id, n)`;
  return ids;
}

async function openDelivery(db: Database): Promise<number> {
  const id = await newId(db, 1, 'delivery');
  await db`
    insert into deliveries (central_id, id, status, company_id, customer_id, category_id, tariff_id, payment,
      has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng, planned_metres,
      planned_seconds, gross_cents, net_cents, requested_at)
    select 1, ${id}, 'distributing', 1, customer.id, tariff.category_id, tariff.id, 'cash', false,
      'Rua dos Andradas, 1', 'Centro Histórico', 'Porto Alegre', 'RS', -30.03, -51.23, 3000, 600, 900, 900, now()
    from customers customer cross join (select id, category_id from tariffs where central_id = 1 limit 1) tariff
    where customer.central_id = 1 and customer.company_id = 1 limit 1`;
  return id;
}
