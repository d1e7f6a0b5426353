import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';

export interface StopAtHand {
  id: number;
  orderedWith: number;
  order: number;
  code: number | null;
  wrongCodes: number;
  concludedAt: Temporal.Instant | null;
}

/** Locks a stop of the delivery that carries it. The caller holds that delivery's lock. */
export async function lockStop(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopId: number,
): Promise<StopAtHand> {
  const [stop] = await tx<StopAtHand>`
    select id, ordered_with as "orderedWith", position as "order", confirmation_code as code,
      wrong_codes as "wrongCodes", concluded_at as "concludedAt"
    from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId} and id = ${stopId}
    for update`;
  if (!stop) throw new Refusal('stop-not-found');
  return stop;
}

export async function countOpenStops(tx: Tx, centralId: number, deliveryId: number): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId} and concluded_at is null`;
  return row!.count;
}
