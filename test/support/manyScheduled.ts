import type { Database } from '../../server/src/postgres/database.ts';

/** Copies one scheduled delivery with its stops `count` times, all due at the same instant. */
export async function copyScheduled(
  db: Database,
  id: string,
  count: number,
  dispatchAt: Temporal.Instant,
): Promise<void> {
  await db.begin(async (tx) => {
    await tx`
      insert into scheduled (central_id, id, situation, dispatch_at, requested_at, company_id, customer_id, category_id,
        tariff_id, payment, has_return, pickup_address, pickup_district, pickup_city, pickup_state, pickup_lat,
        pickup_lng, planned_metres, planned_seconds, gross_cents, net_cents)
      select central_id, next_id(central_id, 'scheduled'), situation, ${dispatchAt}, requested_at, company_id,
        customer_id, category_id, tariff_id, payment, has_return, pickup_address, pickup_district, pickup_city,
        pickup_state, pickup_lat, pickup_lng, planned_metres, planned_seconds, gross_cents, net_cents
      from scheduled cross join generate_series(1, ${count}::integer)
      where central_id = 1 and id = ${id}`;
    await tx`
      insert into scheduled_stops (central_id, id, scheduled_id, ordered_with, position, address, district, city, state,
        lat, lng)
      select copy.central_id, next_id(1, 'stop'), copy.id, copy.id, s.position, s.address, s.district, s.city,
        s.state, s.lat, s.lng
      from scheduled copy cross join scheduled_stops s
      where copy.central_id = 1 and copy.dispatch_at = ${dispatchAt} and s.central_id = 1 and s.scheduled_id = ${id}`;
  });
}
