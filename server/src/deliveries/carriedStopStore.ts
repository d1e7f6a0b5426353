import type { Estimate } from '../estimates/estimateTrip.ts';
import type { Position } from '../kernel/position.ts';
import type { Tx } from '../postgres/database.ts';

/** A stop of the delivery that carries it now, as far as a plan looks at it. */
export interface CarriedStop {
  id: number;
  orderedWith: number;
  position: Position;
  concluded: boolean;
}

interface StopRow {
  id: number;
  ordered_with: number;
  lat: number;
  lng: number;
  concluded: boolean;
}

/**
 * Those that are concluded first, in the order in which they were visited; then the others, in their order. Stops
 * change only under the lock of the delivery that carries them.
 */
export async function findCarriedStops(
  tx: Tx,
  centralId: number,
  deliveryId: number,
): Promise<CarriedStop[]> {
  const rows = await tx<StopRow>`
    select id, ordered_with, lat, lng, concluded_at is not null as concluded from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId}
    order by concluded_at nulls last, position`;
  return rows.map(({ id, ordered_with, lat, lng, concluded }) => ({
    id,
    orderedWith: ordered_with,
    position: { lat, lng },
    concluded,
  }));
}

// Each of the following changes rows whose locks the caller holds, or whose carrier's lock it holds.

/** Makes `stopIds`, in this order, the stops of one delivery, taking over those that others carried. */
export async function moveStops(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopIds: readonly number[],
): Promise<void> {
  await tx`
    update stops s set delivery_id = ${deliveryId}, position = ordered.ordinality - 1
    from unnest(${stopIds}::bigint[]) with ordinality as ordered (id, ordinality)
    where s.central_id = ${centralId} and s.id = ordered.id
      and (s.delivery_id, s.position) is distinct from (${deliveryId}::bigint, (ordered.ordinality - 1)::integer)`;
}

/** Null keeps the current figures; the version grows all the same. */
export async function saveDeliveryEstimate(
  tx: Tx,
  centralId: number,
  id: number,
  estimate: Estimate | null,
): Promise<void> {
  if (estimate === null) {
    await tx`
      update deliveries set version = version + 1 where central_id = ${centralId} and id = ${id}`;
    return;
  }
  await tx`
    update deliveries set tariff_id = ${estimate.tariff.id}, planned_metres = ${estimate.metres},
      planned_seconds = ${estimate.seconds}, gross_cents = ${estimate.grossCents},
      net_cents = ${estimate.netCents}, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}
