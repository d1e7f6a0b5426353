import { deleteHelpAbout } from '../drivers/helpStore.ts';
import { removeReasonsWithoutCode } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';
import { deleteProofImages } from '../proof/proofStore.ts';
import { PERSONAL_DATA_REMOVED } from '../requests/requestStore.ts';
import { removePersonalDataOfStopsOf } from '../requests/stopStore.ts';
import { removeReasonsOfHandovers } from './handoverStore.ts';
import { removeRefusalNotes } from './offerStore.ts';

/* Removes data that identifies a person from requests that have ended. Money, times, districts and figures stay. */

const ENDED = `status in ('finished', 'cancelled', 'not_attended')`;

export interface EndedRequest {
  id: number;
  customerId: number;
}

export async function findCentralsWithEndedDeliveries(
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select distinct central_id from deliveries
     where central_id = any($1::bigint[]) and personal_data_removed_at is null and ${ENDED}
       and coalesce(finished_at, cancelled_at, not_attended_at) < $2`,
    [centralIds, before],
  );
  return rows.map((row) => row.central_id);
}

/**
 * Locks the oldest deliveries that ended before an instant and still hold personal data. The locks keep two jobs from
 * taking the same deliveries; nothing else changes an ended delivery.
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

/** A person's own deliveries, each with whether it has ended. */
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
  await tx.run(
    `update deliveries set personal_data_removed_at = $3, ${PERSONAL_DATA_REMOVED}
     where central_id = $1 and id = any($2::bigint[])`,
    [centralId, ids, now],
  );
  await removeTexts(tx, centralId, ids);
  const stopIds = await removePersonalDataOfStopsOf(tx, centralId, 'delivery', ids);
  await removeReasonsWithoutCode(tx, centralId, stopIds);
  await deleteProofImages(tx, centralId, stopIds);
}

/** Removes free texts about deliveries, which may name their recipients. */
export async function removeTexts(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx`
    update deliveries set note = null, held_reason = case when held_reason is not null then '' end,
      dismissed_reason = case when dismissed_reason is not null then '' end
    where central_id = ${centralId} and id = any(${ids}::bigint[])
      and (note is not null or held_reason is not null or dismissed_reason is not null)`;
  await removeReasonsOfHandovers(tx, centralId, ids);
  await removeRefusalNotes(tx, centralId, ids);
  await deleteHelpAbout(tx, centralId, ids);
}

export interface StopOfPerson {
  id: number;
  requestId: number;
  /** The request that the stop was ordered with. */
  orderedWith: number;
  ended: boolean;
}

/** The stops of a recipient's phone, given as digits. */
export const findStopsOfPhone = (tx: Tx, centralId: number, phone: string): Promise<StopOfPerson[]> =>
  tx.run<StopOfPerson>(
    `select s.id, s.delivery_id as "requestId", s.ordered_with as "orderedWith", d.${ENDED} as ended
     from stops s join deliveries d on d.central_id = $1 and d.id = s.delivery_id
     where s.central_id = $1 and s.recipient_phone is not null and phone_digits(s.recipient_phone) = $2
     order by s.id`,
    [centralId, phone],
  );

/** All data of some deliveries, or of single stops, for the person they are about. */
export async function exportDeliveries(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  stopIds: readonly number[],
): Promise<{ requests: unknown[]; stops: { id: number }[] }> {
  const requests = await tx<{ row: unknown }>`
    select to_jsonb(d) - 'version' - 'event_sequence' - 'dismissed_by' as row from deliveries d
    where central_id = ${centralId} and id = any(${ids}::bigint[]) order by id`;
  const stops = await tx<{ row: { id: number } }>`
    select to_jsonb(s) - 'tracking_token' - 'confirmation_code' - 'wrong_codes' || jsonb_build_object('attempts', (
        select coalesce(jsonb_agg(to_jsonb(a) - 'recorded_by' - 'resolved_by' order by a.number), '[]')
        from stop_attempts a where a.central_id = ${centralId} and a.stop_id = s.id)) as row
    from stops s
    where central_id = ${centralId} and (id = any(${stopIds}::bigint[]) or ordered_with = any(${ids}::bigint[]))
    order by id`;
  return { requests: requests.map(({ row }) => row), stops: stops.map(({ row }) => row) };
}
