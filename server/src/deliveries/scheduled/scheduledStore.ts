import type { Scope } from '../../centrals/caller.ts';
import { rowsInScope } from '../../centrals/scopeStore.ts';
import type { Actor, ScheduledEvent } from '../../events/record/event.ts';
import { insertEvents, scheduledFacts } from '../../events/record/eventStore.ts';
import type { Estimate } from '../../money/pricing/estimateTrip.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import {
  planChanges,
  type RowOfRequest,
  requestColumns,
  separateOfItself,
  withPickup,
} from '../orders/requestStore.ts';
import type { Scheduled } from './scheduled.ts';

const COLUMNS = requestColumns(
  ...['situation', 'dispatch_at', 'estimate_outdated', 'delivery_id', 'grouped_automatically', 'failure'],
);

export const {
  find: findScheduled,
  lock: lockScheduled,
  findAll: findManyScheduled,
  lockAll: lockManyScheduled,
  findSome: findSomeScheduled,
  lockSome: lockSomeScheduled,
} = rowsInScope<RowOfRequest<Scheduled>, Scheduled>({
  table: 'scheduled',
  columns: COLUMNS,
  missing: 'scheduled-not-found',
  toThing: withPickup,
});

/** The number of scheduled deliveries that await dispatch; the index by time holds only those. */
export async function countAwaiting(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from scheduled
    where central_id = ${centralId} and situation = 'awaiting'
      and (${companyId}::bigint is null or company_id = ${companyId})`;
  return row!.count;
}

/** The number of scheduled deliveries whose dispatch failed; a partial index holds only those. */
export async function countFailed(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from scheduled
    where central_id = ${centralId} and situation = 'failed'
      and (${companyId}::bigint is null or company_id = ${companyId})`;
  return row!.count;
}

/** The credit that a company's awaiting scheduled deliveries will take at dispatch; a partial index holds them. */
export async function sumAwaitingCredit(tx: Tx, centralId: number, companyId: number): Promise<number> {
  const row = await tx.row<{ cents: number }>`
    select coalesce(sum(net_cents), 0)::bigint as cents from scheduled
    where central_id = ${centralId} and company_id = ${companyId} and situation = 'awaiting'
      and payment = 'credit_wallet'`;
  return row!.cents;
}

// The following functions change rows whose locks the caller holds, and raise their version.

/** Null keeps the current figures and marks them as outdated; a given `separateMetres` is stored anyway. */
export async function saveEstimate(
  tx: Tx,
  centralId: number,
  id: number,
  estimate: Estimate | null,
  separateMetres?: number | null,
): Promise<void> {
  if (estimate === null) {
    await tx.rows`
      update scheduled set estimate_outdated = true, version = version + 1,
        separate_metres = case when ${separateMetres === undefined} then separate_metres else ${separateMetres ?? null} end
      where central_id = ${centralId} and id = ${id}`;
    return;
  }
  await tx.write`
    update scheduled set ${planChanges(estimate, separateMetres)}, estimate_outdated = false, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

/** Clears the grouping when no other is grouped into it any more. Its stops and figures stay. */
export async function markAlone(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.write`
    update scheduled set separate_metres = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

export async function markCancelled(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx.write`
    update scheduled set situation = 'cancelled', version = version + 1
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;
}

/** Takes scheduled deliveries out of their group. `moveStops` moves the stops back. */
export async function markReleased(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx.write`
    update scheduled set situation = 'awaiting', grouped_into = null, grouped_automatically = false,
      separate_metres = null, estimate_outdated = true, version = version + 1
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;
}

/**
 * Groups scheduled deliveries into another one, along with those grouped into them before, so that the carrier is
 * always one step away. `moveStops` moves the stops.
 */
export async function markGrouped(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  grouperId: number,
  automatically: boolean,
): Promise<void> {
  const parts = sql`scheduled part
    where part.central_id = ${centralId} and part.grouped_into = s.id and part.situation = 'grouped'`;
  await tx.write`
    update scheduled s set situation = 'grouped', grouped_into = ${grouperId},
      grouped_automatically = grouped_automatically or ${automatically}, version = version + 1,
      separate_metres = ${separateOfItself(sql`s`, parts)}
    where central_id = ${centralId} and (id = any(${ids}::bigint[])
      or grouped_into = any(${ids}::bigint[]) and situation = 'grouped')`;
}

/** Groups scheduled deliveries into a delivery in progress, which carries their stops from then on. */
export async function markGroupedIntoDelivery(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  deliveryId: number,
): Promise<void> {
  await tx.write`
    update scheduled set situation = 'grouped', grouped_into = null, delivery_id = ${deliveryId},
      version = version + 1
    where central_id = ${centralId} and (id = any(${ids}::bigint[])
      or grouped_into = any(${ids}::bigint[]) and situation = 'grouped')`;
}

/** The scheduled deliveries that are grouped into any of these. */
export async function findGroupedInto(tx: Tx, centralId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from scheduled
    where central_id = ${centralId} and grouped_into = any(${ids}::bigint[]) and situation = 'grouped'
    order by id`;
  return rows.map((row) => row.id);
}

/** Those of these scheduled deliveries that carry the stops of others. */
export async function findCarriers(tx: Tx, centralId: number, ids: readonly number[]): Promise<number[]> {
  const rows = await tx.rows<{ id: number | null }>`
    select distinct grouped_into as id from scheduled
    where central_id = ${centralId} and grouped_into = any(${ids}::bigint[]) and situation = 'grouped'`;
  return rows.flatMap((row) => row.id ?? []);
}

/**
 * SQL that marks each row of `due`, all of one central, as dispatched, with its delivery's id as `new_id`, and numbers
 * its event. Answers with the rows as they are afterwards.
 */
export const markDispatched = (centralId: number): Sql => sql`
  update scheduled s set situation = 'dispatched', delivery_id = due.new_id, retry_at = null,
    event_sequence = s.event_sequence + 1, version = s.version + 1
  from due where s.central_id = ${centralId} and s.id = due.id
  returning s.*`;

/** The dispatch failed for good. */
export async function markFailed(tx: Tx, centralId: number, id: number, failure: string): Promise<void> {
  await tx.rows`
    update scheduled set situation = 'failed', failure = ${failure}, retry_at = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

/** A dispatch that failed is tried again at this instant, as if for the first time. */
export async function markAwaitingAgain(
  tx: Tx,
  centralId: number,
  id: number,
  dispatchAt: Temporal.Instant,
): Promise<void> {
  await tx.write`
    update scheduled set situation = 'awaiting', failure = null, dispatch_at = ${dispatchAt}, dispatch_attempts = 0,
      retry_at = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

// The next two functions lock the row themselves and keep its version, because they change nothing that a plan uses.

/** Counts a dispatch that ended in an error; returns the count, or undefined if it does not await dispatch any more. */
export async function countDispatchAttempt(
  tx: Tx,
  centralId: number,
  id: number,
): Promise<number | undefined> {
  const row = await tx.row<{ dispatchAttempts: number }>`
    update scheduled set dispatch_attempts = dispatch_attempts + 1
    where central_id = ${centralId} and id = ${id} and situation = 'awaiting'
    returning dispatch_attempts`;
  return row?.dispatchAttempts;
}

export async function markDispatchRetry(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  retryAt: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update scheduled set retry_at = ${retryAt}
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and situation = 'awaiting'`;
}

/**
 * Marks the carrier of an automatic merge like those it carries, and gives it the notes of all of them: each note
 * must reach the driver. The caller holds the carrier's lock and has raised its version.
 */
export async function markMergeCarrier(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.rows`
    update scheduled set grouped_automatically = true, note = (
      select string_agg(note, chr(10) order by first_at, note) from (
        select note, min(dispatch_at) as first_at from scheduled
        where central_id = ${centralId} and note is not null
          and (id = ${id} or grouped_into = ${id} and situation = 'grouped')
        group by note) notes)
    where central_id = ${centralId} and id = ${id}`;
}

const EVENT_COLUMNS = [
  ...(['central_id', 'type', 'company_id', 'scheduled_id', 'sequence', 'payload'] as const),
  ...(['occurred_at', 'user_id'] as const),
];

/**
 * Called after the changes, in their transaction, so that the facts include the changes. The events are numbered in the
 * order given, in one statement.
 */
export async function recordScheduledEvents(
  tx: Tx,
  centralId: number,
  events: readonly ScheduledEvent[],
  { at, by }: Actor,
): Promise<void> {
  if (events.length === 0) return;
  const ids = await tx.newIds(centralId, 'event', events.length);
  const event = sql`
    select numbered.central_id, given.type, numbered.company_id, given.scheduled_id, sequence_before + nth,
      ${scheduledFacts(centralId, sql`numbered`)} || given.payload, ${at}::timestamptz, ${by}::bigint
    from given join numbered on numbered.id = given.scheduled_id
    order by given.ordinality`;
  await tx.write`
    with given as (
      select (e ->> 'scheduledId')::bigint as scheduled_id, e ->> 'type' as type, e -> 'payload' as payload,
        ordinality, row_number() over (partition by e ->> 'scheduledId' order by ordinality) as nth
      from jsonb_array_elements(${JSON.stringify(events)}::jsonb) with ordinality as t (e, ordinality)),
    numbered as (
      update scheduled s set event_sequence = event_sequence + counted.events
      from (select scheduled_id, count(*) as events from given group by scheduled_id) counted
      where s.central_id = ${centralId} and s.id = counted.scheduled_id
      returning s.*, s.event_sequence - counted.events as sequence_before)
    ${insertEvents(EVENT_COLUMNS, ids, event)}`;
}
