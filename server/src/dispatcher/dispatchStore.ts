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

// The due scheduled deliveries of all centrals are claimed together, by their time.

/** The part of a scheduled delivery that decides whether it can be dispatched now. */
export interface Due {
  centralId: number;
  id: number;
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

const COLUMNS = `central_id as "centralId", id, company_id as "companyId", payment, net_cents as "netCents"`;
const IS_DUE = `situation = 'awaiting' and dispatch_at <= $1 and (retry_at is null or retry_at <= $1)`;

/** Oldest first. Locks them, and skips what others hold: those are being dispatched or changed. */
export const claimDue = (tx: Tx, now: Temporal.Instant, limit: number): Promise<Due[]> =>
  tx.run<Due>(
    `select ${COLUMNS} from scheduled where ${IS_DUE} and not estimate_outdated
     order by dispatch_at, central_id, id limit $2 for update skip locked`,
    [now, limit],
  );

/** The same for a single scheduled delivery; an empty list when it is not due any more. */
export const claimOne = (tx: Tx, now: Temporal.Instant, { centralId, id }: Due): Promise<Due[]> =>
  tx.run<Due>(
    `select ${COLUMNS} from scheduled where central_id = $2 and id = $3 and ${IS_DUE} and not estimate_outdated
     for update skip locked`,
    [now, centralId, id],
  );

export interface Key {
  centralId: number;
  id: number;
}

/** Due scheduled deliveries whose estimate is outdated. They are not locked: the router is asked first. */
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
 * for all of them. The caller makes the wallet entries of what is paid by credit.
 */
export const insertDispatched = (tx: Tx, due: readonly Due[], now: Temporal.Instant): Promise<Dispatched[]> =>
  tx.run<Dispatched>(INSERT_DISPATCHED, [
    due.map(({ centralId }) => centralId),
    due.map(({ id }) => id),
    now,
  ]);

// Ids are taken in the order of the claim, so that the older of two due scheduled deliveries gets the smaller id.
const INSERT_DISPATCHED = `
  with claimed as (
    select scheduled.* from unnest($1::bigint[], $2::bigint[]) with ordinality as given (central_id, id, n)
    join scheduled using (central_id, id) order by n),
  due as materialized (
    select claimed.*, next_id(central_id, 'delivery') as new_id from claimed),
  new as (${insertDispatchedSql('due', '$3')}),
  new_stops as (
    ${insertStopsOfScheduledSql(
      'due join scheduled_stops s on s.central_id = due.central_id and s.scheduled_id = due.id',
      'due.new_id',
      's.position',
    )}
    returning central_id, delivery_id, id, position, order_number, external_id),
  marked as (${markDispatchedSql('due')}),
  recorded as (
    ${insertEventsSql(
      [
        'central_id',
        'type',
        'company_id',
        'delivery_id',
        'scheduled_id',
        'sequence',
        'payload',
        'occurred_at',
      ],
      `select central_id, ${eventTypeSql('delivery.status')}, company_id, id, null::bigint, 1,
        ${deliveryFacts(
          'new',
          `(select ${insertedStops('stop')} from new_stops stop
          where stop.central_id = new.central_id and stop.delivery_id = new.id)`,
        )}, $3
      from new
      union all
      select central_id, ${eventTypeSql('scheduled.dispatched')}, company_id, null, id, event_sequence,
        ${scheduledFacts('marked')}, $3
      from marked`,
    )})
  select ${COLUMNS}, new_id as "deliveryId" from due`;

/** Shortens lock waits for the rest of the transaction, so that one held lock does not delay other due work. */
export async function waitBriefly(tx: Tx): Promise<void> {
  await tx`select set_config('lock_timeout', '1s', true)`;
}
