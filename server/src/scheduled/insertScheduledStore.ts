import { customerOf } from '../deliveries/insertDeliveryStore.ts';
import type { PreparedOrder } from '../deliveries/order.ts';
import { assertCouponUses } from '../estimates/couponUseStore.ts';
import type { Deed } from '../events/deed.ts';
import { insertedStops, scheduledFacts } from '../events/factsSql.ts';
import type { Tx } from '../postgres/database.ts';
import { stopRows, stopsParameter } from './scheduledStopStore.ts';

// Creation is the hottest write of this room, so the row, its stops and its event are one statement.
// PostgreSQL checks foreign keys at the end of a statement: the order of the parts does not matter.
const INSERT = `
  with new as (
    insert into scheduled (central_id, id, situation, dispatch_at, requested_at, company_id, customer_id,
      category_id, tariff_id, payment, has_return, note, coupon_id, discount_percent, pickup_address,
      pickup_complement, pickup_reference, pickup_district, pickup_city, pickup_state, pickup_lat, pickup_lng,
      planned_metres, planned_seconds, gross_cents, net_cents, event_sequence)
    values ($1, next_id($1, 'scheduled'), 'awaiting', $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
      $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, 1)
    returning *),
  stops as (
    insert into scheduled_stops (central_id, id, scheduled_id, ordered_with, position, address, complement,
      reference, district, city, state, lat, lng, order_number, external_id, recipient_name, recipient_phone,
      note, collect_cents, confirmation_code)
    ${stopRows('$1', '(select id from new)', '$2')}
    returning id, position, order_number, external_id),
  event as (
    insert into events (central_id, id, type, company_id, scheduled_id, sequence, payload, occurred_at, user_id)
    select $1, next_id($1, 'event'), 'scheduled.changed', company_id, id, 1,
      ${scheduledFacts('new', `(select ${insertedStops('stops')} from stops)`)} || $26::jsonb, $4, $27::bigint
    from new)
  select id from new`;

/** Writes it down, its stops, and the event that tells of it; answers with its id. */
export async function insertScheduled(
  tx: Tx,
  centralId: number,
  prepared: PreparedOrder,
  dispatchAt: Temporal.Instant,
  { at, by }: Deed,
): Promise<number> {
  const { order, estimate } = prepared;
  const { pickup } = order;
  const customerId = await customerOf(tx, centralId, prepared);
  const [row] = await tx.run<{ id: number }>(INSERT, [
    centralId,
    stopsParameter(order.stops),
    dispatchAt,
    at,
    prepared.companyId,
    customerId,
    prepared.category.id,
    estimate.tariff.id,
    order.payment,
    order.returning,
    order.note,
    prepared.couponId,
    prepared.discountPercent,
    pickup.address,
    pickup.complement,
    pickup.reference,
    pickup.district,
    pickup.city,
    pickup.state,
    pickup.position.lat,
    pickup.position.lng,
    estimate.metres,
    estimate.seconds,
    estimate.grossCents,
    estimate.netCents,
    { situation: 'awaiting', change: 'created' },
    by,
  ]);
  await assertCouponUses(tx, centralId, prepared.couponId, customerId);
  return row!.id;
}
