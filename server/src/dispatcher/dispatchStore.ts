import { insertDispatchedSql } from '../deliveries/insertDeliveryStore.ts';
import {
  deliveryFacts,
  eventTypeSql,
  insertEventsSql,
  insertedStops,
  scheduledFacts,
} from '../events/eventStore.ts';
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
const IS_DUE = `situation = 'awaiting' and dispatch_at <= $1 and (retry_at is null or retry_at <= $1)`;

/** How many due rows are read to find the centrals that have some. */
const DUE_READ_MAX = 2_000;

/** Centrals with something that can be dispatched, the one with the oldest first. */
export async function findDueCentrals(
  tx: Tx,
  now: Temporal.Instant,
  except: readonly number[] = [],
): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select central_id from (
       select central_id, dispatch_at from scheduled
       where ${IS_DUE} and not estimate_outdated and central_id <> all($2::bigint[])
       order by dispatch_at limit ${DUE_READ_MAX}) due
     group by central_id order by min(dispatch_at), central_id`,
    [now, except],
  );
  return rows.map((row) => row.central_id);
}

/** Oldest first. Locks them, and skips what others hold: those are being dispatched or changed. */
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

export interface Key {
  centralId: number;
  id: number;
}

/** Due scheduled deliveries whose estimate is outdated, of all centrals: the router is asked before any is locked. */
export const findOutdated = (tx: Tx, now: Temporal.Instant, limit: number): Promise<Key[]> =>
  tx.run<Key>(
    `select central_id as "centralId", id from scheduled where ${IS_DUE} and estimate_outdated
     order by dispatch_at, central_id, id limit $2`,
    [now, limit],
  );

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
  const [deliveryIds, eventIds] = await Promise.all([
    tx.newIds(centralId, 'delivery', due.length),
    tx.newIds(centralId, 'event', 2 * due.length),
  ]);
  await tx.run(INSERT_DISPATCHED, [centralId, due.map(({ id }) => id), deliveryIds, now, eventIds]);
  return due.map((scheduled, index) => ({ ...scheduled, deliveryId: deliveryIds[index]! }));
}

const INSERT_DISPATCHED = `
  with due as materialized (
    select scheduled.*, given.new_id from unnest($2::bigint[], $3::bigint[]) as given (id, new_id)
    join scheduled on scheduled.central_id = $1 and scheduled.id = given.id),
  new as (${insertDispatchedSql('$1', 'due', '$4')}),
  new_stops as (
    ${insertStopsOfScheduledSql(
      'due join scheduled_stops s on s.central_id = $1 and s.scheduled_id = due.id',
      'due.new_id',
      's.position',
    )}
    returning delivery_id, id, position, order_number, external_id),
  marked as (${markDispatchedSql('$1', 'due')})
  ${insertEventsSql(
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
  )}`;

/** Shortens lock waits for the rest of the transaction, so that one held lock does not delay other due work. */
export async function waitBriefly(tx: Tx): Promise<void> {
  await tx`select set_config('lock_timeout', '1s', true)`;
}
