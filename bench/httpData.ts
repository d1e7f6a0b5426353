import { demoCentrals } from '../server/simulation/demo/demoCentrals.ts';
import { makeDemoCentral } from '../server/simulation/demo/makeDemo.ts';
import { createProgram, nobodysPasswordHash } from '../server/src/centrals/keepPrograms.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database } from '../server/src/platform/postgres/database.ts';
import { scheduledOrder } from '../test/support/orders.ts';
import { runText } from '../test/support/runText.ts';

const STOPS_MAX = 3;

export const CENTRALS = 20;
const OUT_OF_THE_WAY = 10_000_000;

export const apiKeyOf = (centralId: number): string => `bench-${centralId}`;

/** Centrals with the demonstration's registers and with rate limits too high to be reached. */
export async function makeCentrals(db: Database, count = CENTRALS): Promise<void> {
  // A key of a sandbox belongs to one central.
  const { testKey: _, ...demo } = demoCentrals[0]!;
  for (let id = 1; id <= count; id += 1)
    await makeDemoCentral(
      { db, clock: systemClock },
      { ...demo, name: `Central ${String.fromCharCode(64 + id)}`, apiKey: apiKeyOf(id) },
    );
  await db`update centrals set settings = ${{ limitDeliveries: OUT_OF_THE_WAY }}`;
}

/** A token of each central, in their order. */
export async function makeTokens(db: Database): Promise<string[]> {
  const tokens: string[] = [];
  for (let centralId = 1; centralId <= CENTRALS; centralId += 1) {
    const passwordHash = await nobodysPasswordHash(centralId);
    const program = { label: 'bench', companyId: null, scopes: ['watch'] as const, expiresAt: null };
    const made = { passwordHash, now: systemClock.now() };
    tokens.push((await db.begin((tx) => createProgram(tx, centralId, null, program, made))).secret);
  }
  return tokens;
}

/**
 * Fills the history up to `total` deliveries, spread evenly over the centrals: one to three stops each, nine of ten
 * finished and the tenth cancelled.
 */
export async function fillHistory(db: Database, total: number): Promise<void> {
  const perCentral = total / CENTRALS;
  for (let centralId = 1; centralId <= CENTRALS; centralId += 1) {
    await db.unhurried.begin(async (tx) => {
      // Millions of rows at once. The order is known to be without gaps, so its check is skipped.
      await tx`select set_config('session_replication_role', 'replica', true)`;
      const [known] = await tx<{ count: number }>`
        select count(*) from deliveries where central_id = ${centralId}`;
      const missing = perCentral - known!.count;
      if (missing <= 0) return;
      const ids = await tx.newIds(centralId, 'delivery', missing);
      const stopIds = await tx.newIds(centralId, 'stop', missing * STOPS_MAX);
      await tx`
        with d as (
        insert into deliveries (central_id, id, status, company_id, customer_id, category_id, tariff_id, payment,
          has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng,
          planned_metres, planned_seconds, gross_cents, net_cents, driver_id, travelled_metres, requested_at,
          accepted_at, arrived_at, started_at, finished_at, cancelled_at)
        select ${centralId}, new.id, case when n % 10 = 0 then 'cancelled' else 'finished' end,
          company.id, customer.id, tariff.category_id, tariff.id,
          (array['cash', 'invoiced', 'instant_transfer', 'credit_card'])[1 + n % 4], n % 7 = 0,
          'Rua dos Andradas, ' || n, 'Centro Histórico', 'Porto Alegre', 'RS', -30.03 + n % 100 * 1e-4, -51.23,
          3000 + n % 9000, 600 + n % 1800, 900 + n % 5000, 900 + n % 5000, driver.id, 3000 + n % 9000,
          at, at + interval '2 min', at + interval '9 min', at + interval '12 min',
          case when n % 10 = 0 then null else at + interval '40 min' end,
          case when n % 10 = 0 then at + interval '20 min' end
        from unnest(${ids}::bigint[]) with ordinality as new (id, place)
        cross join lateral (select ${known!.count}::bigint + place as n) numbered
        cross join lateral (select timestamptz '2026-01-01' + n * interval '7 seconds' as at) t
        cross join lateral (select id from companies where central_id = ${centralId} order by id offset n % 2 limit 1) company
        join customers customer on customer.central_id = ${centralId} and customer.company_id = company.id
        cross join lateral (select id from drivers where central_id = ${centralId} order by id offset n % 6 limit 1) driver
        cross join lateral (select id, category_id from tariffs where central_id = ${centralId} order by id limit 1) tariff
        returning central_id, id)
        insert into stops (central_id, id, delivery_id, ordered_with, position, address, district, city, state, lat, lng,
          order_number, recipient_name, recipient_phone, tracking_token)
        select d.central_id, (${stopIds}::bigint[])[row_number() over ()], d.id, d.id, position, 'Avenida Ipiranga, ' || d.id, 'Azenha',
          'Porto Alegre', 'RS', -30.04 - position * 1e-3, -51.21, 'P-' || d.id, 'Cliente ' || d.id, '51999990000',
          d.central_id || '-' || d.id || '-' || position
        from d cross join lateral generate_series(0, d.id % 3) position`;
    });
  }
  for (const table of ['deliveries', 'stops']) await runText(db.unhurried, `vacuum (analyze) ${table}`, []);
  // The service indexes a history that the search does not know. That would happen once, during the measurement.
  await db`
    insert into search_progress (central_id, looked_until, deliveries_below, scheduled_below)
    select id, now(), 0, 0 from centrals
    on conflict (central_id) do update set deliveries_below = 0`;
}

/** The body of a scheduled delivery for a service with the real clock. */
export const scheduledTomorrow = (stops: number) => {
  const day = Temporal.Now.plainDateISO('America/Sao_Paulo').add({ days: 1 });
  return scheduledOrder(
    { data: day.toLocaleString('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric' }) },
    stops,
  );
};
