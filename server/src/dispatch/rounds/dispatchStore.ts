import { insertDeliveriesOfDue } from '../../deliveries/deliveries/insertDeliveryStore.ts';
import type { Payment } from '../../deliveries/orders/request.ts';
import { insertStopsOfScheduled } from '../../deliveries/orders/stopStore.ts';
import { markDispatched } from '../../deliveries/scheduled/scheduledStore.ts';
import type { EventType } from '../../events/record/event.ts';
import {
  deliveryFacts,
  insertEvents,
  insertedStops,
  scheduledFacts,
} from '../../events/record/eventStore.ts';
import { CLOCK_TOLERANCE } from '../../platform/kernel/clock.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { raw, type Sql, sql } from '../../platform/postgres/sql.ts';

/** The part of a scheduled delivery that decides whether it can be dispatched now. */
export interface Due {
  id: number;
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

const COLUMNS = sql`id, company_id, payment, net_cents`;
/** A retry is postponed by seconds. A later `retry_at` was stored before the clock was set back, and is ignored. */
const isDueAt = (now: Temporal.Instant): Sql =>
  sql`situation = 'awaiting' and dispatch_at <= ${now} and (retry_at is null or retry_at <= ${now}
    or retry_at > ${now.add(CLOCK_TOLERANCE)})`;

/** How many due rows are read to find the centrals that have some. */
const READ_MAX = raw('limit 2000');

/** What a central has to dispatch. */
export interface DueCentral {
  centralId: number;
  count: number;
  /** Whether some are paid by credit, so that wallets must be locked. */
  paysByCredit: boolean;
}

/** Centrals with something that can be dispatched, the one with the oldest first. */
export const findDueCentrals = (
  tx: Tx,
  now: Temporal.Instant,
  except: readonly number[] = [],
): Promise<DueCentral[]> =>
  tx.rows<DueCentral>`
    select central_id, count(*) as count,
      coalesce(bool_or(payment = 'credit_wallet'), false) as pays_by_credit
    from (
      select central_id, dispatch_at, payment from scheduled
      where ${isDueAt(now)} and not estimate_outdated and central_id <> all(${except}::bigint[])
      order by dispatch_at ${READ_MAX}) due
    group by central_id order by min(dispatch_at), central_id`;

/** Locks the oldest due rows. Skips locked rows, which another transaction dispatches or changes. */
export const claimDue = (
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  limit: number,
  except: readonly number[] = [],
): Promise<Due[]> =>
  tx.rows<Due>`
    select ${COLUMNS} from scheduled
    where central_id = ${centralId} and ${isDueAt(now)} and not estimate_outdated
      and id <> all(${except}::bigint[])
    order by dispatch_at, id limit ${limit} for update skip locked`;

/** Claims these scheduled deliveries, except those that are not due any more. */
export const claimThese = (
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  ids: readonly number[],
): Promise<Due[]> =>
  tx.rows<Due>`
    select ${COLUMNS} from scheduled
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and ${isDueAt(now)} and not estimate_outdated
    order by dispatch_at, id for update skip locked`;

/** Centrals with due scheduled deliveries whose estimate is outdated. */
export async function findOutdatedCentrals(
  tx: Tx,
  now: Temporal.Instant,
  except: readonly number[] = [],
): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct central_id from scheduled
    where ${isDueAt(now)} and estimate_outdated and central_id <> all(${except}::bigint[])`;
  return rows.map((row) => row.centralId);
}

/** Those of the centrals in which any scheduled delivery awaits its dispatch. */
export async function findWaitingCentrals(
  tx: Tx,
  centralIds: readonly number[],
  isOutdated: boolean,
): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct central_id from scheduled
    where central_id = any(${centralIds}::bigint[]) and situation = 'awaiting'
      and estimate_outdated = ${isOutdated}`;
  return rows.map((row) => row.centralId);
}

/** These scheduled deliveries, the oldest first: the router is asked before any is locked. */
export async function findOutdated(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from scheduled where central_id = ${centralId} and ${isDueAt(now)} and estimate_outdated
    order by dispatch_at, id limit ${limit}`;
  return rows.map((row) => row.id);
}

/** The next instant at which a scheduled delivery is due. */
export async function findNextDispatch(
  tx: Tx,
  after: Temporal.Instant,
): Promise<Temporal.Instant | undefined> {
  const row = await tx.row<{ dispatchAt: Temporal.Instant }>`
    select dispatch_at from scheduled where situation = 'awaiting' and dispatch_at > ${after}
    order by dispatch_at limit 1`;
  return row?.dispatchAt;
}

/** A scheduled delivery, with the delivery that was made of it. */
export interface Dispatched extends Due {
  deliveryId: number;
}

/**
 * Makes a delivery of each claimed scheduled delivery, with the stops and the events of both sides, in one statement
 * for all of them. The caller makes the wallet entries of what is paid by credit. The older of two due scheduled
 * deliveries gets the smaller id.
 */
export async function insertDispatched(
  tx: Tx,
  centralId: number,
  due: readonly Due[],
  now: Temporal.Instant,
): Promise<Dispatched[]> {
  const { deliveryIds, eventIds } = await newDispatchIds(tx, centralId, due.length);
  await tx.rows`
    with due as materialized (
      select scheduled.*, given.new_id
      from unnest(${due.map(({ id }) => id)}::bigint[], ${deliveryIds}::bigint[]) as given (id, new_id)
      join scheduled on scheduled.central_id = ${centralId} and scheduled.id = given.id),
    ${dispatchDue(centralId, now)}
    ${insertDispatchEvents(centralId, eventIds, now)}`;
  return due.map((scheduled, index) => ({ ...scheduled, deliveryId: deliveryIds[index]! }));
}

/** The parts of a statement that make the deliveries of `due`. */
function dispatchDue(centralId: number, now: Temporal.Instant): Sql {
  const stops = insertStopsOfScheduled(
    sql`due join scheduled_stops s on s.central_id = ${centralId} and s.scheduled_id = due.id`,
    sql`due.new_id`,
    sql`s.position`,
  );
  return sql`
  new as (${insertDeliveriesOfDue(centralId, now)}),
  new_stops as (
    ${stops}
    returning delivery_id, id, position, order_number, external_id),
  marked as (${markDispatched(centralId)})`;
}

const EVENT_COLUMNS = [
  ...(['central_id', 'type', 'company_id', 'delivery_id', 'scheduled_id', 'sequence'] as const),
  ...(['payload', 'occurred_at'] as const),
];
const DELIVERY_EVENT: EventType = 'delivery.status';
const SCHEDULED_EVENT: EventType = 'scheduled.dispatched';

function insertDispatchEvents(centralId: number, ids: readonly number[], now: Temporal.Instant): Sql {
  const stops = sql`(select ${insertedStops(sql`stop`)} from new_stops stop where stop.delivery_id = new.id)`;
  const events = sql`
    select ${centralId}::bigint, ${DELIVERY_EVENT}::text, company_id, id, null::bigint, 1,
      ${deliveryFacts(centralId, sql`new`, stops)}, ${now}::timestamptz
    from new
    union all
    select ${centralId}::bigint, ${SCHEDULED_EVENT}::text, company_id, null, id, event_sequence,
      ${scheduledFacts(centralId, sql`marked`)}, ${now}::timestamptz
    from marked`;
  return insertEvents(EVENT_COLUMNS, ids, events);
}

export interface DispatchedAtOnce {
  /** How many were due and not locked by others. */
  claimed: number;
  made: number;
  /** True if some are paid by credit. Then nothing was done. */
  paysByCredit: boolean;
}

/**
 * Claims due scheduled deliveries of a central, as many as there are ids, and dispatches them, all in one statement,
 * which commits by itself. It does nothing if one of them is paid by credit, because its wallet must be locked first.
 *
 * The statement reads the rows and their stops as of its beginning, but locks their latest versions. A row that changed
 * in between (`xmin` is the transaction that wrote a row) is left for the next round.
 */
export async function dispatchAtOnce(
  tx: Tx,
  centralId: number,
  { deliveryIds, eventIds }: DispatchIds,
  now: Temporal.Instant,
): Promise<DispatchedAtOnce> {
  const row = await tx.row<DispatchedAtOnce>`
    with claimed as (
      select id, xmin as written_by, dispatch_at, payment from scheduled
      where central_id = ${centralId} and ${isDueAt(now)} and not estimate_outdated
      order by dispatch_at, id limit ${deliveryIds.length} for update skip locked),
    due as materialized (
      select scheduled.*,
        (${deliveryIds}::bigint[])[row_number() over (order by scheduled.dispatch_at, scheduled.id)] as new_id
      from claimed
      join scheduled on scheduled.central_id = ${centralId} and scheduled.id = claimed.id
        and scheduled.xmin = claimed.written_by
      where not exists (select from claimed paid where paid.payment = 'credit_wallet')),
    ${dispatchDue(centralId, now)},
    recorded as (${insertDispatchEvents(centralId, eventIds, now)})
    select (select count(*) from claimed) as claimed, (select count(*) from due) as made,
      exists (select from claimed where payment = 'credit_wallet') as pays_by_credit`;
  return row!;
}

interface DispatchIds {
  deliveryIds: readonly number[];
  eventIds: readonly number[];
}

/** The ids for the dispatch of `count` scheduled deliveries. */
export async function newDispatchIds(tx: Tx, centralId: number, count: number): Promise<DispatchIds> {
  const [deliveryIds, eventIds] = await Promise.all([
    tx.newIds(centralId, 'delivery', count),
    tx.newIds(centralId, 'event', 2 * count),
  ]);
  return { deliveryIds, eventIds };
}

/** Shortens lock waits for the rest of the transaction, so that one held lock does not delay other due work. */
export async function waitBriefly(tx: Tx): Promise<void> {
  await tx.rows`select set_config('lock_timeout', '200ms', true)`;
}
