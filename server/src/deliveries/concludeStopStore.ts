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

/** A stop of the delivery that carries it now; the caller holds that delivery's lock. */
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

/** Also raises the delivery's version: a plan made while this stop was still to be visited is outdated. */
export async function markConcluded(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  stopId: number,
  now: Temporal.Instant,
): Promise<void> {
  // Not before the start, and after the stop concluded last, though a clock may have been put back: the order of these
  // moments is the order in which the stops were visited.
  await tx`
    update stops set concluded_at = greatest(${now}::timestamptz, (
        select started_at from deliveries where central_id = ${centralId} and id = ${deliveryId}), (
        select max(concluded_at) + interval '1 microsecond' from stops
        where central_id = ${centralId} and delivery_id = ${deliveryId}))
    where central_id = ${centralId} and id = ${stopId}`;
  await tx`
    update deliveries set version = version + 1 where central_id = ${centralId} and id = ${deliveryId}`;
}

export async function markWrongCode(tx: Tx, centralId: number, stopId: number): Promise<number> {
  const [row] = await tx<{ wrong_codes: number }>`
    update stops set wrong_codes = wrong_codes + 1
    where central_id = ${centralId} and id = ${stopId}
    returning wrong_codes`;
  return row!.wrong_codes;
}

export async function countOpenStops(tx: Tx, centralId: number, deliveryId: number): Promise<number> {
  const [row] = await tx<{ count: number }>`
    select count(*) from stops
    where central_id = ${centralId} and delivery_id = ${deliveryId} and concluded_at is null`;
  return row!.count;
}
