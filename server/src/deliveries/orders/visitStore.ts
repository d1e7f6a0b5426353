import { Refusal } from '../kernel/refusal.ts';
import type { FailureDecision, FailureReason } from '../kernel/states.ts';
import type { Tx } from '../postgres/database.ts';

/*
 * Visits at which nothing could be handed over. They are read and written under the lock of the delivery that carries
 * the stop, without another lock.
 */

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
  const [row] = await tx<{ number: number }>`
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
  const [row] = await tx<{ count: number }>`
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
  const rows = await tx<{ stop_id: number }>`
    select distinct stop_id from stop_attempts
    where central_id = ${centralId} and stop_id = any(${stops.flatMap(({ id }) => id ?? [])}::bigint[])`;
  const tried = new Set(rows.map(({ stop_id }) => stop_id));
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
  const [attempt] = await tx<{ number: number; happenedAt: Temporal.Instant }>`
    select number, happened_at as "happenedAt" from stop_attempts
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
  const rows = await tx`
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

/** The attempt that ended a stop and is not settled yet. */
export async function findUnresolved(
  tx: Tx,
  centralId: number,
  stopId: number,
): Promise<Unresolved | undefined> {
  const [row] = await tx<Unresolved>`
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
  await tx`
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
  await tx`
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
  await tx`
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

/** SQL for the attempts of a stop as a JSON list, oldest first. `centralId` is the parameter of the central. */
export const attemptsSql = (centralId: string, stop: string): string => `(
  select coalesce(json_agg(json_build_object('number', a.number, 'driverName', driver.name, 'reason', a.reason,
      'note', a.note, 'decision', a.decision, 'happenedAt', a.happened_at, 'recordedAt', a.recorded_at,
      'undoneAt', a.undone_at, 'resolvedAt', a.resolved_at, 'resolution', a.resolution,
      'newDeliveryId', a.new_delivery_id) order by a.number), '[]')
  from stop_attempts a
  left join drivers driver on driver.central_id = ${centralId} and driver.id = a.driver_id
  where a.central_id = ${centralId} and a.stop_id = ${stop}.id)`;
