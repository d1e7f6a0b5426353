import type { Scope } from '../centrals/caller.ts';
import { rowsInScope } from '../centrals/scopeStore.ts';
import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/order.ts';
import { PICKUP_COLUMNS, type PickupRow, toPickup } from '../requests/pickupStore.ts';
import type { Scheduled, Situation } from './scheduled.ts';

interface ScheduledRow extends PickupRow {
  id: number;
  situation: Situation;
  dispatch_at: Temporal.Instant;
  requested_at: Temporal.Instant;
  company_id: number | null;
  customer_id: number;
  category_id: number;
  tariff_id: number;
  payment: Payment;
  has_return: boolean;
  note: string | null;
  coupon_id: number | null;
  discount_percent: string;
  planned_metres: number;
  planned_seconds: number;
  gross_cents: number;
  net_cents: number;
  estimate_outdated: boolean;
  delivery_id: number | null;
  grouped_into: number | null;
  grouped_automatically: boolean;
  failure: string | null;
  version: number;
}

const COLUMNS = `id, situation, dispatch_at, requested_at, company_id, customer_id, category_id, tariff_id, payment,
  has_return, note, coupon_id, discount_percent, ${PICKUP_COLUMNS}, planned_metres, planned_seconds,
  gross_cents, net_cents, estimate_outdated, delivery_id, grouped_into, grouped_automatically, failure, version`;

const toScheduled = (row: ScheduledRow): Scheduled => ({
  id: row.id,
  situation: row.situation,
  dispatchAt: row.dispatch_at,
  requestedAt: row.requested_at,
  companyId: row.company_id,
  customerId: row.customer_id,
  categoryId: row.category_id,
  tariffId: row.tariff_id,
  payment: row.payment,
  returning: row.has_return,
  note: row.note,
  couponId: row.coupon_id,
  discountPercent: row.discount_percent,
  pickup: toPickup(row),
  plannedMetres: row.planned_metres,
  plannedSeconds: row.planned_seconds,
  grossCents: row.gross_cents,
  netCents: row.net_cents,
  estimateOutdated: row.estimate_outdated,
  deliveryId: row.delivery_id,
  groupedInto: row.grouped_into,
  groupedAutomatically: row.grouped_automatically,
  failure: row.failure,
  version: row.version,
});

export const {
  find: findScheduled,
  lock: lockScheduled,
  findAll: findManyScheduled,
  lockAll: lockManyScheduled,
} = rowsInScope<ScheduledRow, Scheduled>({
  table: 'scheduled',
  columns: COLUMNS,
  missing: 'scheduled-not-found',
  toThing: toScheduled,
});

/** How many still wait for their dispatch; the index by time holds only those. */
export async function countAwaiting(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from scheduled
    where central_id = ${centralId} and situation = 'awaiting'
      and (${companyId}::bigint is null or company_id = ${companyId})`;
  return row!.count;
}

/** How many could not be dispatched and were not cancelled since; the index of failed ones holds only those. */
export async function countFailed(tx: Tx, { centralId, companyId }: Scope): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from scheduled
    where central_id = ${centralId} and situation = 'failed'
      and (${companyId}::bigint is null or company_id = ${companyId})`;
  return row!.count;
}

/** What a company's waiting ones will take of its credit once they are dispatched; an index of its own holds them. */
export async function sumAwaitingCredit(tx: Tx, centralId: number, companyId: number): Promise<number> {
  const [row] = await tx<{ cents: number }>`
    select coalesce(sum(net_cents), 0)::bigint as cents from scheduled
    where central_id = ${centralId} and company_id = ${companyId} and situation = 'awaiting'
      and payment = 'credit_wallet'`;
  return row!.cents;
}

// Each of the following changes a row whose lock the caller holds, and makes its version grow.

/** Null: no router answered, so the old figures stay and are known to be old. */
export async function saveEstimate(
  tx: Tx,
  centralId: number,
  id: number,
  estimate: Estimate | null,
): Promise<void> {
  if (estimate === null) {
    await tx`
      update scheduled set estimate_outdated = true, version = version + 1
      where central_id = ${centralId} and id = ${id}`;
    return;
  }
  await tx`
    update scheduled set tariff_id = ${estimate.tariff.id}, planned_metres = ${estimate.metres},
      planned_seconds = ${estimate.seconds}, gross_cents = ${estimate.grossCents},
      net_cents = ${estimate.netCents}, estimate_outdated = false, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

export async function markCancelled(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx`
    update scheduled set situation = 'cancelled', version = version + 1
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;
}

/** On its own again, with its stops back. */
export async function markReleased(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx`
    update scheduled set situation = 'awaiting', grouped_into = null, grouped_automatically = false,
      estimate_outdated = true, version = version + 1
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;
}

/**
 * Grouped into another scheduled delivery, along with all that had been grouped into them before: who carries
 * a stop is always one step away. Moving the stops is `writeStopOrder`'s.
 */
export async function markGrouped(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  grouperId: number,
  automatically: boolean,
): Promise<void> {
  await tx`
    update scheduled set situation = 'grouped', grouped_into = ${grouperId},
      grouped_automatically = grouped_automatically or ${automatically}, version = version + 1
    where central_id = ${centralId} and (id = any(${ids}::bigint[])
      or grouped_into = any(${ids}::bigint[]) and situation = 'grouped')`;
}

/** The same into a delivery in progress, which is the one that carries their stops from then on. */
export async function markGroupedIntoDelivery(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  deliveryId: number,
): Promise<void> {
  await tx`
    update scheduled set situation = 'grouped', grouped_into = null, delivery_id = ${deliveryId},
      version = version + 1
    where central_id = ${centralId} and (id = any(${ids}::bigint[])
      or grouped_into = any(${ids}::bigint[]) and situation = 'grouped')`;
}

/** Those whose stops this one carries. */
export async function findGroupedInto(tx: Tx, centralId: number, id: number): Promise<number[]> {
  const rows = await tx<{ id: number }>`
    select id from scheduled
    where central_id = ${centralId} and grouped_into = ${id} and situation = 'grouped' order by id`;
  return rows.map((row) => row.id);
}
