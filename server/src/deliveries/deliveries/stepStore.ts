import type { Actor, DeliveryEvent, EventType, StatusDetails } from '../../events/record/event.ts';
import {
  deliveryFacts,
  deliveryStops,
  insertEvents,
  insertSelectedEvents,
} from '../../events/record/eventStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { joined, raw, type Sql, sql } from '../../platform/postgres/sql.ts';
import { type StepName, steps } from './status.ts';

// Steps of status.ts and events. The caller holds the locks of the deliveries that are changed, or of their carriers.

/** A clock may be set back, and clocks of processes differ. No step is stored with a time before an earlier step. */
const latestMoment = (
  centralId: number,
): Sql => sql`greatest(requested_at, pending_at, accepted_at, arrived_at, started_at, (
  select max(greatest(s.arrived_at, s.concluded_at, attempt.happened_at)) from stops s
  left join stop_attempts attempt on attempt.central_id = ${centralId} and attempt.stop_id = s.id
  where s.central_id = ${centralId} and s.delivery_id = deliveries.id))`;

/** A delivery that took a step, by itself or with its carrier. */
interface Moved {
  id: number;
  carrierId: number;
}

/** What a step may write besides the status and its times. */
interface StepChanges {
  /**
   * The driver who receives the deliveries, written in the same statement, because no driver may have two current
   * deliveries in between. A null distance keeps the current one.
   */
  received?: { driverId: number; metresToPickup: number | null };
  searchAgainAt?: Temporal.Instant | undefined;
  /** Whether an event of each is numbered in the same statement. False: its caller records other events before it. */
  isNumbered?: boolean;
}

/**
 * Writes a step of status.ts: the status and its time, for deliveries and all deliveries grouped into them. Returns all
 * of them in the order of the given ids, each before those grouped into it. The caller has asserted the step;
 * takeSteps.ts does so and records the events.
 */
export async function markSteps(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  name: StepName,
  { at, happenedAt = at }: Actor,
  { received, searchAgainAt, isNumbered = true }: StepChanges = {},
): Promise<Moved[]> {
  const step = steps[name];
  const changed = [sql`status = ${step.to}`, sql`version = version + 1`];
  if (isNumbered) changed.push(sql`event_sequence = event_sequence + 1`);
  if ('stamp' in step)
    changed.push(sql`${raw(step.stamp)} = greatest(${happenedAt}::timestamptz, ${latestMoment(centralId)})`);
  if ('clears' in step) changed.push(...step.clears.map((stamp) => sql`${raw(stamp)} = null`));
  // A new search has its full time from now on, even if the phone reports that the driver gave up earlier.
  if ('searches' in step) changed.push(sql`search_since = ${at}`);
  if (searchAgainAt) changed.push(sql`search_again_at = ${searchAgainAt}`);
  else if ('searches' in step) changed.push(sql`search_again_at = null`);
  if (received)
    changed.push(sql`driver_id = ${received.driverId},
      driver_to_pickup_metres = coalesce(${received.metresToPickup}::integer, driver_to_pickup_metres)`);
  const moved = await tx.rows<Moved>`
    update deliveries set ${joined(changed, ', ')}
    where central_id = ${centralId} and (id = any(${ids}::bigint[]) or grouped_into = any(${ids}::bigint[]))
    returning id, case when id = any(${ids}::bigint[]) then id else grouped_into end as carrier_id`;
  const places = new Map(ids.map((id, place) => [id, place]));
  return moved.sort(
    (a, b) =>
      places.get(a.carrierId)! - places.get(b.carrierId)! ||
      Number(a.id !== a.carrierId) - Number(b.id !== b.carrierId) ||
      a.id - b.id,
  );
}

/** The time of the latest step: no later step may be before it. The caller holds the delivery's lock. */
export async function findLatestMoment(tx: Tx, centralId: number, id: number): Promise<Temporal.Instant> {
  const row = await tx.row<{ at: Temporal.Instant }>`
    select ${latestMoment(centralId)} as at from deliveries where central_id = ${centralId} and id = ${id}`;
  return row!.at;
}

const EVENT_COLUMNS = [
  ...(['central_id', 'type', 'company_id', 'delivery_id', 'sequence', 'payload'] as const),
  ...(['occurred_at', 'user_id', 'happened_at'] as const),
];

/** Called after the change, in its transaction, so that the facts include the change. */
export async function recordDeliveryEvent(
  tx: Tx,
  centralId: number,
  { deliveryId, type, payload }: DeliveryEvent,
  { at, by, happenedAt }: Actor,
): Promise<void> {
  const ids = await tx.newIds(centralId, 'event', 1);
  // The driver's name belongs to the driver in the payload, which a command may override. Materialized because the
  // payload is read twice and would otherwise be built twice.
  const event = sql`
    select described.central_id, ${type}::text, described.company_id, described.id, described.event_sequence,
      described.payload || jsonb_build_object('driverName', driver.name), ${at}::timestamptz, ${by}::bigint,
      ${happenedAt ?? null}::timestamptz
    from described
    left join drivers driver on driver.central_id = ${centralId}
      and driver.id = (described.payload ->> 'driverId')::bigint`;
  await tx.write`
    with numbered as (
      update deliveries set event_sequence = event_sequence + 1
      where central_id = ${centralId} and id = ${deliveryId} returning *),
    described as materialized (
      select numbered.central_id, numbered.id, numbered.company_id, numbered.event_sequence,
        ${deliveryFacts(centralId, sql`numbered`)} || ${payload}::jsonb as payload from numbered)
    ${insertEvents(EVENT_COLUMNS, ids, event)}`;
}

/** Records an event about a stop for its carrier and, if it differs, for the delivery the stop was ordered with. */
export async function recordStopEvent(
  tx: Tx,
  centralId: number,
  orderedWith: number,
  event: DeliveryEvent,
  actor: Actor,
): Promise<void> {
  await recordDeliveryEvent(tx, centralId, event, actor);
  if (orderedWith !== event.deliveryId)
    await recordDeliveryEvent(tx, centralId, { ...event, deliveryId: orderedWith }, actor);
}

/**
 * Most deliveries take such a step right after their creation. Every change of a stop records an event, so the stops of
 * the first event still hold for the second one, and reading them costs half as much as collecting them again.
 */
const stopsOf = (centralId: number): Sql => sql`coalesce(
  (select created.payload -> 'stops' from events created
   where created.central_id = ${centralId} and created.delivery_id = d.id and created.sequence = 1
     and d.event_sequence = 2),
  ${deliveryStops(centralId, sql`d`)})`;

const STEP_EVENT: EventType = 'delivery.status';

/** Called after `markSteps` has numbered the events, in its transaction. */
export async function recordSteps(
  tx: Tx,
  centralId: number,
  events: readonly { deliveryId: number; payload: StatusDetails }[],
  { at, by, happenedAt }: Actor,
): Promise<void> {
  const eventIds = await tx.newIds(centralId, 'event', events.length);
  const ids = events.map(({ deliveryId }) => deliveryId);
  const payloads = events.map(({ payload }) => JSON.stringify(payload));
  const event = sql`
    select given.event_id, ${centralId}::bigint, ${STEP_EVENT}::text, d.company_id, d.id, d.event_sequence,
      ${deliveryFacts(centralId, sql`d`, stopsOf(centralId))} || given.payload
        || jsonb_build_object('driverName', driver.name), ${at}::timestamptz, ${by}::bigint,
      ${happenedAt ?? null}::timestamptz
    from unnest(${ids}::bigint[], ${payloads}::jsonb[], ${eventIds}::bigint[]) as given (id, payload, event_id)
    join deliveries d on d.central_id = ${centralId} and d.id = given.id
    left join drivers driver on driver.central_id = ${centralId}
      and driver.id = (given.payload ->> 'driverId')::bigint
    order by given.event_id`;
  await tx.write`${insertSelectedEvents(EVENT_COLUMNS, event)}`;
}

/** Stores the reason of a cancellation, also for the deliveries grouped into them. */
export async function markReason(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  reasonId: number | null,
): Promise<void> {
  await tx.write`
    update deliveries set cancellation_reason_id = ${reasonId}
    where central_id = ${centralId} and (id = any(${ids}::bigint[]) or grouped_into = any(${ids}::bigint[]))`;
}

export interface Reserved {
  id: number;
  companyId: number | null;
  payment: string;
  reservedCents: number;
}

/** Clears the amounts held for deliveries and for those grouped into them; returns the former amounts. */
export async function clearReserved(tx: Tx, centralId: number, ids: readonly number[]): Promise<Reserved[]> {
  return tx.rows<Reserved>`
    with held as (
      select id, company_id, payment, reserved_cents from deliveries
      where central_id = ${centralId} and (id = any(${ids}::bigint[]) or grouped_into = any(${ids}::bigint[]))
        and reserved_cents > 0)
    update deliveries d set reserved_cents = 0 from held
    where d.central_id = ${centralId} and d.id = held.id
    returning held.id, held.company_id, held.payment, held.reserved_cents`;
}

export async function markCancellationFee(
  tx: Tx,
  centralId: number,
  id: number,
  cents: number,
): Promise<void> {
  await tx.write`
    update deliveries set cancellation_fee_cents = ${cents} where central_id = ${centralId} and id = ${id}`;
}

/** Removes the drivers, including those named by an operator. */
export async function clearDrivers(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx.rows`
    update deliveries set driver_id = null, driver_to_pickup_metres = 0, driver_specified = false
    where central_id = ${centralId} and id = any(${ids}::bigint[])
      and (driver_id is not null or driver_to_pickup_metres <> 0 or driver_specified)`;
}

/** Removes the driver, including one named by an operator. */
export async function clearDriver(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.write`
    update deliveries set driver_id = null, driver_to_pickup_metres = 0, driver_specified = false, share = null
    where central_id = ${centralId} and id = ${id}`;
}
