import { demoCentrals } from '../server/simulation/demo/demoCentrals.ts';
import { makeDemoCentral } from '../server/simulation/demo/makeDemo.ts';
import { systemClock } from '../server/src/platform/kernel/clock.ts';
import type { Database, Tx } from '../server/src/platform/postgres/database.ts';
import { runText } from '../test/support/runText.ts';

export const API_KEY = 'bench-1';
const OUT_OF_THE_WAY = 10_000_000;
/** Rows per statement. */
const STEP = 250_000;

/** One central that holds the whole history. */
export async function makeGrowingCentral(db: Database): Promise<void> {
  await makeDemoCentral({ db, clock: systemClock }, { ...demoCentrals[0]!, apiKey: API_KEY });
  const names = ['limitDeliveries', 'limitScheduled', 'limitOperations', 'limitEstimates'];
  await db`update centrals set settings = ${Object.fromEntries(names.map((name) => [name, OUT_OF_THE_WAY]))}`;
  await db`update wallets set balance_cents = 1000000000 where central_id = 1`;
}

/**
 * Fills the history of central 1 up to `total` deliveries: nine of ten finished and the tenth cancelled, one to three
 * stops each, an event for each, a wallet entry for every second and a scheduled delivery for every tenth. The newest
 * ended two days ago. A longer history goes further back, so each day has the same number of deliveries.
 */
export async function growHistory(db: Database, total: number): Promise<void> {
  const [known] = await db<{
    count: number;
  }>`select count(*) from events where central_id = 1 and type = 'delivery.status'
    and occurred_at < now() - interval '2 days'`;
  for (let from = known!.count; from < total; from += STEP)
    await db.unhurried.begin((tx) => insertHistory(tx, from, Math.min(STEP, total - from)));
  for (const table of ['deliveries', 'stops', 'events', 'wallet_entries', 'scheduled', 'scheduled_stops'])
    await runText(db.unhurried, `vacuum (analyze) ${table}`, []);
}

async function insertHistory(tx: Tx, from: number, count: number): Promise<void> {
  // Millions of rows at once. They are known to satisfy the triggers and keys.
  await tx`select set_config('session_replication_role', 'replica', true)`;
  const [ids, stopIds, scheduledIds, scheduledStopIds, entryIds, eventIds] = [
    await tx.newIds(1, 'delivery', count),
    await tx.newIds(1, 'stop', count * 3),
    await tx.newIds(1, 'scheduled', Math.ceil(count / 10)),
    await tx.newIds(1, 'stop', Math.ceil(count / 10)),
    await tx.newIds(1, 'entry', Math.ceil(count / 2)),
    await tx.newIds(1, 'event', count),
  ];
  const pickup = `'Rua dos Andradas, ' || n, 'Centro Histórico', 'Porto Alegre', 'RS', -30.03 + n % 100 * 1e-4, -51.23`;
  const drivers = await column(tx, 'select id from drivers where central_id = 1 order by id');
  const companies = await tx<{ id: number; customer: number }>`
    select c.id, p.id as customer from companies c
    join customers p on p.central_id = 1 and p.company_id = c.id where c.central_id = 1 order by c.id limit 2`;
  const [tariff] = await tx<{ id: number; category_id: number }>`
    select id, category_id from tariffs where central_id = 1 order by id limit 1`;
  const given = [
    ids,
    from,
    companies.map(({ id }) => id),
    companies.map(({ customer }) => customer),
    drivers,
    tariff!.id,
    tariff!.category_id,
  ];
  const numbered = `from unnest($1::bigint[]) with ordinality as new (id, place)
    cross join lateral (select $2::bigint + place as n) numbered
    cross join lateral (select now() - interval '2 days' - n * interval '20 seconds' as at) t`;
  await runText(
    tx,
    `insert into deliveries (central_id, id, status, company_id, customer_id, category_id, tariff_id, payment,
       has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng, planned_metres,
       planned_seconds, gross_cents, net_cents, driver_id, travelled_metres, requested_at, accepted_at, arrived_at,
       started_at, finished_at, cancelled_at, event_sequence, changed_at)
     select 1, new.id, case when n % 10 = 0 then 'cancelled' else 'finished' end, ($3::bigint[])[1 + n % 2],
       ($4::bigint[])[1 + n % 2], $7::bigint, $6::bigint,
       (array['cash', 'invoiced', 'instant_transfer', 'credit_card'])[1 + n % 4], n % 7 = 0, ${pickup},
       3000 + n % 9000, 600 + n % 1800, 900 + n % 5000, 900 + n % 5000,
       ($5::bigint[])[1 + n % cardinality($5::bigint[])], 3000 + n % 9000, at, at + interval '2 min',
       at + interval '9 min', at + interval '12 min', case when n % 10 = 0 then null else at + interval '40 min' end,
       case when n % 10 = 0 then at + interval '20 min' end, 1, at + interval '40 min'
     ${numbered}`,
    given,
  );
  await runText(
    tx,
    `insert into stops (central_id, id, delivery_id, ordered_with, position, address, district, city, state, lat, lng,
       order_number, recipient_name, recipient_phone, tracking_token, concluded_at)
     select 1, ($3::bigint[])[3 * (place - 1) + position + 1], id, id, position, 'Avenida Ipiranga, ' || id, 'Azenha',
       'Porto Alegre', 'RS', -30.04 - position * 1e-3, -51.21, 'P-' || id, 'Cliente ' || id, '5199' || id % 10000000,
       '1-' || id || '-' || position, now() - interval '2 days' - ($2::bigint + place) * interval '20 seconds'
     from unnest($1::bigint[]) with ordinality as new (id, place)
     cross join lateral generate_series(0, (id % 3)::integer) position`,
    [ids, from, stopIds],
  );
  await runText(
    tx,
    `insert into events (central_id, id, type, company_id, delivery_id, sequence, payload, occurred_at)
     select 1, ($4::bigint[])[place], 'delivery.status', ($3::bigint[])[1 + n % 2], new.id, 1,
       jsonb_build_object('status', 'finished', 'driverId', null, 'netCents', 900, 'stops', '[]'::jsonb), at
     ${numbered}`,
    [ids, from, companies.map(({ id }) => id), eventIds],
  );
  // The numbers of a wallet's entries increase with time.
  await runText(
    tx,
    `insert into wallet_entries (central_id, id, company_id, number, kind, amount_cents, balance_after_cents,
       delivery_id, created_at)
     select 1, ($4::bigint[])[(place + 1) / 2], ($3::bigint[])[1], 100000000 - n, 'reserve', -900, 1000000, new.id, at
     ${numbered} where place % 2 = 1`,
    [ids, from, companies.map(({ id }) => id), entryIds],
  );
  await tx`update wallets set entry_count = 100000000 where central_id = 1`;
  await runText(
    tx,
    `with made as (
       insert into scheduled (central_id, id, situation, delivery_id, dispatch_at, requested_at, company_id, customer_id,
         category_id, tariff_id, payment, has_return, pickup_address, pickup_district, pickup_city, pickup_state,
         pickup_lat, pickup_lng, planned_metres, planned_seconds, gross_cents, net_cents)
       select 1, ($8::bigint[])[(place + 9) / 10], 'dispatched', new.id, at, at - interval '1 hour',
         ($3::bigint[])[1 + n % 2], ($4::bigint[])[1 + n % 2], $7::bigint, $6::bigint, 'cash', false, ${pickup}, 3000,
         600, 1200, 1200
       ${numbered} where place % 10 = 1 and cardinality($5::bigint[]) > 0 returning id)
     insert into scheduled_stops (central_id, id, scheduled_id, ordered_with, position, address, district, city, state,
       lat, lng)
     select 1, ($9::bigint[])[row_number() over ()], id, id, 0, 'Avenida Ipiranga, 1', 'Azenha', 'Porto Alegre', 'RS',
       -30.05, -51.21 from made`,
    [...given, scheduledIds, scheduledStopIds],
  );
}

const column = async (tx: Tx, text: string): Promise<number[]> =>
  (await runText<{ id: number }>(tx, text, [])).map(({ id }) => id);

/**
 * Schedules this many deliveries per central that are due now, two stops each. Without an open search nothing follows
 * their dispatch.
 */
export async function scheduleDue(db: Database, centralIds: readonly number[], each: number): Promise<void> {
  const sources = await db<{
    central_id: number;
    company: number;
    customer: number;
    tariff: number;
    category: number;
  }>`
    select c.central_id, min(c.id) as company, min(p.id) as customer, min(t.id) as tariff, min(t.category_id) as category
    from companies c
    join customers p on p.central_id = c.central_id and p.company_id = c.id
    join tariffs t on t.central_id = c.central_id
    where c.central_id = any(${centralIds}::bigint[]) group by c.central_id order by c.central_id`;
  const ids = await Promise.all(centralIds.map((id) => db.newIds(id, 'scheduled', each)));
  const stopIds = await Promise.all(centralIds.map((id) => db.newIds(id, 'stop', each)));
  const repeated = (values: readonly number[]) => values.flatMap((value) => Array<number>(each).fill(value));
  await db.unhurried.begin(async (tx) => {
    await tx`
      insert into scheduled (central_id, id, situation, dispatch_at, requested_at, company_id, customer_id, category_id,
        tariff_id, payment, has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat,
        pickup_lng, planned_metres, planned_seconds, gross_cents, net_cents)
      select central_id, id, 'awaiting', now() - interval '1 second', now(), company, customer, category, tariff, 'cash',
        false, 'Rua dos Andradas, 1001', 'Centro', 'Porto Alegre', 'RS', -30.0305, -51.2303, 3000, 600, 1200, 1200
      from unnest(${repeated(sources.map((row) => row.central_id))}::bigint[], ${ids.flat()}::bigint[],
        ${repeated(sources.map((row) => row.company))}::bigint[], ${repeated(sources.map((row) => row.customer))}::bigint[],
        ${repeated(sources.map((row) => row.category))}::bigint[], ${repeated(sources.map((row) => row.tariff))}::bigint[])
        as given (central_id, id, company, customer, category, tariff)`;
    await tx`
      insert into scheduled_stops (central_id, id, scheduled_id, ordered_with, position, address, district, city, state,
        lat, lng)
      select central_id, stop, id, id, 0, 'Avenida Ipiranga, 1', 'Azenha', 'Porto Alegre', 'RS', -30.05, -51.21
      from unnest(${repeated(sources.map((row) => row.central_id))}::bigint[], ${ids.flat()}::bigint[],
        ${stopIds.flat()}::bigint[]) as given (central_id, id, stop)`;
  });
}

/** Ends all waiting deliveries, so that the next measurement finds the central in its initial state. */
export async function endOpenDeliveries(db: Database): Promise<void> {
  await db.unhurried.begin(async (tx) => {
    await tx`update offers set state = 'withdrawn', closed_at = offered_at where state = 'open'`;
    await tx`
      update deliveries set status = 'cancelled', cancelled_at = now(), reserved_cents = 0
      where status in ('distributing', 'pending', 'offered', 'awaiting_release')`;
  });
}
