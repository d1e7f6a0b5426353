import type { Tx } from '../postgres/database.ts';
import type { OrderedStop } from './request.ts';

// Changes of stops of deliveries whose carrier's lock the caller holds.

const UPDATE_STOPS = `
  update stops set address = s ->> 'address', complement = s ->> 'complement', reference = s ->> 'reference',
    district = s ->> 'district', city = s ->> 'city', state = s ->> 'state', lat = (s ->> 'lat')::double precision,
    lng = (s ->> 'lng')::double precision, located_by = s -> 'located' ->> 'by',
    located_precision = s -> 'located' ->> 'precision',
    to_check = coalesce((s -> 'located' ->> 'toCheck')::boolean, false), order_number = s ->> 'orderNumber',
    recipient_name = s ->> 'recipientName', recipient_phone = s ->> 'recipientPhone', note = s ->> 'note',
    collect_cents = (s ->> 'collectCents')::bigint
  from jsonb_array_elements($2::jsonb) as t (s)
  where stops.central_id = $1 and stops.id = (s ->> 'id')::bigint`;

/** Changes the ordered data of stops; their codes, links and positions stay. */
export async function updateStops(
  tx: Tx,
  centralId: number,
  stops: readonly (OrderedStop & { id: number })[],
): Promise<void> {
  if (stops.length === 0) return;
  const values = stops.map((stop) => ({ ...stop, ...stop.position }));
  await tx.run(UPDATE_STOPS, [centralId, JSON.stringify(values)]);
}

/** Stores the current driver with concluded stops that name no driver yet. */
export async function nameConcluder(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  driverId: number,
): Promise<void> {
  await tx`
    update stops set concluded_by = ${driverId}
    where central_id = ${centralId} and delivery_id = ${deliveryId} and concluded_at is not null
      and concluded_by is null`;
}
