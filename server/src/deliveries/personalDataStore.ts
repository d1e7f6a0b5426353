import type { Tx } from '../postgres/database.ts';

/* Removes what names or finds a person from requests that have ended. Money, times, districts and figures stay. */

const ENDED = `status in ('finished', 'cancelled', 'not_attended')`;

export interface EndedRequest {
  id: number;
  customerId: number;
}

/**
 * The oldest that ended before an instant and still hold personal data. They are locked, so that of two jobs each
 * takes its own; nobody else changes an ended delivery.
 */
export function lockEndedDeliveries(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<EndedRequest[]> {
  return tx.run<EndedRequest>(
    `select id, customer_id as "customerId" from deliveries
     where central_id = $1 and personal_data_removed_at is null and ${ENDED}
       and coalesce(finished_at, cancelled_at, not_attended_at) < $2
     order by coalesce(finished_at, cancelled_at, not_attended_at), id limit $3 for update skip locked`,
    [centralId, before.toString(), limit],
  );
}

/** A person's own deliveries, told apart by whether they have ended. */
export function findDeliveriesOf(
  tx: Tx,
  centralId: number,
  customerIds: readonly number[],
): Promise<(EndedRequest & { ended: boolean })[]> {
  return tx.run(
    `select id, customer_id as "customerId", ${ENDED} as ended from deliveries
     where central_id = $1 and company_id is null and customer_id = any($2::bigint[])
       and personal_data_removed_at is null
     order by id`,
    [centralId, customerIds],
  );
}

export async function removePersonalData(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    update deliveries set personal_data_removed_at = ${now}, note = null,
      pickup_address = without_door(pickup_address), pickup_complement = null, pickup_reference = null,
      pickup_lat = rough_degree(pickup_lat), pickup_lng = rough_degree(pickup_lng)
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;
  const stops = await tx<{ id: number }>`
    select id from stops where central_id = ${centralId}
      and (delivery_id = any(${ids}::bigint[]) or ordered_with = any(${ids}::bigint[]))`;
  await removePersonalDataOfStops(
    tx,
    centralId,
    stops.map(({ id }) => id),
  );
}

/** The tracking link of a stop leads nowhere afterwards, also for whoever still has it. */
export async function removePersonalDataOfStops(
  tx: Tx,
  centralId: number,
  stopIds: readonly number[],
): Promise<void> {
  await tx`
    update stops set recipient_name = null, recipient_phone = null, note = null, complement = null,
      reference = null, confirmation_code = null, address = without_door(address),
      lat = rough_degree(lat), lng = rough_degree(lng),
      tracking_token = replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
    where central_id = ${centralId} and id = any(${stopIds}::bigint[])`;
}

export interface StopOfPerson {
  id: number;
  requestId: number;
  ended: boolean;
}

/** One step through all stops of a central, by their ids; `last` is null when there are no more. */
export async function findStopsOfPhone(
  tx: Tx,
  centralId: number,
  phone: string,
  after: number,
  limit: number,
): Promise<{ found: StopOfPerson[]; last: number | null }> {
  const rows = await tx.run<StopOfPerson & { matches: boolean }>(
    `select s.id, s.delivery_id as "requestId", coalesce(phone_digits(s.recipient_phone) = $3, false) as matches,
       d.${ENDED} as ended
     from (select * from stops where central_id = $1 and id > $2 order by id limit $4) s
     join deliveries d on d.central_id = $1 and d.id = s.delivery_id
     order by s.id`,
    [centralId, after, phone, limit],
  );
  return { found: rows.filter(({ matches }) => matches), last: rows.at(-1)?.id ?? null };
}

/** All that is known of some deliveries, or of single stops, for the person they are about. */
export async function exportDeliveries(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  stopIds: readonly number[],
): Promise<{ requests: unknown[]; stops: unknown[] }> {
  const requests = await tx<{ row: unknown }>`
    select to_jsonb(d) - 'version' - 'event_sequence' as row from deliveries d
    where central_id = ${centralId} and id = any(${ids}::bigint[]) order by id`;
  const stops = await tx<{ row: unknown }>`
    select to_jsonb(s) - 'tracking_token' - 'confirmation_code' - 'wrong_codes' as row from stops s
    where central_id = ${centralId} and (id = any(${stopIds}::bigint[]) or ordered_with = any(${ids}::bigint[]))
    order by id`;
  return { requests: requests.map(({ row }) => row), stops: stops.map(({ row }) => row) };
}
