import { findCentralsWith } from '../../centrals/centralStore.ts';
import { removeConclusionReasons } from '../../events/record/eventStore.ts';
import { deleteProposalsAbout } from '../../geo/geocoding/proposalStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';
import { deleteHelpAbout } from '../../registers/drivers/helpStore.ts';
import { PERSONAL_DATA_REMOVED } from '../orders/requestStore.ts';
import { removePersonalDataOfStopsOf } from '../orders/stopStore.ts';
import { deleteProofImages } from '../proof/proofStore.ts';
import { removeReasonsOfHandovers, removeRefusalNotes } from './offerStore.ts';

/* Removes data that identifies a person from requests that have ended. Money, times, districts and figures stay. */

const ENDED = sql`status in ('finished', 'cancelled', 'not_attended')`;

export interface EndedRequest {
  id: number;
  customerId: number;
}

export const findCentralsWithEndedDeliveries = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`deliveries
      where central_id = any(${centralIds}::bigint[]) and personal_data_removed_at is null and ${ENDED}
        and coalesce(finished_at, cancelled_at, not_attended_at) < ${before}`,
  );

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
  return tx.rows<EndedRequest>`
    select id, customer_id from deliveries
    where central_id = ${centralId} and personal_data_removed_at is null and ${ENDED}
      and coalesce(finished_at, cancelled_at, not_attended_at) < ${before}
    order by coalesce(finished_at, cancelled_at, not_attended_at), id limit ${limit} for update skip locked`;
}

/** A person's own deliveries, each with whether it has ended. */
export function findDeliveriesOf(
  tx: Tx,
  centralId: number,
  customerIds: readonly number[],
): Promise<(EndedRequest & { ended: boolean })[]> {
  return tx.rows`
    select id, customer_id, ${ENDED} as ended from deliveries
    where central_id = ${centralId} and company_id is null and customer_id = any(${customerIds}::bigint[])
      and personal_data_removed_at is null
    order by id`;
}

export async function removePersonalData(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update deliveries set personal_data_removed_at = ${now}, ${PERSONAL_DATA_REMOVED}
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;
  await removeTexts(tx, centralId, ids);
  const stopIds = await removePersonalDataOfStopsOf(tx, centralId, 'delivery', ids);
  await removeConclusionReasons(tx, centralId, stopIds);
  await deleteProofImages(tx, centralId, stopIds);
}

/** Removes free texts about deliveries, which may name their recipients, and digests by which these could be guessed. */
export async function removeTexts(tx: Tx, centralId: number, ids: readonly number[]): Promise<void> {
  await tx.rows`
    update deliveries set note = null, held_reason = case when held_reason is not null then '' end,
      dismissed_reason = case when dismissed_reason is not null then '' end, external_content = null
    where central_id = ${centralId} and id = any(${ids}::bigint[])
      and (note is not null or held_reason is not null or dismissed_reason is not null
        or external_content is not null)`;
  await removeReasonsOfHandovers(tx, centralId, ids);
  await removeRefusalNotes(tx, centralId, ids);
  await deleteHelpAbout(tx, centralId, ids);
  await deleteProposalsAbout(tx, centralId, ids);
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
  tx.rows<StopOfPerson>`
    select s.id, s.delivery_id as request_id, s.ordered_with, d.${ENDED} as ended
    from stops s join deliveries d on d.central_id = ${centralId} and d.id = s.delivery_id
    where s.central_id = ${centralId} and s.recipient_phone is not null
      and phone_digits(s.recipient_phone) = ${phone}
    order by s.id`;

/** All data of some deliveries, or of single stops, for the person they are about. */
export async function exportDeliveries(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  stopIds: readonly number[],
): Promise<{ requests: unknown[]; stops: { id: number }[] }> {
  const requests = await tx.rows<{ row: unknown }>`
    select to_jsonb(d) - 'version' - 'event_sequence' - 'changed_in' - 'changed_at'
      - 'dismissed_by' - 'external_content' as row from deliveries d
    where central_id = ${centralId} and id = any(${ids}::bigint[]) order by id`;
  const stops = await tx.rows<{ row: { id: number } }>`
    select to_jsonb(s) - 'tracking_token' - 'confirmation_code' - 'wrong_codes' || jsonb_build_object('attempts', (
        select coalesce(jsonb_agg(to_jsonb(a) - 'recorded_by' - 'resolved_by' order by a.number), '[]')
        from stop_attempts a where a.central_id = ${centralId} and a.stop_id = s.id)) as row
    from stops s
    where central_id = ${centralId} and (id = any(${stopIds}::bigint[]) or ordered_with = any(${ids}::bigint[]))
    order by id`;
  return { requests: requests.map(({ row }) => row), stops: stops.map(({ row }) => row) };
}
