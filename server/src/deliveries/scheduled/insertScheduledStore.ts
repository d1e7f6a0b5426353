import type { Actor, ScheduledEvent } from '../../events/record/event.ts';
import { insertedStops, insertSelectedEvents, scheduledFacts } from '../../events/record/eventStore.ts';
import { assertCouponUses, type Coupon } from '../../money/pricing/couponStore.ts';
import type { Estimate } from '../../money/pricing/estimateTrip.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { newId } from '../../platform/postgres/ids.ts';
import { insertInParts } from '../../platform/postgres/insertInParts.ts';
import { names, raw, type Sql, sql, values } from '../../platform/postgres/sql.ts';
import { upsertPerson } from '../../registers/companies/companyStore.ts';
import { andDemandRows, toDemandRows } from '../orders/demandStore.ts';
import type { PreparedOrder } from '../orders/request.ts';
import {
  customerOf,
  externalJson,
  externalRow,
  ORDER_COLUMNS,
  orderChanges,
  orderRow,
  pickupAndPlanChanges,
  TYPED_ORDER_COLUMNS,
} from '../orders/requestStore.ts';
import { insertStopRows, stopsParameter, toStopRows } from '../orders/stopStore.ts';
import type { Replacement, Scheduled } from './scheduled.ts';

const COLUMNS = raw(ORDER_COLUMNS.join(', '));
const TYPED_COLUMNS = raw(TYPED_ORDER_COLUMNS);
const CREATED = {
  type: 'scheduled.changed',
  payload: { situation: 'awaiting', change: 'created' },
} as const satisfies Omit<ScheduledEvent, 'scheduledId'>;

const EVENT_COLUMNS = [
  'central_id',
  'type',
  'company_id',
  'scheduled_id',
  'sequence',
  'payload',
  'occurred_at',
  'user_id',
] as const;

/** Inserts a scheduled delivery with its stops and its first event; returns its id. */
export async function insertScheduled(
  tx: Tx,
  centralId: number,
  prepared: PreparedOrder,
  dispatchAt: Temporal.Instant,
  { at, by }: Actor,
): Promise<number> {
  const customerId = await customerOf(tx, centralId, prepared);
  const { stops } = prepared.order;
  const [id, stopIds, eventId] = await Promise.all([
    newId(tx, centralId, 'scheduled'),
    tx.newIds(centralId, 'stop', stops.length),
    newId(tx, centralId, 'event'),
  ]);
  const row = {
    central_id: centralId,
    id,
    situation: 'awaiting',
    dispatch_at: dispatchAt,
    requested_at: at,
    ...orderRow(prepared, customerId),
    ...externalRow(prepared.order.external),
    event_sequence: 1,
  };
  const inserted = sql`(select ${insertedStops(sql`new_stops`)} from new_stops)`;
  const facts = scheduledFacts(centralId, sql`new`, inserted);
  const event = sql`
    select ${eventId}::bigint, central_id, ${CREATED.type}::text, company_id, id, 1, ${facts} || ${CREATED.payload}::jsonb,
      ${at}::timestamptz, ${by}::bigint
    from new`;
  // Creation is the most frequent write of this room, so the row, its stops and its event are one statement.
  // PostgreSQL checks foreign keys at the end of a statement, so the order of the parts does not matter.
  await tx.rows`
    with new as (insert into scheduled (${names(row)}) values (${values(row)}) returning *),
    new_stops as (
      ${insertStopRows('scheduled', centralId, id, stopsParameter(stops, stopIds))}
      returning id, position, order_number, external_id)
    ${andDemandRows(centralId, toDemandRows(stops, stopIds))}
    ${insertSelectedEvents(EVENT_COLUMNS, event)}`;
  await assertCouponUses(tx, centralId, prepared.couponId, customerId);
  return id;
}

interface NewScheduled {
  prepared: PreparedOrder & { customerId: number };
  dispatchAt: Temporal.Instant;
}

/** Inserts new scheduled deliveries of a central whose customers are known; returns their ids. */
export const insertScheduledTogether = (
  tx: Tx,
  centralId: number,
  all: readonly NewScheduled[],
  actor: Actor,
): Promise<number[]> =>
  insertInParts(all, (part) =>
    tx.isDistributed
      ? Promise.all(
          part.map(({ prepared, dispatchAt }) => insertScheduled(tx, centralId, prepared, dispatchAt, actor)),
        )
      : insertTogether(tx, centralId, part, actor),
  );

async function insertTogether(
  tx: Tx,
  centralId: number,
  all: readonly NewScheduled[],
  { at, by }: Actor,
): Promise<number[]> {
  const made = await Promise.all(
    all.map(async ({ prepared, dispatchAt }) => {
      const { stops } = prepared.order;
      const [id, stopIds, eventId] = await Promise.all([
        newId(tx, centralId, 'scheduled'),
        tx.newIds(centralId, 'stop', stops.length),
        newId(tx, centralId, 'event'),
      ]);
      const row = {
        id,
        dispatch_at: dispatchAt,
        event_id: eventId,
        event_stops: stops.map(({ orderNumber, externalId }, order) => ({
          id: stopIds[order],
          order,
          orderNumber,
          externalId,
        })),
        ...orderRow(prepared, prepared.customerId),
        ...externalJson(prepared.order.external),
      };
      return {
        row,
        stops: toStopRows(stops, stopIds).map((stop) => ({ ...stop, request_id: id })),
        demands: toDemandRows(stops, stopIds),
      };
    }),
  );
  const rows = JSON.stringify(made.map(({ row }) => row));
  const stops = JSON.stringify(made.flatMap((each) => each.stops));
  const event = sql`
    select given.event_id, ${centralId}::bigint, ${CREATED.type}::text, new.company_id, new.id, 1,
      ${scheduledFacts(centralId, sql`new`, sql`given.event_stops`)} || ${CREATED.payload}::jsonb,
      ${at}::timestamptz, ${by}::bigint
    from new join given on given.id = new.id`;
  await tx.rows`
    with given as materialized (
      select * from json_to_recordset(${rows}::json) as given (id bigint, dispatch_at timestamptz, event_id bigint,
        event_stops jsonb, external_id text, external_content bytea, ${TYPED_COLUMNS})),
    new as (
      insert into scheduled (central_id, id, situation, dispatch_at, requested_at, ${COLUMNS}, external_id,
        external_content, event_sequence)
      select ${centralId}::bigint, id, 'awaiting', dispatch_at, ${at}::timestamptz, ${COLUMNS}, external_id,
        external_content, 1
      from given
      returning *),
    new_stops as (${insertStopRows('scheduled', centralId, sql`request_id`, stops)})
    ${andDemandRows(
      centralId,
      made.flatMap(({ demands }) => demands),
    )}
    ${insertSelectedEvents(EVENT_COLUMNS, event)}`;
  return made.map(({ row }) => row.id);
}

/** The scheduled delivery awaits its dispatch from now on, also if an earlier dispatch failed. */
const awaitsAgain = (dispatchAt: Temporal.Instant): Sql => sql`situation = 'awaiting', failure = null,
  dispatch_at = ${dispatchAt}, estimate_outdated = false, dispatch_attempts = 0, retry_at = null,
  personal_data_removed_at = null, version = version + 1`;

/** Replaces everything that an edit replaces, except the stops. The caller holds the row's lock. */
export async function replaceScheduled(
  tx: Tx,
  centralId: number,
  id: number,
  { dispatchAt, payment, pickup }: Replacement,
  estimate: Estimate,
): Promise<void> {
  await tx.rows`
    update scheduled set ${pickupAndPlanChanges(pickup, estimate)}, payment = ${payment}, ${awaitsAgain(dispatchAt)}
    where central_id = ${centralId} and id = ${id}`;
}

/**
 * Replaces the whole order, except the stops and its company. Without a person in the new order, the current one stays.
 * The caller holds the row's lock. Returns the customer.
 */
export async function replaceOrdered(
  tx: Tx,
  centralId: number,
  scheduled: Scheduled,
  prepared: PreparedOrder,
  dispatchAt: Temporal.Instant,
): Promise<number> {
  const { person } = prepared.order;
  const customerId = person ? await upsertPerson(tx, centralId, person) : scheduled.customerId;
  await tx.rows`
    update scheduled set ${orderChanges(prepared, customerId)}, ${awaitsAgain(dispatchAt)}
    where central_id = ${centralId} and id = ${scheduled.id}`;
  return customerId;
}

/** The coupon that the scheduled delivery was ordered with, with its percentage at that time. */
export async function findHeldCoupon(
  tx: Tx,
  centralId: number,
  scheduledId: number,
): Promise<Pick<Coupon, 'id' | 'code' | 'percent'> | null> {
  const row = await tx.row<Pick<Coupon, 'id' | 'code' | 'percent'>>`
    select c.id, c.code, s.discount_percent as percent
    from scheduled s
    join coupons c on c.central_id = ${centralId} and c.id = s.coupon_id
    where s.central_id = ${centralId} and s.id = ${scheduledId}`;
  return row ?? null;
}
