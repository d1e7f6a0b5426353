import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { type Sql, sql } from '../../platform/postgres/sql.ts';
import type { EndedRequest, StopOfPerson } from '../deliveries/deliveryPersonalDataStore.ts';
import { PERSONAL_DATA_REMOVED } from '../orders/requestStore.ts';
import { removePersonalDataOfStopsOf } from '../orders/stopStore.ts';

/*
 * As deliveries/deliveries/deliveryPersonalDataStore.ts, for scheduled deliveries. A scheduled delivery has ended when it does not await
 * its dispatch and its delivery, if any, is over. A grouped one has no delivery of its own: it has ended when its
 * grouper does not await dispatch any more.
 */

const ended = (centralId: number): Sql => sql`s.situation <> 'awaiting' and not exists (
  select 1 from deliveries d where d.central_id = ${centralId} and d.id = s.delivery_id
    and d.status not in ('finished', 'cancelled', 'not_attended'))
  and not exists (
    select 1 from scheduled grouper where grouper.central_id = ${centralId} and grouper.id = s.grouped_into
      and grouper.situation = 'awaiting')`;

export function lockEndedScheduled(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<EndedRequest[]> {
  return tx.rows<EndedRequest>`
    select s.id, s.customer_id from scheduled s
    where s.central_id = ${centralId} and s.personal_data_removed_at is null and s.situation <> 'awaiting'
      and s.dispatch_at < ${before} and ${ended(centralId)}
    order by s.dispatch_at, s.id limit ${limit} for update skip locked`;
}

/** Centrals that may have such rows. The delivery made of a scheduled delivery may not have ended yet. */
export const findCentralsWithEndedScheduled = (
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> =>
  findCentralsWith(
    tx,
    sql`scheduled
      where central_id = any(${centralIds}::bigint[]) and personal_data_removed_at is null
        and situation <> 'awaiting' and dispatch_at < ${before}`,
  );

export function findScheduledOf(
  tx: Tx,
  centralId: number,
  customerIds: readonly number[],
): Promise<(EndedRequest & { ended: boolean })[]> {
  return tx.rows`
    select s.id, s.customer_id, (${ended(centralId)}) as ended from scheduled s
    where s.central_id = ${centralId} and s.company_id is null and s.customer_id = any(${customerIds}::bigint[])
      and s.personal_data_removed_at is null
    order by s.id`;
}

/** Locks everything scheduled by a person, or for a stop of theirs, so that it stays ended or open. */
export async function lockScheduledOf(
  tx: Tx,
  centralId: number,
  { cpf, phone }: { cpf: string | null; phone: string | null },
): Promise<void> {
  await tx.rows`
    select from scheduled
    where central_id = ${centralId} and personal_data_removed_at is null and (
      company_id is null and customer_id in (
        select id from customers
        where central_id = ${centralId} and company_id is null
          and (cpf = ${cpf} or phone_digits(phone) = ${phone}))
      or id in (
        select scheduled_id from scheduled_stops
        where central_id = ${centralId} and recipient_phone is not null
          and phone_digits(recipient_phone) = ${phone}))
    order by id for no key update`;
}

export async function removePersonalDataOfScheduled(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update scheduled set personal_data_removed_at = ${now}, ${PERSONAL_DATA_REMOVED}
    where central_id = ${centralId} and id = any(${ids}::bigint[])`;
  await removePersonalDataOfStopsOf(tx, centralId, 'scheduled', ids);
}

/** Removes the notes of scheduled deliveries, which may name their recipients, and digests that cover them. */
export async function removeNotesOfScheduled(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
): Promise<void> {
  await tx.rows`
    update scheduled set note = null, external_content = null
    where central_id = ${centralId} and id = any(${ids}::bigint[])
      and (note is not null or external_content is not null)`;
}

export const findScheduledStopsOfPhone = (
  tx: Tx,
  centralId: number,
  phone: string,
): Promise<StopOfPerson[]> =>
  tx.rows<StopOfPerson>`
    select stop.id, stop.scheduled_id as request_id, stop.ordered_with, (${ended(centralId)}) as ended
    from scheduled_stops stop join scheduled s on s.central_id = ${centralId} and s.id = stop.scheduled_id
    where stop.central_id = ${centralId} and stop.recipient_phone is not null
      and phone_digits(stop.recipient_phone) = ${phone}
    order by stop.id`;

export async function exportScheduled(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  stopIds: readonly number[],
): Promise<{ requests: unknown[]; stops: unknown[] }> {
  const requests = await tx.rows<{ row: unknown }>`
    select to_jsonb(s) - 'version' - 'event_sequence' - 'changed_in' - 'changed_at'
      - 'external_content' as row from scheduled s
    where central_id = ${centralId} and id = any(${ids}::bigint[]) order by id`;
  const stops = await tx.rows<{ row: unknown }>`
    select to_jsonb(s) - 'confirmation_code' as row from scheduled_stops s
    where central_id = ${centralId} and (id = any(${stopIds}::bigint[]) or ordered_with = any(${ids}::bigint[]))
    order by id`;
  return { requests: requests.map(({ row }) => row), stops: stops.map(({ row }) => row) };
}
