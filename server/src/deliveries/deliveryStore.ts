import type { Scope } from '../centrals/caller.ts';
import { rowsInScope } from '../centrals/scopeStore.ts';
import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Actor, DeliveryEvent } from '../events/event.ts';
import { deliveryFacts, insertEventsSql } from '../events/eventStore.ts';
import type { Position } from '../kernel/position.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Payment } from '../kernel/states.ts';
import { batchLookups } from '../postgres/batchLookups.ts';
import type { Tx } from '../postgres/database.ts';
import { planChanges, REQUEST_COLUMNS, type RequestRow, toRequestCore } from '../requests/requestStore.ts';
import type { Delivery } from './delivery.ts';
import { type Status, type StepName, steps } from './status.ts';

interface DeliveryRow extends RequestRow {
  status: Status;
  reserved_cents: number;
  driver_id: number | null;
  driver_specified: boolean;
  return_added: boolean;
  accepted_at: Temporal.Instant | null;
  arrived_at: Temporal.Instant | null;
  started_at: Temporal.Instant | null;
  finished_at: Temporal.Instant | null;
}

const COLUMNS = `${REQUEST_COLUMNS}, status, reserved_cents, driver_id, driver_specified, return_added, accepted_at,
  arrived_at, started_at, finished_at`;

const toDelivery = (row: DeliveryRow): Delivery => ({
  ...toRequestCore(row),
  status: row.status,
  reservedCents: row.reserved_cents,
  driverId: row.driver_id,
  driverSpecified: row.driver_specified,
  returnAdded: row.return_added,
  acceptedAt: row.accepted_at,
  arrivedAt: row.arrived_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
});

export const {
  find: findDelivery,
  lock: lockDelivery,
  findAll: findDeliveries,
  lockAll: lockDeliveries,
} = rowsInScope<DeliveryRow, Delivery>({
  table: 'deliveries',
  columns: COLUMNS,
  missing: 'delivery-not-found',
  toThing: toDelivery,
});

/** A clock may be set back, and clocks of processes differ. No step is stored with a time before an earlier step. */
export const LATEST_MOMENT = `greatest(requested_at, pending_at, accepted_at, arrived_at, started_at, (
  select max(greatest(s.arrived_at, s.concluded_at, attempt.happened_at)) from stops s
  left join stop_attempts attempt on attempt.central_id = $1 and attempt.stop_id = s.id
  where s.central_id = $1 and s.delivery_id = deliveries.id))`;

/**
 * Writes a step of status.ts: the status and its time, for the delivery and all deliveries grouped into it. Returns the
 * ids of all of them, the delivery's own first. The caller holds the delivery's lock and has asserted the step;
 * takeStep.ts does both and records the events. A driver who receives the delivery by the step is written in the same
 * statement, because no driver may have two current deliveries in between. A null distance keeps the current one.
 */
export async function markStep(
  tx: Tx,
  centralId: number,
  id: number,
  name: StepName,
  { at, happenedAt = at }: Actor,
  received: { driverId: number; metresToPickup: number | null } | null = null,
): Promise<number[]> {
  const step = steps[name];
  const changes = ['status = $4', 'version = version + 1'];
  if ('stamp' in step) changes.push(`${step.stamp} = greatest($3, ${LATEST_MOMENT})`);
  if ('clears' in step) changes.push(...step.clears.map((stamp) => `${stamp} = null`));
  // A new search has its full time from now on, even if the phone reports that the driver gave up earlier.
  if ('searches' in step) changes.push('search_since = $5', 'search_again_at = null');
  if (received)
    changes.push('driver_id = $6', 'driver_to_pickup_metres = coalesce($7, driver_to_pickup_metres)');
  const rows = await tx.run<{ id: number }>(
    `update deliveries set ${changes.join(', ')}
     where central_id = $1 and (id = $2 or grouped_into = $2) and $3::timestamptz is not null
       and $5::timestamptz is not null
     returning id`,
    [
      centralId,
      id,
      happenedAt,
      step.to,
      at,
      ...(received ? [received.driverId, received.metresToPickup] : []),
    ],
  );
  return rows.map((row) => row.id).sort((a, b) => Number(b === id) - Number(a === id) || a - b);
}

/** The time of the latest step: no later step may be before it. The caller holds the delivery's lock. */
export async function findLatestMoment(tx: Tx, centralId: number, id: number): Promise<Temporal.Instant> {
  const [row] = await tx.run<{ at: Temporal.Instant }>(
    `select ${LATEST_MOMENT} as at from deliveries where central_id = $1 and id = $2`,
    [centralId, id],
  );
  return row!.at;
}

// For each of the following functions the caller holds the lock of the row or of its carrier.

/** Plans made on the older version are then not saved. */
export async function raiseVersion(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.defer`
    update deliveries set version = version + 1 where central_id = ${centralId} and id = ${id}`;
}

/** The position of the pickup was checked. */
export async function markPickupChecked(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx`
    update deliveries set pickup_to_check = false
    where central_id = ${centralId} and id = ${id} and pickup_to_check`;
}

/** The position of the pickup was corrected. */
export async function movePickup(
  tx: Tx,
  centralId: number,
  id: number,
  { lat, lng }: Position,
): Promise<void> {
  await tx`
    update deliveries set pickup_lat = ${lat}, pickup_lng = ${lng}, pickup_to_check = false,
      pickup_located_by = 'correction', pickup_located_precision = 'number'
    where central_id = ${centralId} and id = ${id}`;
}

/** Null keeps the current figures; a given `separateMetres` is stored anyway. The version grows in either case. */
export async function saveDeliveryEstimate(
  tx: Tx,
  centralId: number,
  id: number,
  estimate: Estimate | null,
  separateMetres?: number | null,
): Promise<void> {
  if (estimate === null) {
    if (separateMetres !== undefined)
      await tx.defer`
        update deliveries set separate_metres = ${separateMetres} where central_id = ${centralId} and id = ${id}`;
    return raiseVersion(tx, centralId, id);
  }
  const { text, values } = planChanges(estimate, separateMetres);
  const update = `update deliveries set ${text}, version = version + 1 where central_id = $1 and id = $2`;
  await tx.defer(update, centralId, id, ...values);
}

/** Sets whether the driver returns with goods that could not be handed over, though no return was ordered. */
export async function markReturnAdded(
  tx: Tx,
  centralId: number,
  id: number,
  isAdded: boolean,
): Promise<void> {
  await tx`
    update deliveries set has_return = ${isAdded}, return_added = ${isAdded}
    where central_id = ${centralId} and id = ${id}`;
}

/** Stores the amount held for a delivery in its row; reserveCredit.ts makes the wallet's entry. */
export async function markReserved(tx: Tx, centralId: number, id: number, cents: number): Promise<void> {
  await tx.defer`
    update deliveries set reserved_cents = ${cents} where central_id = ${centralId} and id = ${id}`;
}

export interface Reserved {
  id: number;
  companyId: number | null;
  payment: string;
  reservedCents: number;
}

/** Clears the amounts held for a delivery and all deliveries grouped into it; returns the former amounts. */
export async function clearReserved(tx: Tx, centralId: number, deliveryId: number): Promise<Reserved[]> {
  return tx<Reserved>`
    with held as (
      select id, company_id, payment, reserved_cents from deliveries
      where central_id = ${centralId} and (id = ${deliveryId} or grouped_into = ${deliveryId})
        and reserved_cents > 0)
    update deliveries d set reserved_cents = 0 from held
    where d.central_id = ${centralId} and d.id = held.id
    returning held.id, held.company_id as "companyId", held.payment, held.reserved_cents as "reservedCents"`;
}

/** Sets when the dispatcher searches for a driver again. */
export async function markSearchAgain(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  at: Temporal.Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await tx`
    update deliveries set search_again_at = ${at}
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and status in ('distributing', 'pending')`;
}

/** Stores the reason of a cancellation, also for the deliveries grouped into it. */
export async function markReason(
  tx: Tx,
  centralId: number,
  id: number,
  reasonId: number | null,
): Promise<void> {
  await tx.defer`
    update deliveries set cancellation_reason_id = ${reasonId}
    where central_id = ${centralId} and (id = ${id} or grouped_into = ${id})`;
}

/** Stores the reason and beginning of a hold; null ends the hold. */
export async function markHeld(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  held: { at: Temporal.Instant; reason: string } | null,
): Promise<void> {
  await tx`
    update deliveries set held_at = ${held?.at ?? null}, held_reason = ${held?.reason ?? null}
    where central_id = ${centralId} and id = ${deliveryId}`;
}

/** The most frequent query: integrators poll it while they wait for a delivery. */
export async function findStatus(tx: Tx, { centralId, companyId }: Scope, id: number): Promise<Status> {
  const status = await lookUpStatus(tx, { centralId, companyId, id });
  if (status === null) throw new Refusal('delivery-not-found');
  return status;
}

type StatusKey = Scope & { id: number };

// One subquery per key, so that each row is found by its key whatever size of the table the planner assumes.
const statusSql = (central: string): string => `
  select (select d.status from deliveries d
    where d.central_id = ${central} and d.id = asked.id
      and (asked.company_id is null or d.company_id = asked.company_id)) as status
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as asked (central_id, company_id, id, place)
  order by place`;
const STATUS = statusSql('asked.central_id');
const STATUS_WITHIN_CENTRAL = statusSql('$4');

const lookUpStatus = batchLookups<StatusKey, Status | null>(async (tx, keys) => {
  const [only, ...more] = keys;
  if (only && more.length === 0) return [await findOneStatus(tx, only)];
  const columns = [
    keys.map((key) => key.centralId),
    keys.map((key) => key.companyId),
    keys.map((key) => key.id),
  ];
  const rows = await (tx.isDistributed
    ? tx.run<{ status: Status | null }>(STATUS_WITHIN_CENTRAL, [...columns, keys[0]!.centralId])
    : tx.run<{ status: Status | null }>(STATUS, columns));
  return rows.map((row) => row.status);
});

/** For a single key, which costs the server less than a list of keys. */
async function findOneStatus(tx: Tx, { centralId, companyId, id }: StatusKey): Promise<Status | null> {
  const [row] = await tx<{ status: Status }>`
    select status from deliveries
    where central_id = ${centralId} and id = ${id} and (${companyId}::bigint is null or company_id = ${companyId})`;
  return row?.status ?? null;
}

export async function markCancellationFee(
  tx: Tx,
  centralId: number,
  id: number,
  cents: number,
): Promise<void> {
  await tx.defer`
    update deliveries set cancellation_fee_cents = ${cents} where central_id = ${centralId} and id = ${id}`;
}

// The driver's name belongs to the driver in the payload, which a command may override. Materialized because the
// payload is read twice and would otherwise be built twice.
const RECORD_DELIVERY_EVENT = `
  with numbered as (
    update deliveries set event_sequence = event_sequence + 1 where central_id = $1 and id = $2 returning *),
  described as materialized (
    select numbered.central_id, numbered.id, numbered.company_id, numbered.event_sequence,
      ${deliveryFacts('$1', 'numbered')} || $4::jsonb as payload from numbered)
  ${insertEventsSql(
    [
      ...(['central_id', 'type', 'company_id', 'delivery_id', 'sequence', 'payload'] as const),
      ...(['occurred_at', 'user_id', 'happened_at'] as const),
    ],
    '$7',
    `select described.central_id, $3::text, described.company_id, described.id, described.event_sequence,
      described.payload || jsonb_build_object('driverName', driver.name), $5::timestamptz, $6::bigint,
      $8::timestamptz
    from described
    left join drivers driver on driver.central_id = $1 and driver.id = (described.payload ->> 'driverId')::bigint`,
  )}`;

/** Called after the change, in its transaction, so that the facts include the change. */
export async function recordDeliveryEvent(
  tx: Tx,
  centralId: number,
  { deliveryId, type, payload }: DeliveryEvent,
  { at, by, happenedAt }: Actor,
): Promise<void> {
  const ids = await tx.newIds(centralId, 'event', 1);
  const values = [centralId, deliveryId, type, payload, at, by, ids, happenedAt ?? null];
  await tx.defer(RECORD_DELIVERY_EVENT, ...values);
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
  const [stop] = await tx<StopAtHand>`
    select id, ordered_with as "orderedWith", position as "order", collect_cents as "collectCents",
      confirmation_code as code, recipient_name is null and recipient_phone is null and lat = rough_degree(lat)
        and lng = rough_degree(lng) as "isErased",
      wrong_codes as "wrongCodes", arrived_at as "arrivedAt", concluded_at as "concludedAt",
      concluded_by as "concludedBy", (
        select origin.payment from deliveries origin
        where origin.central_id = ${centralId} and origin.id = stops.ordered_with) as payment
    from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId} and id = ${stopId}
    for update`;
  if (!stop) throw new Refusal('stop-not-found');
  return stop;
}

export async function countOpenStops(tx: Tx, centralId: number, deliveryId: number): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId} and concluded_at is null`;
  return row!.count;
}
