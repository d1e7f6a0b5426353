import { upsertPerson } from '../companies/companyStore.ts';
import { assertCouponUses, type Coupon } from '../estimates/couponStore.ts';
import type { Actor } from '../events/event.ts';
import { deliveryFacts, eventTypeSql, insertEventsSql, insertedDeliveryStops } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';
import { newId } from '../postgres/ids.ts';
import type { PreparedOrder } from '../requests/request.ts';
import {
  customerOf,
  ORDER_COLUMNS,
  orderChanges,
  orderParameters,
  orderValues,
} from '../requests/requestStore.ts';
import { insertStopsSql, stopsParameter } from '../requests/stopStore.ts';
import type { Delivery } from './delivery.ts';
import type { Status } from './status.ts';

const COLUMNS = ORDER_COLUMNS.join(', ');

// Creation is the most frequent write of this room, so the row, its stops and its event are one statement.
// PostgreSQL checks foreign keys at the end of a statement: the order of the parts does not matter.
const INSERT = `
  with new as (
    insert into deliveries (central_id, id, status, requested_at, ${COLUMNS}, event_sequence)
    values ($1, $2, $3, $4, ${orderParameters('$1', 9)}, 1)
    returning *),
  new_stops as (
    ${insertStopsSql('delivery', '$1', '$2', '$5', '$6')}
    returning id, position, order_number, external_id, concluded_at)
  ${insertEventsSql(
    ['central_id', 'type', 'company_id', 'delivery_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
    '$7',
    `select $1::bigint, ${eventTypeSql('delivery.status')}, company_id, id, 1,
      ${deliveryFacts('$1', 'new', `(select ${insertedDeliveryStops('stop')} from new_stops stop)`)}
        || '{"driverName": null}', $4, $8::bigint
    from new`,
  )}`;

/** Whether the creation needs no other statement than its own. */
export const isOneStatement = ({ order, companyId, couponId }: PreparedOrder): boolean =>
  companyId !== null && couponId === null && order.payment !== 'credit_wallet';

/** Inserts a delivery with its stops and its first event; answers with its id. */
export async function insertDelivery(
  tx: Tx,
  centralId: number,
  prepared: PreparedOrder,
  status: Status,
  { at, by }: Actor,
): Promise<number> {
  const { order, companyId, couponId } = prepared;
  const customerId =
    companyId !== null && couponId === null ? null : await customerOf(tx, centralId, prepared);
  const [id, stopIds, eventIds] = await Promise.all([
    newId(tx, centralId, 'delivery'),
    tx.newIds(centralId, 'stop', order.stops.length),
    tx.newIds(centralId, 'event', 1),
  ]);
  await tx.run(INSERT, [
    centralId,
    id,
    status,
    at,
    stopsParameter(order.stops),
    stopIds,
    eventIds,
    by,
    ...orderValues(prepared, customerId),
  ]);
  if (customerId !== null) await assertCouponUses(tx, centralId, couponId, customerId);
  return id;
}

/**
 * SQL that inserts a delivery for each row of `due`, which are rows of scheduled with the new id as `new_id`, all of
 * one central. What is
 * paid by credit counts as reserved. The unique index deliveries_once_per_scheduled guarantees that a scheduled
 * delivery is dispatched once.
 */
export const insertDispatchedSql = (centralId: string, due: string, now: string): string => `
  insert into deliveries (central_id, id, status, scheduled_id, ${COLUMNS}, reserved_cents, requested_at,
    event_sequence)
  select ${centralId}::bigint, ${due}.new_id,
    case when central.settings @> '{"releaseRequired": true}' or company.needs_release
      then 'awaiting_release' else 'distributing' end,
    ${due}.id, ${ORDER_COLUMNS.map((column) => `${due}.${column}`).join(', ')},
    case when ${due}.payment = 'credit_wallet' then ${due}.net_cents else 0 end, ${now}, 1
  from ${due}
  join centrals central on central.id = ${centralId}
  left join companies company on company.central_id = ${centralId} and company.id = ${due}.company_id
  returning *`;

/**
 * Whether a delivery that is not started carries stops that were ordered with others. They can only come from a
 * scheduled delivery with others grouped into it. Nothing joins a delivery between dispatch and start, so the answer
 * needs no lock.
 */
export async function carriesOthers(tx: Tx, centralId: number, deliveryId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from scheduled
    where central_id = ${centralId} and situation = 'grouped' and grouped_into = (
      select scheduled_id from deliveries where central_id = ${centralId} and id = ${deliveryId})
    limit 1`;
  return rows.length > 0;
}

/** The coupon that the delivery was ordered with, at the percentage of that moment. */
export async function findHeldCoupon(
  tx: Tx,
  centralId: number,
  deliveryId: number,
): Promise<Pick<Coupon, 'id' | 'code' | 'percent'> | null> {
  const [row] = await tx<Pick<Coupon, 'id' | 'code' | 'percent'>>`
    select c.id, c.code, d.discount_percent as percent
    from deliveries d
    join coupons c on c.central_id = ${centralId} and c.id = d.coupon_id
    where d.central_id = ${centralId} and d.id = ${deliveryId}`;
  return row ?? null;
}

/**
 * Replaces everything of a delivery except its stops. The caller holds its lock. Without payment by credit wallet
 * nothing is held any more; the wallet's own entry is made by holdCredit. Answers with the customer.
 */
export async function replaceDelivery(
  tx: Tx,
  centralId: number,
  delivery: Delivery,
  prepared: PreparedOrder,
): Promise<{ customerId: number }> {
  const { person, payment } = prepared.order;
  const customerId = person ? await upsertPerson(tx, centralId, person) : delivery.customerId;
  const { text, values } = orderChanges(prepared, customerId);
  const reserved = payment === 'credit_wallet' ? '' : 'reserved_cents = 0,';
  await tx.run(
    `update deliveries set ${text}, ${reserved} version = version + 1 where central_id = $1 and id = $2`,
    [centralId, delivery.id, ...values],
  );
  return { customerId };
}
