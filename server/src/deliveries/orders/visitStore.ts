import { Refusal } from '../../platform/kernel/refusal.ts';
import type { FailureDecision, FailureReason, Payment } from '../../platform/kernel/states.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';

/*
 * The visits of a driver to the stops of deliveries, and those at which nothing could be handed over. They are read and
 * written under the lock of the delivery that carries the stop, without another lock.
 */

export interface StopAtHand {
  id: number;
  orderedWith: number;
  order: number;
  collectCents: number | null;
  code: number | null;
  wrongCodes: number;
  arrivedAt: Temporal.Instant | null;
  concludedAt: Temporal.Instant | null;
  /** The driver of a concluded or failed stop. */
  concludedBy: number | null;
  /** The payment of the delivery that the stop was ordered with. */
  payment: Payment;
  /** Whether the recipient's data was removed: no name, no phone, and an approximate position. */
  isErased: boolean;
}

/** Locks a stop of the delivery that carries it. The caller holds that delivery's lock. */
export async function lockStop(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopId: number,
): Promise<StopAtHand> {
  const stop = await tx.row<StopAtHand>`
    select id, ordered_with, position as "order", collect_cents,
      confirmation_code as code, recipient_name is null and recipient_phone is null and lat = rough_degree(lat)
        and lng = rough_degree(lng) as is_erased,
      wrong_codes, arrived_at, concluded_at,
      concluded_by, (
        select origin.payment from deliveries origin
        where origin.central_id = ${centralId} and origin.id = stops.ordered_with) as payment
    from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId} and id = ${stopId}
    for update`;
  if (!stop) throw new Refusal('stop-not-found');
  return stop;
}

export async function countOpenStops(tx: Tx, centralId: number, deliveryId: number): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId} and concluded_at is null`;
  return row!.count;
}

/** How a stop ended. */
type StopOutcome = 'delivered' | 'not-delivered';

/**
 * Marks a stop of a delivery as concluded, or as given up. The stored time is not before the start, and is after that
 * of the last concluded stop even if a clock was set back, because the order of these times is the order of the visits.
 */
export async function markStopConcluded(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopId: number,
  driverId: number | null,
  now: Temporal.Instant,
  outcome: StopOutcome = 'delivered',
): Promise<void> {
  await tx.write`
    update stops set not_delivered = ${outcome === 'not-delivered'}, concluded_by = ${driverId},
      concluded_at = greatest(${now}::timestamptz, (
        select started_at from deliveries where central_id = ${centralId} and id = ${deliveryId}), (
        select max(concluded_at) + interval '1 microsecond' from stops
        where central_id = ${centralId} and delivery_id = ${deliveryId}))
    where central_id = ${centralId} and id = ${stopId}`;
}

export async function markStopArrived(
  tx: Tx,
  centralId: number,
  stopId: number,
  at: Temporal.Instant,
): Promise<void> {
  await tx.write`update stops set arrived_at = ${at} where central_id = ${centralId} and id = ${stopId}`;
}

/** Clears the arrival of a stop that will be visited again. */
export async function clearStopArrival(tx: Tx, centralId: number, stopId: number): Promise<void> {
  await tx.write`update stops set arrived_at = null where central_id = ${centralId} and id = ${stopId}`;
}

/** Reopens a stop that was given up. */
export async function markStopReopened(tx: Tx, centralId: number, stopId: number): Promise<void> {
  await tx.rows`
    update stops set concluded_at = null, not_delivered = false, arrived_at = null
    where central_id = ${centralId} and id = ${stopId}`;
}

/** Returns the number of wrong codes so far. */
export async function markWrongCode(tx: Tx, centralId: number, stopId: number): Promise<number> {
  const row = await tx.row<{ wrongCodes: number }>`
    update stops set wrong_codes = wrong_codes + 1
    where central_id = ${centralId} and id = ${stopId}
    returning wrong_codes`;
  return row!.wrongCodes;
}

/** The recorded receiver and collected amount. */
export interface Received {
  by: string | null;
  cents: number | null;
  payment: Payment | null;
}

/** The caller holds the lock of the delivery that carries the stop. */
export async function markStopReceived(
  tx: Tx,
  centralId: number,
  stopId: number,
  { by, cents, payment }: Received,
): Promise<void> {
  await tx.write`
    update stops set received_by = ${by}, received_cents = ${cents}, received_payment = ${payment}
    where central_id = ${centralId} and id = ${stopId}`;
}

/**
 * How much was recorded beyond what the stops of a delivery collect: parts of its price. Only orders in cash leave the
 * price to the driver. The caller holds the delivery's lock.
 */
export async function sumPriceRecorded(tx: Tx, centralId: number, deliveryId: number): Promise<number> {
  const row = await tx.row<{ cents: number }>`
    select coalesce(sum(greatest(0, s.received_cents - coalesce(s.collect_cents, 0))), 0)::bigint as cents
    from stops s
    join deliveries origin on origin.central_id = ${centralId} and origin.id = s.ordered_with
      and origin.payment = 'cash'
    where s.central_id = ${centralId} and s.delivery_id = ${deliveryId}`;
  return row!.cents;
}

/** Stores the current driver with concluded stops that name no driver yet. */
export async function nameConcluder(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
): Promise<void> {
  await tx.rows`
    update stops set concluded_by = ${driverId}
    where central_id = ${centralId} and delivery_id = ${deliveryId} and concluded_at is not null
      and concluded_by is null`;
}

export interface NewAttempt {
  stopId: number;
  deliveryId: number;
  driverId: number | null;
  reason: FailureReason;
  note: string | null;
  decision: FailureDecision;
  happenedAt: Temporal.Instant;
  recordedAt: Temporal.Instant;
  recordedBy: number | null;
}

/** Returns its number among the attempts of its stop. */
export async function insertAttempt(tx: Tx, centralId: number, attempt: NewAttempt): Promise<number> {
  const row = await tx.row<{ number: number }>`
    insert into stop_attempts (central_id, stop_id, number, delivery_id, driver_id, reason, note, decision,
      happened_at, recorded_at, recorded_by)
    select ${centralId}, ${attempt.stopId}, coalesce(max(number), 0) + 1, ${attempt.deliveryId}::bigint,
      ${attempt.driverId}::bigint, ${attempt.reason}, ${attempt.note}, ${attempt.decision},
      ${attempt.happenedAt}::timestamptz, ${attempt.recordedAt}::timestamptz, ${attempt.recordedBy}::bigint
    from stop_attempts where central_id = ${centralId} and stop_id = ${attempt.stopId}
    returning number`;
  return row!.number;
}

/** Excludes attempts that an operator undid. */
export async function countAttempts(tx: Tx, centralId: number, stopId: number): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from stop_attempts
    where central_id = ${centralId} and stop_id = ${stopId} and undone_at is null`;
  return row!.count;
}

/**
 * Indexes of the stops with a failed attempt that are visited again, after all others. Includes stops that an operator
 * put back.
 */
export async function findTried(
  tx: Tx,
  centralId: number,
  stops: readonly { id: number | null }[],
): Promise<number[]> {
  const rows = await tx.rows<{ stopId: number }>`
    select distinct stop_id from stop_attempts
    where central_id = ${centralId} and stop_id = any(${stops.flatMap(({ id }) => id ?? [])}::bigint[])`;
  const tried = new Set(rows.map(({ stopId }) => stopId));
  return stops.flatMap(({ id }, index) => (id !== null && tried.has(id) ? [index] : []));
}

/** Refuses steps of a visit that has already failed. Null stands for the next visit. */
export async function assertNewVisit(
  tx: Tx,
  centralId: number,
  stopId: number,
  visit: number | null,
): Promise<void> {
  if (visit !== null && visit <= (await countAttempts(tx, centralId, stopId)))
    throw new Refusal('step-out-of-order');
}

/** The last visit of a driver to a stop that failed while this delivery carried it. */
export async function findLastAttemptBy(
  tx: Tx,
  centralId: number,
  { deliveryId, stopId, driverId }: { deliveryId: number; stopId: number; driverId: number },
): Promise<{ number: number; happenedAt: Temporal.Instant } | undefined> {
  const attempt = await tx.row<{ number: number; happenedAt: Temporal.Instant }>`
    select number, happened_at from stop_attempts
    where central_id = ${centralId} and stop_id = ${stopId} and delivery_id = ${deliveryId}
      and driver_id = ${driverId}
    order by number desc limit 1`;
  return attempt;
}

/** Whether goods of other stops still return to the pickup with the same delivery. */
export async function returnsForOthers(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopId: number,
): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from stops s
    join stop_attempts a on a.central_id = ${centralId} and a.stop_id = s.id
    where s.central_id = ${centralId} and s.delivery_id = ${deliveryId} and s.id <> ${stopId} and s.not_delivered
      and a.decision = 'return' and a.undone_at is null
    limit 1`;
  return rows.length > 0;
}

export interface Unresolved {
  number: number;
}

/** The attempt that ended a stop and is not resolved yet. */
export async function findUnresolved(
  tx: Tx,
  centralId: number,
  stopId: number,
): Promise<Unresolved | undefined> {
  const row = await tx.row<Unresolved>`
    select number from stop_attempts
    where central_id = ${centralId} and stop_id = ${stopId} and decision <> 'retry' and undone_at is null
      and resolved_at is null
    order by number desc limit 1`;
  return row;
}

export async function markUndone(
  tx: Tx,
  centralId: number,
  stopId: number,
  number: number,
  at: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update stop_attempts set undone_at = ${at}
    where central_id = ${centralId} and stop_id = ${stopId} and number = ${number}`;
}

export interface Resolution {
  at: Temporal.Instant;
  by: number | null;
  /** Exactly one of the two is given. */
  text: string | null;
  newDeliveryId: number | null;
}

export async function markResolved(
  tx: Tx,
  centralId: number,
  stopId: number,
  number: number,
  { at, by, text, newDeliveryId }: Resolution,
): Promise<void> {
  await tx.rows`
    update stop_attempts set resolved_at = ${at}, resolved_by = ${by}, resolution = ${text},
      new_delivery_id = ${newDeliveryId}
    where central_id = ${centralId} and stop_id = ${stopId} and number = ${number}`;
}

/** Removes notes about recipients. */
export async function removeNotesOfStops(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<void> {
  await tx.rows`
    update stop_attempts set note = null, resolution = case when resolution is not null then '***' end
    where central_id = ${centralId} and stop_id = any(${stopIds}::bigint[])
      and (note is not null or resolution is not null)`;
}

/** An attempt as JSON; instants are ISO 8601 texts, in any zone. */
export interface AttemptShown {
  number: number;
  driverName: string | null;
  reason: FailureReason;
  note: string | null;
  decision: FailureDecision;
  happenedAt: string;
  recordedAt: string;
  undoneAt: string | null;
  resolvedAt: string | null;
  resolution: string | null;
  newDeliveryId: number | null;
}

/** SQL for the attempts of the stop `s` as a JSON list, oldest first. */
export const attemptsSql = (centralId: number): Sql => sql`(
  select coalesce(json_agg(json_build_object('number', a.number, 'driverName', driver.name, 'reason', a.reason,
      'note', a.note, 'decision', a.decision, 'happenedAt', a.happened_at, 'recordedAt', a.recorded_at,
      'undoneAt', a.undone_at, 'resolvedAt', a.resolved_at, 'resolution', a.resolution,
      'newDeliveryId', a.new_delivery_id) order by a.number), '[]')
  from stop_attempts a
  left join drivers driver on driver.central_id = ${centralId} and driver.id = a.driver_id
  where a.central_id = ${centralId} and a.stop_id = s.id)`;
