import type { Scope } from '../../centrals/caller.ts';
import { rowsInScope } from '../../centrals/scopeStore.ts';
import type { Estimate } from '../../money/pricing/estimateTrip.ts';
import type { ShareRule } from '../../money/pricing/share.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { batchLookups } from '../../platform/postgres/batchLookups.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';
import {
  planChanges,
  type RowOfRequest,
  requestColumns,
  separateOfItself,
  withPickup,
} from '../orders/requestStore.ts';
import type { Delivery, Stepping } from './delivery.ts';
import type { Status } from './status.ts';

const COLUMNS = requestColumns(
  ...['status', 'reserved_cents', 'driver_id', 'driver_specified', 'return_added'],
  ...['accepted_at', 'arrived_at', 'started_at', 'finished_at'],
);

export const {
  find: findDelivery,
  lock: lockDelivery,
  findAll: findDeliveries,
  lockAll: lockDeliveries,
  findSome: findSomeDeliveries,
  lockSome: lockSomeDeliveries,
} = rowsInScope<RowOfRequest<Delivery>, Delivery>({
  table: 'deliveries',
  columns: COLUMNS,
  missing: 'delivery-not-found',
  toThing: withPickup,
});

/** The most frequent query: integrators poll it while they wait for a delivery. */
export async function findStatus(tx: Tx, { centralId, companyId }: Scope, id: number): Promise<Status> {
  const status = await lookUpStatus(tx, { centralId, companyId, id });
  if (status === null) throw new Refusal('delivery-not-found');
  return status;
}

/** The status of each delivery that there is, by its id. */
export async function findStatuses(
  tx: Tx,
  { centralId, companyId }: Scope,
  ids: readonly number[],
): Promise<Map<number, Status>> {
  const rows = await tx.rows<{ id: number; status: Status }>`
    select id, status from deliveries
    where central_id = ${centralId} and id = any(${ids}::bigint[])
      and (${companyId}::bigint is null or company_id = ${companyId})`;
  return new Map(rows.map(({ id, status }) => [id, status]));
}

type StatusKey = Scope & { id: number };

const lookUpStatus = batchLookups<StatusKey, Status | null>(async (tx, keys) => {
  const [only, ...more] = keys;
  if (only && more.length === 0) return [await findOneStatus(tx, only)];
  const central = tx.isDistributed ? sql`${keys[0]!.centralId}` : sql`asked.central_id`;
  // One subquery per key, so that each row is found by its key whatever size of the table the planner assumes.
  const rows = await tx.rows<{ status: Status | null }>`
    select (select d.status from deliveries d
      where d.central_id = ${central} and d.id = asked.id
        and (asked.company_id is null or d.company_id = asked.company_id)) as status
    from unnest(${keys.map((key) => key.centralId)}::bigint[], ${keys.map((key) => key.companyId)}::bigint[],
      ${keys.map((key) => key.id)}::bigint[]) with ordinality as asked (central_id, company_id, id, place)
    order by place`;
  return rows.map((row) => row.status);
});

/** For a single key, which costs the server less than a list of keys. */
async function findOneStatus(tx: Tx, { centralId, companyId, id }: StatusKey): Promise<Status | null> {
  const row = await tx.row<{ status: Status }>`
    select status from deliveries
    where central_id = ${centralId} and id = ${id} and (${companyId}::bigint is null or company_id = ${companyId})`;
  return row?.status ?? null;
}

/** The driver’s current delivery, of which there is one at most. Certain only while the driver's lock is held. */
export async function findCurrentDeliveryId(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<number | undefined> {
  const row = await tx.row<{ id: number }>`
    select id from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status in ('accepted', 'in_progress')
      and grouped_into is null`;
  return row?.id;
}

/** How many deliveries wait on hold for a driver. Certain only while the driver's lock is held. */
export async function countOnHold(tx: Tx, centralId: number, driverId: number): Promise<number> {
  const row = await tx.row<{ count: number }>`
    select count(*) from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status = 'on_hold'`;
  return row!.count;
}

/** Locks the delivery on hold longest for a driver without a current delivery. The caller holds the driver's lock. */
export async function lockNextOnHold(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<Stepping | undefined> {
  const next = await tx.row<Stepping>`
    select id, status, driver_id from deliveries
    where central_id = ${centralId} and driver_id = ${driverId} and status = 'on_hold' and not exists (
      select from deliveries current
      where current.central_id = ${centralId} and current.driver_id = ${driverId}
        and current.status in ('accepted', 'in_progress') and current.grouped_into is null)
    order by accepted_at, id for update`;
  return next;
}

/**
 * Whether other deliveries, or scheduled deliveries, than the leaving one are grouped into it. Scheduled deliveries may
 * have been grouped before its dispatch or, according to its events, later.
 */
export async function carriesOthersThan(
  tx: Tx,
  centralId: number,
  leavingId: number,
  id: number,
): Promise<boolean> {
  const row = await tx.row<{ carries: boolean }>`
    select exists (
        select from deliveries
        where central_id = ${centralId} and grouped_into = ${id} and id <> ${leavingId})
      or exists (
        select from deliveries d
        join scheduled s on s.central_id = ${centralId} and s.grouped_into = d.scheduled_id and s.situation = 'grouped'
        where d.central_id = ${centralId} and d.id = ${id})
      or exists (
        select from events where central_id = ${centralId} and delivery_id = ${id} and sequence is not null
          and type = 'delivery.grouped' and jsonb_array_length(payload -> 'scheduled') > 0) as carries`;
  return row!.carries;
}

// For each of the following functions the caller holds the lock of the row or of its carrier.

/** Raises the version of a delivery, so that plans made on the older version are not saved. */
export async function raiseVersion(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.write`
    update deliveries set version = version + 1 where central_id = ${centralId} and id = ${id}`;
}

/** Records that an operator has checked the position of the pickup. */
export async function markPickupChecked(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.rows`
    update deliveries set pickup_to_check = false
    where central_id = ${centralId} and id = ${id} and pickup_to_check`;
}

/** Stores a corrected position of the pickup. */
export async function movePickup(
  tx: Tx,
  centralId: number,
  id: number,
  { lat, lng }: Position,
): Promise<void> {
  await tx.rows`
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
      await tx.write`
        update deliveries set separate_metres = ${separateMetres} where central_id = ${centralId} and id = ${id}`;
    return raiseVersion(tx, centralId, id);
  }
  await tx.write`
    update deliveries set ${planChanges(estimate, separateMetres)}, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

/** Sets whether the driver returns with goods that could not be handed over, though no return was ordered. */
export async function markReturnAdded(
  tx: Tx,
  centralId: number,
  id: number,
  isAdded: boolean,
): Promise<void> {
  await tx.rows`
    update deliveries set has_return = ${isAdded}, return_added = ${isAdded}
    where central_id = ${centralId} and id = ${id}`;
}

/** Stores the amounts held for deliveries in their rows; reserveCredit.ts makes the wallets' entries. */
export async function markReserved(
  tx: Tx,
  centralId: number,
  held: readonly { id: number; cents: number }[],
): Promise<void> {
  if (held.length === 0) return;
  await tx.write`
    update deliveries d set reserved_cents = given.cents
    from unnest(${held.map(({ id }) => id)}::bigint[], ${held.map(({ cents }) => cents)}::bigint[]) as given (id, cents)
    where d.central_id = ${centralId} and d.id = given.id`;
}

/** Sets when the dispatcher searches for a driver again. */
export async function markSearchAgain(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  at: Temporal.Instant,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.rows`
    update deliveries set search_again_at = ${at}
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and status in ('distributing', 'pending')`;
}

/** Stores the reason and beginning of a hold; null ends the hold. */
export async function markHeld(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
  held: { at: Temporal.Instant; reason: string } | null,
): Promise<void> {
  await tx.rows`
    update deliveries set held_at = ${held?.at ?? null}, held_reason = ${held?.reason ?? null}
    where central_id = ${centralId} and id = any(${deliveryIds}::bigint[])`;
}

/**
 * Stores the driver of a delivery, the driver's distance to the pickup, and the share agreed: that of the tariff, or
 * else of the central.
 */
export async function markDriver(
  tx: Tx,
  centralId: number,
  id: number,
  driver: { id: number; metresToPickup: number; centralShare: ShareRule },
): Promise<void> {
  await tx.write`
    update deliveries set driver_id = ${driver.id}, driver_to_pickup_metres = ${driver.metresToPickup},
      share = coalesce(
        (select t.share from tariffs t where t.central_id = ${centralId} and t.id = deliveries.tariff_id),
        ${driver.centralShare}::jsonb)
    where central_id = ${centralId} and id = ${id}`;
}

export async function markDriverSpecified(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<void> {
  await tx.write`
    update deliveries set driver_specified = true
    where central_id = ${centralId} and id = any(${deliveryIds}::bigint[])`;
}

export async function markTravelled(tx: Tx, centralId: number, id: number, metres: number): Promise<void> {
  await tx.write`
    update deliveries set travelled_metres = ${metres} where central_id = ${centralId} and id = ${id}`;
}

/** False if it was ordered again before. The caller holds its lock. */
export async function markOrderedAgain(
  tx: Tx,
  centralId: number,
  id: number,
  newId: number,
): Promise<boolean> {
  const rows = await tx.rows`
    update deliveries set ordered_again_as = ${newId}, version = version + 1
    where central_id = ${centralId} and id = ${id} and ordered_again_as is null
    returning id`;
  return rows.length > 0;
}

/** False if it was ordered again or dismissed before. The caller holds its lock. */
export async function markDismissed(
  tx: Tx,
  centralId: number,
  id: number,
  { at, by, reason }: { at: Temporal.Instant; by: number | null; reason: string },
): Promise<boolean> {
  const rows = await tx.rows`
    update deliveries set dismissed_at = ${at}, dismissed_by = ${by}, dismissed_reason = ${reason},
      version = version + 1
    where central_id = ${centralId} and id = ${id} and ordered_again_as is null and dismissed_at is null
    returning id`;
  return rows.length > 0;
}

/**
 * Groups deliveries into another one, along with all deliveries grouped into them before, so that the carrier is always
 * one step away. They get the grouper's driver. Returns the ids of all of them.
 */
export async function markDeliveriesGrouped(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  grouper: { id: number; driverId: number | null },
): Promise<number[]> {
  const parts = sql`deliveries part where part.central_id = ${centralId} and part.grouped_into = d.id`;
  const rows = await tx.rows<{ id: number }>`
    update deliveries d set grouped_into = ${grouper.id}, driver_id = ${grouper.driverId}, version = version + 1,
      separate_metres = ${separateOfItself(sql`d`, parts)}
    where central_id = ${centralId} and (id = any(${ids}::bigint[]) or grouped_into = any(${ids}::bigint[]))
    returning id`;
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Takes a delivery out of its group. It must be cancelled before, so that its driver has only one current delivery. */
export async function markUngrouped(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.write`
    update deliveries set grouped_into = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}
