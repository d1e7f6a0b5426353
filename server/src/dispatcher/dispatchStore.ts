import { deliveryFacts, insertedStops, scheduledFacts } from '../events/factsSql.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/order.ts';

// Due work of every central is claimed at once: the claim is the one query that begins with the time.

/** As much of a scheduled delivery as decides whether it can be dispatched now. */
export interface Due {
  centralId: number;
  id: number;
  companyId: number | null;
  payment: Payment;
  netCents: number;
}

const COLUMNS = `central_id as "centralId", id, company_id as "companyId", payment, net_cents as "netCents"`;
const IS_DUE = `situation = 'awaiting' and dispatch_at <= $1 and (retry_at is null or retry_at <= $1)`;

/** Oldest first. Locks them, and passes over what others hold: those are being dispatched, or changed. */
export const claimDue = (tx: Tx, now: Temporal.Instant, limit: number): Promise<Due[]> =>
  tx.run<Due>(
    `select ${COLUMNS} from scheduled where ${IS_DUE} and not estimate_outdated
     order by dispatch_at, central_id, id limit $2 for update skip locked`,
    [now, limit],
  );

/** The same for a single one; nothing when it is no longer due. */
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

/** Due ones whose figures are those of earlier stops. Not locked: the router is asked first. */
export const findOutdated = (tx: Tx, now: Temporal.Instant, limit: number): Promise<Key[]> =>
  tx.run<Key>(
    `select central_id as "centralId", id from scheduled where ${IS_DUE} and estimate_outdated
     order by dispatch_at, central_id, id limit $2`,
    [now, limit],
  );

/** The next instant at which something falls due. */
export async function findNextDispatch(
  tx: Tx,
  after: Temporal.Instant,
): Promise<Temporal.Instant | undefined> {
  const [row] = await tx<{ dispatch_at: Temporal.Instant }>`
    select dispatch_at from scheduled where situation = 'awaiting' and dispatch_at > ${after}
    order by dispatch_at limit 1`;
  return row?.dispatch_at;
}

/** The delivery that was made of it. */
export interface Dispatched extends Due {
  deliveryId: number;
}

/**
 * Makes the deliveries of claimed ones, with their stops and the events on both sides, in one statement
 * however many they are. What is paid by credits counts as reserved; the caller enters it. The unique index deliveries_once_per_scheduled stands behind it: a second delivery
 * of the same scheduled one cannot be written by anybody.
 */
export const insertDispatched = (tx: Tx, due: readonly Due[], now: Temporal.Instant): Promise<Dispatched[]> =>
  tx.run<Dispatched>(INSERT_DISPATCHED, [due.map((one) => one.centralId), due.map((one) => one.id), now]);

// The ids are taken in the order of the claim, so that of two due at once the older one has the smaller id.
// A tracking token is 122 random bits, of PostgreSQL's strong generator, in base64url.
const INSERT_DISPATCHED = `
  with claimed as (
    select scheduled.* from unnest($1::bigint[], $2::bigint[]) with ordinality as given (central_id, id, n)
    join scheduled using (central_id, id) order by n),
  due as materialized (
    select claimed.*, next_id(central_id, 'delivery') as new_id from claimed),
  new as (
    insert into deliveries (central_id, id, status, scheduled_id, company_id, customer_id, category_id, tariff_id,
      payment, has_return, note, coupon_id, discount_percent, pickup_address, pickup_complement, pickup_reference,
      pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng, planned_metres, planned_seconds,
      gross_cents, net_cents, reserved_cents, requested_at, event_sequence)
    select due.central_id, due.new_id,
      case when central.settings @> '{"releaseRequired": true}' or company.needs_release
        then 'awaiting_release' else 'distributing' end,
      due.id, due.company_id, due.customer_id, due.category_id, due.tariff_id, due.payment, due.has_return,
      due.note, due.coupon_id, due.discount_percent, due.pickup_address, due.pickup_complement,
      due.pickup_reference, due.pickup_district, due.pickup_city, due.pickup_state, due.pickup_lat,
      due.pickup_lng, due.planned_metres, due.planned_seconds, due.gross_cents, due.net_cents,
      case when due.payment = 'credit_wallet' then due.net_cents else 0 end, $3, 1
    from due
    join centrals central on central.id = due.central_id
    left join companies company on company.central_id = due.central_id and company.id = due.company_id
    returning *),
  new_stops as (
    insert into stops (central_id, id, delivery_id, ordered_with, position, address, complement, reference,
      district, city, state, lat, lng, order_number, external_id, recipient_name, recipient_phone, note,
      collect_cents, confirmation_code, tracking_token)
    select s.central_id, s.id, due.new_id, due.new_id, s.position, s.address, s.complement, s.reference,
      s.district, s.city, s.state, s.lat, s.lng, s.order_number, s.external_id, s.recipient_name,
      s.recipient_phone, s.note, s.collect_cents, s.confirmation_code,
      translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=', '-_')
    from due join scheduled_stops s on s.central_id = due.central_id and s.scheduled_id = due.id
    returning central_id, delivery_id, id, position, order_number, external_id),
  marked as (
    update scheduled s set situation = 'dispatched', delivery_id = due.new_id, retry_at = null,
      event_sequence = s.event_sequence + 1, version = s.version + 1
    from due where s.central_id = due.central_id and s.id = due.id
    returning s.*),
  told as (
    insert into events (central_id, id, type, company_id, delivery_id, scheduled_id, sequence, payload, occurred_at)
    select central_id, next_id(central_id, 'event'), 'delivery.status', company_id, id, null, 1,
      ${deliveryFacts(
        'new',
        `(select ${insertedStops('stop')} from new_stops stop
        where stop.central_id = new.central_id and stop.delivery_id = new.id)`,
      )}, $3
    from new
    union all
    select central_id, next_id(central_id, 'event'), 'scheduled.dispatched', company_id, null, id, event_sequence,
      ${scheduledFacts('marked')}, $3
    from marked)
  select ${COLUMNS}, new_id as "deliveryId" from due`;

/** For the rest of the transaction: whoever holds a lock for long does not keep other due work waiting too. */
export async function waitBriefly(tx: Tx): Promise<void> {
  await tx`select set_config('lock_timeout', '1s', true)`;
}

/** The caller holds its lock. */
export async function markFailed(tx: Tx, { centralId, id }: Key, failure: string): Promise<void> {
  await tx`
    update scheduled set situation = 'failed', failure = ${failure}, retry_at = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

/** Counts a dispatch that ended in an error, unless the row is no longer waiting; answers with the count. */
export async function countAttempt(tx: Tx, { centralId, id }: Key): Promise<number | undefined> {
  const [row] = await tx<{ dispatch_attempts: number }>`
    update scheduled set dispatch_attempts = dispatch_attempts + 1
    where central_id = ${centralId} and id = ${id} and situation = 'awaiting'
    returning dispatch_attempts`;
  return row?.dispatch_attempts;
}

export async function markRetry(tx: Tx, { centralId, id }: Key, retryAt: Temporal.Instant): Promise<void> {
  await tx`
    update scheduled set retry_at = ${retryAt}
    where central_id = ${centralId} and id = ${id} and situation = 'awaiting'`;
}
