import { upsertPerson } from '../companies/companyStore.ts';
import { assertCouponUses, type Coupon } from '../estimates/couponStore.ts';
import type { Actor } from '../events/event.ts';
import { eventTypeSql, insertEventSql, newDeliveryFacts } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';
import { newId } from '../postgres/ids.ts';
import type { PreparedOrder } from '../requests/request.ts';
import {
  customerOf,
  ORDER_COLUMNS,
  orderChanges,
  orderValues,
  parametersOf,
} from '../requests/requestStore.ts';
import { insertStopsSql, stopsParameter } from '../requests/stopStore.ts';
import type { Delivery } from './delivery.ts';
import { promisedAtSql } from './promise.ts';
import type { Status } from './status.ts';

const COLUMNS = ORDER_COLUMNS.join(', ');
/** The company, which is the first of `ORDER_COLUMNS`. */
const FIRST_ORDER_PARAMETER = 10;
const SECONDS_PARAMETER = FIRST_ORDER_PARAMETER + ORDER_COLUMNS.indexOf('planned_seconds');

// Creation is the most frequent write of this room, so the row, its stops and its event are one statement.
// PostgreSQL checks foreign keys at the end of a statement: the order of the parts does not matter.
const INSERT = `
  with new as (
    insert into deliveries (central_id, id, status, requested_at, promised_at, ${COLUMNS},
      event_sequence)
    values ($1, $2, $3, $4, ${promisedAtSql('$4', `$${SECONDS_PARAMETER}`, '$9')},
      ${parametersOf(ORDER_COLUMNS, FIRST_ORDER_PARAMETER)}, 1)),
  new_stops as (${insertStopsSql('delivery', '$1', '$2', '$5')})
  ${insertEventSql(
    ['central_id', 'type', 'company_id', 'delivery_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
    ['$6', '$1', eventTypeSql('delivery.status'), `$${FIRST_ORDER_PARAMETER}`, '$2', '1', '$8', '$4', '$7'],
  )}`;

/** Inserts a delivery with its stops and its first event; answers with its id. */
export async function insertDelivery(
  tx: Tx,
  centralId: number,
  prepared: PreparedOrder,
  status: Status,
  { at, by }: Actor,
): Promise<number> {
  const { stops } = prepared.order;
  const customerId = await customerOf(tx, centralId, prepared);
  const [id, stopIds, eventId] = await Promise.all([
    newId(tx, centralId, 'delivery'),
    tx.newIds(centralId, 'stop', stops.length),
    newId(tx, centralId, 'event'),
  ]);
  const facts = newDeliveryFacts(
    { status, netCents: prepared.estimate.netCents },
    stops.map((stop, index) => ({ ...stop, id: stopIds[index]! })),
  );
  await tx.run(INSERT, [
    centralId,
    id,
    status,
    at,
    stopsParameter(stops, stopIds),
    eventId,
    by,
    facts,
    stops.length,
    ...orderValues(prepared, customerId),
  ]);
  await assertCouponUses(tx, centralId, prepared.couponId, customerId);
  return id;
}

/**
 * SQL that inserts a delivery for each row of `due`, which are rows of scheduled with the new id as `new_id`, all of
 * one central. What is
 * paid by credit counts as reserved. The unique index deliveries_once_per_scheduled guarantees that a scheduled
 * delivery is dispatched once.
 */
export const insertDispatchedSql = (centralId: string, due: string, now: string): string => `
  insert into deliveries (central_id, id, status, scheduled_id, ${COLUMNS}, separate_metres, reserved_cents,
    requested_at, promised_at, event_sequence)
  select ${centralId}::bigint, ${due}.new_id,
    case when central.settings @> '{"releaseRequired": true}' or company.needs_release
      then 'awaiting_release' else 'distributing' end,
    ${due}.id, ${ORDER_COLUMNS.map((column) => `${due}.${column}`).join(', ')}, ${due}.separate_metres,
    case when ${due}.payment = 'credit_wallet' then ${due}.net_cents else 0 end, ${now},
    ${promisedAtSql(
      now,
      `${due}.planned_seconds`,
      `(select count(*) from scheduled_stops s where s.central_id = ${centralId} and s.scheduled_id = ${due}.id)`,
    )}, 1
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
