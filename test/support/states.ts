import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { ClaimPurpose, ClaimTarget } from '../../server/src/dispatch/grouping/claimStore.ts';
import { indexCentral } from '../../server/src/insight/search/indexCentral.ts';
import { restartProgress } from '../../server/src/insight/search/indexStore.ts';
import { STOPS_MAX } from '../../server/src/money/pricing/stopOrder.ts';
import type { Database, Tx } from '../../server/src/platform/postgres/database.ts';
import { newId } from '../../server/src/platform/postgres/ids.ts';
import type { TestMalote } from './malote.ts';
import { runText } from './runText.ts';

// States that no request leads to, or only after a wait that a test cannot afford. Each function says why it writes the
// state directly.

/**
 * Puts a scheduled delivery into a situation that it would reach only at its dispatch, which is later on the test's
 * clock.
 */
export async function situate(
  { db }: TestMalote,
  id: number,
  situation: 'cancelled' | 'dispatched' | 'grouped' | 'failed',
): Promise<void> {
  await db`
    update scheduled set situation = ${situation},
      failure = case when ${situation} = 'failed' then 'insufficient-balance' end,
      delivery_id = case when ${situation} = 'dispatched'
        then (select max(id) from deliveries where central_id = 1) end
    where central_id = 1 and id = ${id}`;
}

/** Marks a request as the automatic merge does. Only the mark matters here; the merge has its own tests. */
export async function markMergedAutomatically({ db }: TestMalote, id: number): Promise<void> {
  await db`update scheduled set grouped_automatically = true where central_id = 1 and id = ${id}`;
}

/**
 * Leaves a claim as a process does that dies before it saves; no request ends like that. The returned function or the
 * end of the test removes it.
 */
export async function leaveClaim(
  t: TestContext,
  { db }: TestMalote,
  { noun, id }: ClaimTarget,
  { centralId = 1, purpose = 'grouping', until }: ClaimTerms,
): Promise<() => Promise<unknown>> {
  const token = randomUUID();
  const remove = () => db`delete from claims where central_id = ${centralId} and token = ${token}`;
  t.after(remove);
  await db`
    insert into claims (central_id, noun, target_id, purpose, token, expires_at)
    values (${centralId}, ${noun}, ${id}, ${purpose}, ${token}, ${until})`;
  return remove;
}

interface ClaimTerms {
  centralId?: number;
  purpose?: ClaimPurpose;
  until: Temporal.Instant;
}

/** Gives a delivery more stops than a request may have, all with one order number, until the end of the test. */
export async function addStops(
  t: TestContext,
  { db }: TestMalote,
  deliveryId: number,
  orderNumber: string,
  count: number,
): Promise<void> {
  t.after(() => db`delete from stops where central_id = 1 and tracking_token like 'added %'`);
  await db.begin(async (tx) => {
    const ids = await tx.newIds(1, 'stop', count);
    await tx`
      insert into stops (central_id, id, delivery_id, ordered_with, position, address, district, city, state, lat, lng,
        order_number, tracking_token)
      select 1, (${ids}::bigint[])[n], ${deliveryId}, ${deliveryId}, n, 'a', 'b', 'c', 'RS', -30, -51, ${orderNumber},
        'added ' || n
      from generate_series(1, ${count}::integer) n`;
  });
}

/** Makes the database refuse every wallet entry, until the returned function is called or the test ends. */
export async function refuseWalletEntries(t: TestContext, { db }: TestMalote): Promise<() => Promise<void>> {
  const allow = async () => {
    await runText(db, 'drop trigger if exists refuse_entry on wallet_entries', []);
  };
  t.after(allow);
  await runText(
    db,
    `create or replace function refuse_entry() returns trigger language plpgsql as $$
     begin raise exception 'no'; end $$`,
    [],
  );
  await runText(
    db,
    'create trigger refuse_entry before insert on wallet_entries for each row execute function refuse_entry()',
    [],
  );
  return allow;
}

/** Makes the next delivery and the next scheduled delivery of central 1 get the same number. */
export async function alignIds({ db }: TestMalote, last: number): Promise<void> {
  for (const noun of ['delivery', 'scheduled'] as const) {
    const id = await newId(db, 1, noun);
    assert.ok(id <= last, `${noun} ${id} exists already`);
    await db.newIds(1, noun, last - id);
  }
}

/** Copies a scheduled delivery with its stops `count` times, all due at the same instant. */
export async function copyScheduled(
  db: Database,
  id: string,
  count: number,
  dispatchAt: Temporal.Instant,
): Promise<void> {
  await db.begin(async (tx) => {
    const ids = await tx.newIds(1, 'scheduled', count);
    const stopIds = await tx.newIds(1, 'stop', count * STOPS_MAX);
    await tx`
      insert into scheduled (central_id, id, situation, dispatch_at, requested_at, company_id, customer_id, category_id,
        tariff_id, payment, has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat,
        pickup_lng, planned_metres, planned_seconds, gross_cents, net_cents)
      select central_id, (${ids}::bigint[])[n], situation, ${dispatchAt}, requested_at, company_id,
        customer_id, category_id, tariff_id, payment, has_return, pickup_address, pickup_district, pickup_city,
        pickup_state, pickup_lat, pickup_lng, planned_metres, planned_seconds, gross_cents, net_cents
      from scheduled cross join generate_series(1, ${count}::integer) n
      where central_id = 1 and id = ${id}`;
    await tx`
      insert into scheduled_stops (central_id, id, scheduled_id, ordered_with, position, address, district, city, state,
        lat, lng)
      select copy.central_id, (${stopIds}::bigint[])[row_number() over ()], copy.id, copy.id, s.position, s.address, s.district, s.city,
        s.state, s.lat, s.lng
      from scheduled copy cross join scheduled_stops s
      where copy.central_id = 1 and copy.id = any(${ids}::bigint[]) and s.central_id = 1 and s.scheduled_id = ${id}`;
  });
}

/** Copies a delivery of central 1 without its stops `count` times; returns the copies' ids. */
export async function copyDelivery(
  db: Database,
  id: number,
  count: number,
  changes: Record<string, unknown> = {},
): Promise<number[]> {
  const ids = await db.newIds(1, 'delivery', count);
  await db`
    insert into deliveries
    select copy.* from deliveries d cross join unnest(${ids}::bigint[]) as ids (id)
    cross join lateral jsonb_populate_record(null::deliveries, to_jsonb(d) || ${changes}::jsonb
      || jsonb_build_object('id', ids.id)) copy
    where d.central_id = 1 and d.id = ${id}`;
  return ids;
}

/** Copies a delivery of central 1, each with a stop for the same recipient, and indexes the copies for the search. */
export async function copySearched(
  { db, clock }: TestMalote,
  id: number,
  recipientName: string,
  count: number,
): Promise<number[]> {
  const ids = await copyDelivery(db, id, count);
  const stopIds = await db.newIds(1, 'stop', count);
  await db`
    insert into stops
    select copy.* from (
      select * from stops where central_id = 1 and delivery_id = ${id} order by position limit 1) s
    cross join unnest(${ids}::bigint[], ${stopIds}::bigint[]) as ids (delivery_id, id)
    cross join lateral jsonb_populate_record(null::stops, to_jsonb(s) || jsonb_build_object('id', ids.id,
      'delivery_id', ids.delivery_id, 'ordered_with', ids.delivery_id, 'position', 0,
      'tracking_token', 'copy-' || ids.id, 'recipient_name', ${recipientName}::text)) copy`;
  // The copies have no events from which the index would learn of them.
  await restartProgress(db, 1);
  await indexCentral({ db, clock }, 1);
  return ids;
}

/** Copies a driver of central 1, with the same position and categories. */
export async function copyDriver(db: Database, id: number, count: number): Promise<number[]> {
  const ids = await db.newIds(1, 'driver', count);
  await db`
    insert into drivers
    select copy.* from drivers d cross join unnest(${ids}::bigint[]) as ids (id)
    cross join lateral jsonb_populate_record(null::drivers, to_jsonb(d)
      || jsonb_build_object('id', ids.id)) copy
    where d.central_id = 1 and d.id = ${id}`;
  for (const table of ['driver_categories', 'driver_positions'])
    await runText(
      db,
      `insert into ${table}
       select copy.* from ${table} t cross join unnest($2::bigint[]) to_id
       cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t)
         || jsonb_build_object('driver_id', to_id)) copy where t.central_id = 1 and t.driver_id = $1`,
      [id, ids],
    );
  return ids;
}

/** The condition that selects the rows to copy, by table, in the order of the references. */
const COPIED = {
  categories: 'true',
  operating_areas: 'true',
  tariffs: 'true',
  companies: 'true',
  customers: 'true',
  drivers: 't.available',
  driver_categories: 't.driver_id in (select id from drivers where central_id = 1 and available)',
  driver_positions: 't.driver_id in (select id from drivers where central_id = 1 and available)',
  deliveries: "t.status = 'distributing'",
};

/**
 * Creates other centrals' registers and free drivers as copies of central 1's, and its deliveries that wait for
 * drivers.
 */
export async function copyCentral(db: Pick<Tx, 'channel'>, centralIds: readonly number[]): Promise<void> {
  for (const [table, condition] of Object.entries(COPIED))
    await runText(
      db,
      `insert into ${table}
       select copy.* from ${table} t cross join unnest($1::bigint[]) to_id
       cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t)
         || jsonb_build_object('central_id', to_id)) copy
       where t.central_id = 1 and ${condition}`,
      [centralIds],
    );
}

// States of webhooks and their messages that take a receiver and days of failures, and values that no interface shows.

/** The number of a webhook's messages, also after the webhook and its log are deleted. */
export async function countMessages({ db }: TestMalote, webhookId: string): Promise<number> {
  const [row] = await db<{ count: number }>`
    select count(*) from webhook_messages where central_id = 1 and webhook_id = ${Number(webhookId)}`;
  return row!.count;
}

/** The state after a day of failed attempts. */
export async function pauseWebhook(
  { db, clock }: TestMalote,
  id: string,
  { failures, since }: { failures: number; since: Temporal.Instant },
): Promise<void> {
  await db`
    update webhooks set failures = ${failures}, failing_since = ${since}, next_attempt_at = ${clock.now()},
      paused_at = ${clock.now()} where central_id = 1 and id = ${Number(id)}`;
}

/** Puts messages into a final state as the sender does: the given ones, or all of the webhook. */
export async function endMessages(
  { db, clock }: TestMalote,
  webhookId: string,
  state: 'delivered' | 'failed' | 'expired',
  messageIds: readonly number[] | null = null,
): Promise<void> {
  await db`
    update webhook_messages set state = ${state},
      expires_at = case when ${state} = 'expired' then ${clock.now()}::timestamptz end
    where central_id = 1 and webhook_id = ${Number(webhookId)}
      and (${messageIds}::bigint[] is null or id = any(${messageIds}::bigint[]))`;
}

/** Adds more delivered messages than requests could create in the time of a test. */
export async function multiplyMessages({ db }: TestMalote, webhookId: string, count: number): Promise<void> {
  await db`
    insert into webhook_messages (central_id, id, webhook_id, event_id, subject, place, occurred_at, state,
      next_attempt_at)
    select central_id, -n, webhook_id, event_id, subject, place, occurred_at, 'delivered', next_attempt_at
    from (select * from webhook_messages where central_id = 1 and webhook_id = ${Number(webhookId)} limit 1) message
    cross join generate_series(1, ${count}::integer) n`;
}

/**
 * Copies a scheduled delivery of central 1 with its stops to other centrals. copyCentral must have copied the
 * registers.
 */
export async function copyDueScheduled(
  db: Database,
  id: number,
  centralIds: readonly number[],
): Promise<void> {
  for (const [table, key] of [
    ['scheduled', 'id'],
    ['scheduled_stops', 'scheduled_id'],
  ])
    await runText(
      db,
      `insert into ${table}
       select copy.* from ${table} t cross join unnest($2::bigint[]) to_id
       cross join lateral jsonb_populate_record(null::${table}, to_jsonb(t)
         || jsonb_build_object('central_id', to_id)) copy
       where t.central_id = 1 and t.${key} = $1`,
      [id, centralIds],
    );
}
