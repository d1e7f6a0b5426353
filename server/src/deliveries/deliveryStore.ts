import type { Scope } from '../centrals/caller.ts';
import { rowsInScope } from '../centrals/scopeStore.ts';
import { Refusal } from '../kernel/refusal.ts';
import { batchLookups } from '../postgres/batchLookups.ts';
import type { Tx } from '../postgres/database.ts';
import type { Payment } from '../requests/order.ts';
import { PICKUP_COLUMNS, type PickupRow, toPickup } from '../requests/pickupStore.ts';
import type { Delivery } from './delivery.ts';
import { type Status, type StepName, steps } from './status.ts';

interface DeliveryRow extends PickupRow {
  id: number;
  status: Status;
  grouped_into: number | null;
  company_id: number | null;
  customer_id: number;
  category_id: number;
  tariff_id: number;
  payment: Payment;
  has_return: boolean;
  discount_percent: string;
  planned_metres: number;
  planned_seconds: number;
  gross_cents: number;
  net_cents: number;
  reserved_cents: number;
  driver_id: number | null;
  driver_specified: boolean;
  requested_at: Temporal.Instant;
  accepted_at: Temporal.Instant | null;
  arrived_at: Temporal.Instant | null;
  started_at: Temporal.Instant | null;
  finished_at: Temporal.Instant | null;
  version: number;
}

const COLUMNS = `id, status, grouped_into, company_id, customer_id, category_id, tariff_id, payment, has_return,
  discount_percent, ${PICKUP_COLUMNS}, planned_metres, planned_seconds, gross_cents, net_cents, reserved_cents,
  driver_id, driver_specified, requested_at, accepted_at, arrived_at, started_at, finished_at, version`;

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  status: row.status,
  groupedInto: row.grouped_into,
  companyId: row.company_id,
  customerId: row.customer_id,
  categoryId: row.category_id,
  tariffId: row.tariff_id,
  payment: row.payment,
  returning: row.has_return,
  discountPercent: row.discount_percent,
  pickup: toPickup(row),
  plannedMetres: row.planned_metres,
  plannedSeconds: row.planned_seconds,
  grossCents: row.gross_cents,
  netCents: row.net_cents,
  reservedCents: row.reserved_cents,
  driverId: row.driver_id,
  driverSpecified: row.driver_specified,
  requestedAt: row.requested_at,
  acceptedAt: row.accepted_at,
  arrivedAt: row.arrived_at,
  startedAt: row.started_at,
  finishedAt: row.finished_at,
  version: row.version,
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

/** A clock may be put back, and those of two processes differ: no moment comes before what came before it. */
const LATEST_MOMENT = `greatest(requested_at, pending_at, accepted_at, arrived_at, started_at, (
  select max(concluded_at) from stops s
  where s.central_id = deliveries.central_id and s.delivery_id = deliveries.id))`;

/**
 * Writes a step of status.ts: the status and its moment, on the delivery and on all that were grouped into
 * it, which follow it. Answers with the ids of all that moved, the delivery's own first. The caller holds the
 * delivery's lock and has asserted the step; takeStep.ts does both and records the events.
 */
export async function markStep(
  tx: Tx,
  centralId: number,
  id: number,
  name: StepName,
  now: Temporal.Instant,
): Promise<number[]> {
  const step = steps[name];
  const changes = ['status = $4', 'version = version + 1'];
  if ('stamp' in step) changes.push(`${step.stamp} = greatest($3, ${LATEST_MOMENT})`);
  if ('clears' in step) changes.push(...step.clears.map((stamp) => `${stamp} = null`));
  if ('searches' in step) changes.push('search_since = $3', 'search_again_at = null');
  const rows = await tx.run<{ id: number }>(
    `update deliveries set ${changes.join(', ')}
     where central_id = $1 and (id = $2 or grouped_into = $2) and $3::timestamptz is not null
     returning id`,
    [centralId, id, now, step.to],
  );
  return rows.map((row) => row.id).sort((a, b) => Number(b === id) - Number(a === id) || a - b);
}

/** One that was grouped stands alone again; it was cancelled before, so that it is nobody's current one. */
export async function markUngrouped(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx`
    update deliveries set grouped_into = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

/** Why a delivery was cancelled; those grouped into it were cancelled for the same reason. */
export async function markReason(
  tx: Tx,
  centralId: number,
  id: number,
  reasonId: number | null,
): Promise<void> {
  await tx`
    update deliveries set cancellation_reason_id = ${reasonId}
    where central_id = ${centralId} and (id = ${id} or grouped_into = ${id})`;
}

/** Asked for by everybody who waits for a delivery, again and again. */
export async function findStatus(tx: Tx, { centralId, companyId }: Scope, id: number): Promise<Status> {
  const status = await lookUpStatus(tx, { centralId, companyId, id });
  if (status === null) throw new Refusal('delivery-not-found');
  return status;
}

// A subquery for each, so that every one is found by its key whatever PostgreSQL believes of the table's size.
const lookUpStatus = batchLookups<Scope & { id: number }, Status | null>(async (tx, keys) => {
  const rows = await tx<{ status: Status | null }>`
    select (select d.status from deliveries d
      where d.central_id = asked.central_id and d.id = asked.id
        and (asked.company_id is null or d.company_id = asked.company_id)) as status
    from unnest(${keys.map((key) => key.centralId)}::bigint[], ${keys.map((key) => key.companyId)}::bigint[],
      ${keys.map((key) => key.id)}::bigint[]) with ordinality as asked (central_id, company_id, id, place)
    order by place`;
  return rows.map((row) => row.status);
});

export async function markCancellationFee(
  tx: Tx,
  centralId: number,
  id: number,
  cents: number,
): Promise<void> {
  await tx`
    update deliveries set cancellation_fee_cents = ${cents} where central_id = ${centralId} and id = ${id}`;
}
