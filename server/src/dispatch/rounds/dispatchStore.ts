import { insertDispatchedSql } from '../deliveries/insertDeliveryStore.ts';
import {
  deliveryFacts,
  eventTypeSql,
  insertEventsSql,
  insertedStops,
  scheduledFacts,
} from '../events/eventStore.ts';
import { latestDate } from '../kernel/clock.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/request.ts';
import { insertStopsOfScheduledSql } from '../requests/stopStore.ts';
import { markDispatchedSql } from '../scheduled/scheduledStore.ts';

/** The part of a scheduled delivery that decides whether it can be dispatched now. */
export interface Due {
  id: number;
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

const COLUMNS = `id, company_id as "companyId", payment, net_cents as "netCents"`;
/** A retry is postponed by seconds. A later `retry_at` was stored before the clock was set back, and is ignored. */
const isDueAt = (now: string): string =>
  `situation = 'awaiting' and dispatch_at <= ${now} and (retry_at is null or retry_at <= ${now}
    or retry_at > ${latestDate(now)})`;
const IS_DUE = isDueAt('$1');

/** How many due rows are read to find the centrals that have some. */
const DUE_READ_MAX = 2_000;

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
  tx.run<DueCentral>(
    `select central_id as "centralId", count(*) as count,
       coalesce(bool_or(payment = 'credit_wallet'), false) as "paysByCredit"
     from (
       select central_id, dispatch_at, payment from scheduled
       where ${IS_DUE} and not estimate_outdated and central_id <> all($2::bigint[])
       order by dispatch_at limit ${DUE_READ_MAX}) due
     group by central_id order by min(dispatch_at), central_id`,
    [now, except],
  );

/** Locks the oldest due rows. Skips locked rows, which another transaction dispatches or changes. */
export const claimDue = (tx: Tx, centralId: number, now: Temporal.Instant, limit: number): Promise<Due[]> =>
  tx.run<Due>(
    `select ${COLUMNS} from scheduled where central_id = $2 and ${IS_DUE} and not estimate_outdated
     order by dispatch_at, id limit $3 for update skip locked`,
    [now, centralId, limit],
  );

/** The same for a single scheduled delivery; an empty list when it is not due any more. */
export const claimOne = (tx: Tx, centralId: number, now: Temporal.Instant, id: number): Promise<Due[]> =>
  tx.run<Due>(
    `select ${COLUMNS} from scheduled where central_id = $2 and id = $3 and ${IS_DUE} and not estimate_outdated
     for update skip locked`,
    [now, centralId, id],
  );

/** Centrals with due scheduled deliveries whose estimate is outdated. */
export async function findOutdatedCentrals(
  tx: Tx,
  now: Temporal.Instant,
  except: readonly number[] = [],
): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select distinct central_id from scheduled
     where ${IS_DUE} and estimate_outdated and central_id <> all($2::bigint[])`,
    [now, except],
  );
  return rows.map((row) => row.central_id);
}

/** These scheduled deliveries, the oldest first: the router is asked before any is locked. */
export async function findOutdated(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
  limit: number,
): Promise<number[]> {
  const rows = await tx.run<{ id: number }>(
    `select id from scheduled where central_id = $2 and ${IS_DUE} and estimate_outdated
     order by dispatch_at, id limit $3`,
    [now, centralId, limit],
  );
  return rows.map((row) => row.id);
}

/** The next instant at which a scheduled delivery is due. */
export async function findNextDispatch(
  tx: Tx,
  after: Temporal.Instant,
): Promise<Temporal.Instant | undefined> {
  const [row] = await tx<{ dispatch_at: Temporal.Instant }>`
    select dispatch_at from scheduled where situation = 'awaiting' and dispatch_at > ${after}
    order by dispatch_at limit 1`;
  return row?.dispatch_at;
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
  await tx.run(INSERT_DISPATCHED, [centralId, due.map(({ id }) => id), deliveryIds, now, eventIds]);
  return due.map((scheduled, index) => ({ ...scheduled, deliveryId: deliveryIds[index]! }));
}

/** SQL that makes the deliveries of `due`. $1 is the central, $4 the time, $5 the ids of the events. */
const DISPATCH = `
  new as (${insertDispatchedSql('$1', 'due', '$4')}),
  new_stops as (
    ${insertStopsOfScheduledSql(
      'due join scheduled_stops s on s.central_id = $1 and s.scheduled_id = due.id',
      'due.new_id',
      's.position',
    )}
    returning delivery_id, id, position, order_number, external_id),
  marked as (${markDispatchedSql('$1', 'due')})`;

const RECORD_DISPATCHED = insertEventsSql(
  ['central_id', 'type', 'company_id', 'delivery_id', 'scheduled_id', 'sequence', 'payload', 'occurred_at'],
  '$5',
  `select $1::bigint, ${eventTypeSql('delivery.status')}, company_id, id, null::bigint, 1,
      ${deliveryFacts(
        '$1',
        'new',
        `(select ${insertedStops('stop')} from new_stops stop where stop.delivery_id = new.id)`,
      )}, $4
    from new
    union all
    select $1::bigint, ${eventTypeSql('scheduled.dispatched')}, company_id, null, id, event_sequence,
      ${scheduledFacts('$1', 'marked')}, $4
    from marked`,
);

const INSERT_DISPATCHED = `
  with due as materialized (
    select scheduled.*, given.new_id from unnest($2::bigint[], $3::bigint[]) as given (id, new_id)
    join scheduled on scheduled.central_id = $1 and scheduled.id = given.id),
  ${DISPATCH}
  ${RECORD_DISPATCHED}`;

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
  const values = [centralId, deliveryIds, deliveryIds.length, now, eventIds];
  const [row] = await tx.run<DispatchedAtOnce>(DISPATCH_AT_ONCE, values);
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

const DISPATCH_AT_ONCE = `
  with claimed as (
    select id, xmin as written_by, dispatch_at, payment from scheduled
    where central_id = $1 and ${isDueAt('$4')} and not estimate_outdated
    order by dispatch_at, id limit $3 for update skip locked),
  due as materialized (
    select scheduled.*,
      ($2::bigint[])[row_number() over (order by scheduled.dispatch_at, scheduled.id)] as new_id
    from claimed
    join scheduled on scheduled.central_id = $1 and scheduled.id = claimed.id
      and scheduled.xmin = claimed.written_by
    where not exists (select from claimed paid where paid.payment = 'credit_wallet')),
  ${DISPATCH},
  recorded as (${RECORD_DISPATCHED})
  select (select count(*) from claimed) as claimed, (select count(*) from due) as made,
    exists (select from claimed where payment = 'credit_wallet') as "paysByCredit"`;

/** Shortens lock waits for the rest of the transaction, so that one held lock does not delay other due work. */
export async function waitBriefly(tx: Tx): Promise<void> {
  await tx`select set_config('lock_timeout', '1s', true)`;
}
