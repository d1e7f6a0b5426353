import type { Actor, EventType } from '../../events/record/event.ts';
import { insertEvent, insertSelectedEvents, newDeliveryFacts } from '../../events/record/eventStore.ts';
import { assertCouponUses, type Coupon } from '../../money/pricing/couponStore.ts';
import { batchLookups } from '../../platform/postgres/batchLookups.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { isStatementRefused } from '../../platform/postgres/databaseErrors.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { insertInParts } from '../../platform/postgres/insertInParts.ts';
import { changes, names, raw, type Sql, sql, values } from '../../platform/postgres/sql.ts';
import { upsertPerson } from '../../registers/companies/companyStore.ts';
import { andDemandRows, toDemandRows } from '../orders/demandStore.ts';
import type { PreparedOrder } from '../orders/request.ts';
import {
  customerOf,
  externalJson,
  externalRow,
  ORDER_COLUMNS,
  orderRow,
  TYPED_ORDER_COLUMNS,
} from '../orders/requestStore.ts';
import { insertStopRows, toStopRows } from '../orders/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { givenPromises, promisedAt, promisedWith } from './promise.ts';
import { GIVEN_PROMISES } from './promiseStore.ts';
import type { Status } from './status.ts';

const COLUMNS = raw(ORDER_COLUMNS.join(', '));
const COLUMNS_OF_DUE = raw(ORDER_COLUMNS.map((column) => `due.${column}`).join(', '));
const TYPED_COLUMNS = raw(TYPED_ORDER_COLUMNS);
const PROMISED_AT = promisedWith(
  { count: sql`promised_stops`, latest: sql`promised_until` },
  sql`requested_at`,
  sql`planned_seconds`,
  sql`stops`,
);
const EVENT_TYPE: EventType = 'delivery.status';
const EVENT_COLUMNS = [
  'central_id',
  'type',
  'company_id',
  'delivery_id',
  'sequence',
  'payload',
  'occurred_at',
  'user_id',
] as const;

/** A checked and priced order, to be inserted as a delivery. */
interface NewDelivery {
  centralId: number;
  prepared: PreparedOrder;
  actor: Actor;
}

const firstStatus = ({ needsRelease }: PreparedOrder): Status =>
  needsRelease ? 'awaiting_release' : 'distributing';

/** Inserts a delivery with its stops and its first event; answers with its id. */
export async function insertDelivery(tx: Tx, delivery: NewDelivery): Promise<number> {
  const { centralId, prepared, actor } = delivery;
  const customerId = await customerOf(tx, centralId, prepared);
  const { id, stops, demands, eventId, facts } = await withIds(tx, delivery);
  const row = {
    central_id: centralId,
    id,
    status: firstStatus(prepared),
    requested_at: actor.at,
    promised_at: newPromise(prepared, actor.at),
    ...orderRow(prepared, customerId),
    ...externalRow(prepared.order.external),
    event_sequence: 1,
  };
  const event = insertEvent({
    id: eventId,
    central_id: centralId,
    type: EVENT_TYPE,
    company_id: prepared.companyId,
    delivery_id: id,
    sequence: 1,
    payload: facts,
    occurred_at: actor.at,
    user_id: actor.by,
  });
  // Creation is the most frequent write of this room, so the row, its stops and its event are one statement.
  // PostgreSQL checks foreign keys at the end of a statement, so the order of the parts does not matter.
  await tx.rows`
    with new as (insert into deliveries (${names(row)}) values (${values(row)})),
    new_stops as (${insertStopRows('delivery', centralId, id, JSON.stringify(stops))})
    ${andDemandRows(centralId, demands)}
    ${event}`;
  await assertCouponUses(tx, centralId, prepared.couponId, customerId);
  return id;
}

async function withIds(tx: Tx, { centralId, prepared }: NewDelivery) {
  const { stops, external } = prepared.order;
  const [id, stopIds, eventId] = await Promise.all([
    newId(tx, centralId, 'delivery'),
    tx.newIds(centralId, 'stop', stops.length),
    newId(tx, centralId, 'event'),
  ]);
  const facts = newDeliveryFacts(
    { status: firstStatus(prepared), netCents: prepared.estimate.netCents, ownKey: external?.id },
    stops.map((stop, index) => ({ ...stop, id: stopIds[index]! })),
  );
  const demands = toDemandRows(stops, stopIds);
  return { id, eventId, facts, stops: toStopRows(stops, stopIds), demands };
}

function newPromise({ order: { stops }, estimate }: PreparedOrder, at: Temporal.Instant) {
  const { count, latest } = givenPromises(stops);
  if (count === stops.length) return latest;
  const formula = promisedAt(at, estimate.seconds, stops.length);
  return latest ? sql`greatest(${formula}, ${latest}::timestamptz)` : formula;
}

/**
 * Inserts deliveries whose orders need only one statement (`isOneStatement`). Those of one turn of the event loop share
 * a statement. Most of PostgreSQL's work for a creation is per statement, whatever the number of rows.
 *
 * The statement commits all of them or none. If it is refused because of one of them, each is inserted separately, so
 * that only that one is refused.
 */
export const insertDeliveryTogether = batchLookups<NewDelivery, number>(async (tx, all) => {
  const each = () => all.map((delivery) => insertDelivery(tx, delivery));
  if (all.length === 1 || tx.isDistributed) return each();
  try {
    return await insertTogether(tx, all);
  } catch (error) {
    if (!isStatementRefused(error)) throw error;
    return each();
  }
});

/** Inserts new deliveries of a central whose customers are known; returns their ids. */
export const insertDeliveries = (tx: Tx, all: readonly NewDelivery[]): Promise<number[]> =>
  insertInParts(all, (part) =>
    tx.isDistributed
      ? Promise.all(part.map((delivery) => insertDelivery(tx, delivery)))
      : insertTogether(tx, part),
  );

const withoutNulls = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

async function insertTogether(tx: Tx, all: readonly NewDelivery[]): Promise<number[]> {
  const made = await Promise.all(
    all.map(async (delivery) => {
      const { centralId, prepared, actor } = delivery;
      const { external } = prepared.order;
      const { id, stops, demands, eventId, facts } = await withIds(tx, delivery);
      const promised = givenPromises(prepared.order.stops);
      const row = {
        central_id: centralId,
        id,
        status: firstStatus(prepared),
        requested_at: actor.at,
        stops: stops.length,
        promised_stops: promised.count,
        ...(promised.latest && { promised_until: promised.latest }),
        event_id: eventId,
        user_id: actor.by,
        facts,
        ...withoutNulls(orderRow(prepared, prepared.customerId!)),
        ...externalJson(external),
      };
      return {
        row,
        stops: stops.map((stop) => ({ ...stop, central_id: centralId, request_id: id })),
        demands: demands.map((each) => ({ ...each, central_id: centralId })),
      };
    }),
  );
  const rows = JSON.stringify(made.map(({ row }) => row));
  const stops = JSON.stringify(made.flatMap((each) => each.stops));
  const event = sql`
    select event_id, central_id, ${EVENT_TYPE}::text, company_id, id, 1, facts, requested_at, user_id from new`;
  await tx.rows`
    with new as materialized (
      select * from json_to_recordset(${rows}::json) as new (central_id bigint, id bigint, status text,
        requested_at timestamptz, stops integer, promised_stops integer, promised_until timestamptz, event_id bigint, user_id bigint, facts jsonb, external_id text,
        external_content bytea, ${TYPED_COLUMNS})),
    new_deliveries as (
      insert into deliveries (central_id, id, status, requested_at, promised_at, ${COLUMNS}, external_id,
        external_content, event_sequence)
      select central_id, id, status, requested_at, ${PROMISED_AT}, ${COLUMNS}, external_id, external_content, 1
      from new),
    new_stops as (${insertStopRows('delivery', sql`central_id`, sql`request_id`, stops)})
    ${andDemandRows(
      sql`central_id`,
      made.flatMap(({ demands }) => demands),
    )}
    ${insertSelectedEvents(EVENT_COLUMNS, event)}`;
  return made.map(({ row }) => row.id);
}

/**
 * SQL that inserts a delivery for each row of `due`, which are rows of scheduled with the new id as `new_id`, all of
 * one central. What is paid by credit counts as reserved. The unique index deliveries_once_per_scheduled guarantees
 * that a scheduled delivery is dispatched once.
 */
export const insertDeliveriesOfDue = (centralId: number, now: Temporal.Instant): Sql => {
  const promised = promisedWith(GIVEN_PROMISES, now, sql`due.planned_seconds`, sql`count(*)`);
  return sql`
  insert into deliveries (central_id, id, status, scheduled_id, ${COLUMNS}, separate_metres, reserved_cents,
    requested_at, promised_at, event_sequence)
  select ${centralId}::bigint, due.new_id,
    case when central.settings @> '{"releaseRequired": true}' or company.needs_release
      then 'awaiting_release' else 'distributing' end,
    due.id, ${COLUMNS_OF_DUE}, due.separate_metres,
    case when due.payment = 'credit_wallet' then due.net_cents else 0 end, ${now}::timestamptz,
    (select ${promised} from scheduled_stops s
      left join stop_demands demanded on demanded.central_id = ${centralId} and demanded.stop_id = s.id
      where s.central_id = ${centralId} and s.scheduled_id = due.id), 1
  from due
  join centrals central on central.id = ${centralId}
  left join companies company on company.central_id = ${centralId} and company.id = due.company_id
  returning *`;
};

/**
 * Whether a delivery that is not started carries stops that were ordered with others. They can only come from a
 * scheduled delivery with others grouped into it. Nothing joins a delivery between dispatch and start, so the answer
 * needs no lock.
 */
export async function carriesOthers(tx: Tx, centralId: number, deliveryId: number): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from scheduled
    where central_id = ${centralId} and situation = 'grouped' and grouped_into = (
      select scheduled_id from deliveries where central_id = ${centralId} and id = ${deliveryId})
    limit 1`;
  return rows.length > 0;
}

/** The coupon that the delivery was ordered with, with its percentage at that time. */
export async function findHeldCoupon(
  tx: Tx,
  centralId: number,
  deliveryId: number,
): Promise<Pick<Coupon, 'id' | 'code' | 'percent'> | null> {
  const row = await tx.row<Pick<Coupon, 'id' | 'code' | 'percent'>>`
    select c.id, c.code, d.discount_percent as percent
    from deliveries d
    join coupons c on c.central_id = ${centralId} and c.id = d.coupon_id
    where d.central_id = ${centralId} and d.id = ${deliveryId}`;
  return row ?? null;
}

/**
 * Replaces everything of a delivery except its stops. The caller holds its lock. Without payment by credit wallet no
 * credit is held any more; holdCredit makes the wallet's entry. Returns the customer.
 */
export async function replaceDelivery(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  prepared: PreparedOrder,
): Promise<{ customerId: number }> {
  const { person, payment, external } = prepared.order;
  const customerId = person ? await upsertPerson(tx, centralId, person) : delivery.customerId;
  const row = {
    ...orderRow(prepared, customerId),
    ...(external && { external_content: external.content }),
  };
  // The amount of a credit wallet stays held.
  const changed = payment === 'credit_wallet' ? row : { ...row, reserved_cents: 0 };
  await tx.rows`
    update deliveries set ${changes(changed)}, version = version + 1
    where central_id = ${centralId} and id = ${delivery.id}`;
  return { customerId };
}
