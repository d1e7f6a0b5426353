import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { findNextDispatch } from '../../../server/src/dispatch/rounds/dispatchStore.ts';
import { secondsBetween } from '../../../server/src/platform/kernel/clock.ts';
import { startMalote } from '../../support/malote.ts';
import { distributeOnce, mergeDue } from '../../support/rounds.ts';
import { dispatchAll } from '../../support/scheduled.ts';
import { couriers, type Ordered, scheduleHour, simulation } from '../../support/simulation.ts';
import { assertOk } from '../../support/steps.ts';

const DELIVERIES = 200;
const COURIERS = 30;
/** The interval between two background rounds, unless a dispatch is due earlier. */
const STEP_SECONDS = 10;
const MERGE_SECONDS = 30;
const HOURS_MAX = 3;

const malote = await startMalote();
const { db, clock } = malote;
const { courierProcess } = simulation(malote);
let ordered: Ordered;

/**
 * An hour of a central's day: scheduled deliveries are merged, dispatched, offered, carried and ended, each by the
 * service's own code with a simulated clock. Half-way the process that moves the couriers is lost, and another one
 * takes over.
 */
before(async () => {
  await malote.configure({ simulatedCouriers: true, simulationSpeed: 6, autoMerge: true });
  await couriers(malote, COURIERS, 1);
  ordered = await scheduleHour(malote, DELIVERIES, 2);
  const begin = clock.now();
  const halfTime = begin.add({ minutes: 40 });
  let moveCouriers = courierProcess();
  let isHalfOver = false;
  while (await isAnythingOpen()) {
    assert.ok(secondsBetween(begin, clock.now()) < HOURS_MAX * 3_600, 'it does not come to an end');
    const next = await findNextDispatch(db, clock.now());
    const wait = next ? Math.min(STEP_SECONDS, secondsBetween(clock.now(), next)) : STEP_SECONDS;
    clock.advance({ milliseconds: Math.ceil(wait * 1000) });
    if (!isHalfOver && Temporal.Instant.compare(clock.now(), halfTime) > 0) {
      moveCouriers = courierProcess();
      isHalfOver = true;
      await cancelSome();
    }
    await dispatchAll(malote);
    if (isTimeToMerge()) await mergeDue(malote.app.deps);
    await distributeOnce(malote.app.deps);
    await moveCouriers();
  }
});

let mergedAt: Temporal.Instant | undefined;

function isTimeToMerge(): boolean {
  if (mergedAt && secondsBetween(mergedAt, clock.now()) < MERGE_SECONDS) return false;
  mergedAt = clock.now();
  return true;
}

async function isAnythingOpen(): Promise<boolean> {
  const [row] = await db<{ open: boolean }>`
    select exists (select 1 from scheduled where situation = 'awaiting')
      or exists (select 1 from deliveries where status not in ('finished', 'not_attended', 'cancelled')) as open`;
  return row!.open;
}

/** People cancel some of their deliveries. */
async function cancelSome(): Promise<void> {
  const { data } = assertOk(
    await malote.central.post('/entregas/consultar', { status_solicitacao: 'E' }),
  ).body;
  for (const { id } of data.slice(0, 2))
    assertOk(await malote.central.post(`/entregas/${id}/cancelar`, { motivo_id: 2 }));
}

test('each is dispatched within a second of its instant, alone or with one that leaves no later', async () => {
  const rows = await db<{
    id: number;
    situation: string;
    dispatched_at: Temporal.Instant | null;
    with_at: Temporal.Instant | null;
  }>`
    select s.id, s.situation, d.requested_at as dispatched_at, together.requested_at as with_at
    from scheduled s
    left join deliveries d on d.central_id = s.central_id and d.id = s.delivery_id
    left join scheduled grouper on grouper.central_id = s.central_id and grouper.id = s.grouped_into
    left join deliveries together on together.central_id = grouper.central_id and together.id = grouper.delivery_id`;
  assert.equal(rows.length, DELIVERIES);
  for (const { id, situation, dispatched_at: alone, with_at: together } of rows) {
    const { at } = ordered.get(id)!;
    if (situation === 'dispatched') {
      const late = secondsBetween(at, alone!);
      assert.ok(late >= 0 && late <= 1, `${id} is ${late} s late`);
    } else {
      assert.equal(situation, 'grouped', `${id} is ${situation}`);
      assert.ok(secondsBetween(at, together!) <= 1, `${id} was delayed by its group`);
    }
  }
});

test('every delivery ends in F, N or C, and each of the scripts left its trace', async () => {
  const ends = await db<{ status: string; count: number }>`
    select status, count(*) from deliveries group by status order by status`;
  const count = Object.fromEntries(ends.map((row) => [row.status, row.count]));
  assert.deepEqual(Object.keys(count), ['cancelled', 'finished', 'not_attended']);
  assert.ok(count.finished! > count.cancelled! + count.not_attended!, JSON.stringify(count));
  const traces = await db<{ reason: number | null }>`
    select distinct cancellation_reason_id as reason from deliveries
    where cancellation_reason_id is not null order by 1`;
  assert.deepEqual(
    traces.map((row) => row.reason),
    [2, 3, 5],
  );
  const offers = await db<{ state: string }>`select distinct state from offers order by state`;
  assert.deepEqual(
    offers.map((row) => row.state),
    ['accepted', 'expired', 'refused'],
  );
});

test('no stop is lost: each is carried once, and concluded where its delivery was finished', async () => {
  const stops = await db<{ id: number; status: string; concluded: boolean }>`
    select s.id, d.status, s.concluded_at is not null as concluded
    from stops s join deliveries d on d.central_id = s.central_id and d.id = s.delivery_id order by s.id`;
  const expected = [...ordered.values()].flatMap(({ stopIds }) => stopIds).sort((a, b) => a - b);
  assert.deepEqual(
    stops.map(({ id }) => id),
    expected,
  );
  for (const { id, status, concluded } of stops)
    if (status !== 'cancelled') assert.equal(concluded, status === 'finished', `stop ${id}`);
});

test('the ledger is balanced: a finished delivery cost its fare, a cancelled one its fee, others nothing', async () => {
  const deliveries = await db<{
    id: number;
    status: string;
    net: number;
    fee: number;
    reserved: number;
    sum: number;
  }>`
    select d.id, d.status, d.net_cents as net, coalesce(d.cancellation_fee_cents, 0) as fee,
      d.reserved_cents as reserved,
      (select coalesce(sum(amount_cents), 0)::bigint from wallet_entries e
        where e.central_id = d.central_id and e.delivery_id = d.id) as sum
    from deliveries d where d.payment = 'credit_wallet'`;
  assert.ok(deliveries.length > 10);
  for (const { id, status, net, fee, reserved, sum } of deliveries) {
    const cost = status === 'finished' ? net : fee;
    assert.equal(sum, cost === 0 ? 0 : -cost, `delivery ${id}, ${status}`);
    assert.equal(reserved, 0);
  }
  const wallets = await db<{ balance: number; sum: number }>`
    select balance_cents as balance, (select sum(amount_cents)::bigint from wallet_entries e
      where e.central_id = w.central_id and e.company_id = w.company_id) as sum from wallets w`;
  assert.ok(wallets.length > 0);
  for (const { balance, sum } of wallets) assert.equal(balance, sum);
});

test('merges are valid: of one company from one pickup, near in time, at most ten stops, and worth it', async () => {
  const merges = await db<{
    id: number;
    companies: number;
    pickups: number;
    kinds: number;
    stops: number;
    carried: number;
    minutes: number;
    saved: number;
  }>`
    select g.id, count(distinct s.company_id) as companies,
      count(distinct (round(s.pickup_lat::numeric, 5), round(s.pickup_lng::numeric, 5))) as pickups,
      count(distinct (s.category_id, s.payment, s.has_return)) as kinds, merge.stops,
      (select count(*) from stops p where p.central_id = g.central_id and p.delivery_id = g.delivery_id) as carried,
      extract(epoch from max(s.dispatch_at) - min(s.dispatch_at))::float8 / 60 as minutes,
      100 - 100.0::float8 * merge.seconds_after / merge.seconds_before as saved
    from automatic_merges merge
    join scheduled g on g.central_id = merge.central_id and g.id = merge.grouper_id
    join scheduled s on s.central_id = g.central_id and (s.id = g.id or s.grouped_into = g.id)
    group by g.central_id, g.id, g.delivery_id, merge.stops, merge.seconds_after, merge.seconds_before`;
  assert.ok(merges.length > 5, `${merges.length} merges`);
  for (const merge of merges) {
    const { id, companies, pickups, kinds, stops, carried, minutes, saved } = merge;
    assert.deepEqual({ id, companies, pickups, kinds }, { id, companies: 1, pickups: 1, kinds: 1 });
    assert.ok(stops <= 10 && carried === stops, `${carried} of ${stops} stops`);
    assert.ok(minutes <= 15, `${minutes} minutes apart`);
    assert.ok(saved >= 15, `saves ${saved} %`);
  }
});

test('a courier carried one at a time, and every step took its time', async () => {
  const overlaps = await db<{ id: number }>`
    select a.id from deliveries a join deliveries b on b.central_id = a.central_id and b.driver_id = a.driver_id
      and b.id > a.id and a.started_at is not null and b.started_at is not null
      and (a.started_at, coalesce(a.finished_at, a.cancelled_at)) overlaps
        (b.started_at, coalesce(b.finished_at, b.cancelled_at))`;
  assert.deepEqual(overlaps, []);
  const hasty = await db<{ id: number }>`
    select id from deliveries where status = 'finished' and not (requested_at < accepted_at
      and accepted_at <= arrived_at and arrived_at < started_at and started_at < finished_at)`;
  assert.deepEqual(hasty, []);
});
