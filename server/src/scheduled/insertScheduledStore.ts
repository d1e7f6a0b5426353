import { customerOf } from '../deliveries/insertDeliveryStore.ts';
import { assertCouponUses } from '../estimates/couponUseStore.ts';
import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Actor } from '../events/actor.ts';
import { insertedStops, scheduledFacts } from '../events/factsSql.ts';
import type { Tx } from '../postgres/database.ts';
import type { PreparedOrder } from '../requests/order.ts';
import type { Replacement } from './editScheduled.ts';
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
  { at, by }: Actor,
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

/** Everything that an edit replaces, except the stops; it awaits its dispatch, also where an earlier one failed. The caller holds the row's lock. */
export async function replaceScheduled(
  tx: Tx,
  centralId: number,
  id: number,
  { dispatchAt, payment, pickup }: Replacement,
  estimate: Estimate,
): Promise<void> {
  await tx`
    update scheduled set situation = 'awaiting', failure = null, dispatch_at = ${dispatchAt}, payment = ${payment}, pickup_address = ${pickup.address},
      pickup_complement = ${pickup.complement}, pickup_reference = ${pickup.reference},
      pickup_district = ${pickup.district}, pickup_city = ${pickup.city}, pickup_state = ${pickup.state},
      pickup_lat = ${pickup.position.lat}, pickup_lng = ${pickup.position.lng},
      tariff_id = ${estimate.tariff.id}, planned_metres = ${estimate.metres},
      planned_seconds = ${estimate.seconds}, gross_cents = ${estimate.grossCents},
      net_cents = ${estimate.netCents}, estimate_outdated = false, dispatch_attempts = 0, retry_at = null,
      version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}
