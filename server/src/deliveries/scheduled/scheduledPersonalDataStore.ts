import type { EndedRequest, StopOfPerson } from '../deliveries/personalDataStore.ts';
import type { Tx } from '../postgres/database.ts';
import { PERSONAL_DATA_REMOVED } from '../requests/requestStore.ts';
import { removePersonalDataOfStopsOf } from '../requests/stopStore.ts';

/*
 * As deliveries/personalDataStore.ts, for scheduled deliveries. A scheduled delivery has ended when it does not await
 * its dispatch and its delivery, if any, is over. A grouped one has no delivery of its own: it has ended when its
 * grouper does not await dispatch any more.
 */

const ENDED = `s.situation <> 'awaiting' and not exists (
  select 1 from deliveries d where d.central_id = $1 and d.id = s.delivery_id
    and d.status not in ('finished', 'cancelled', 'not_attended'))
  and not exists (
    select 1 from scheduled grouper where grouper.central_id = $1 and grouper.id = s.grouped_into
      and grouper.situation = 'awaiting')`;

export function lockEndedScheduled(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
  limit: number,
): Promise<EndedRequest[]> {
  return tx.run<EndedRequest>(
    `select s.id, s.customer_id as "customerId" from scheduled s
     where s.central_id = $1 and s.personal_data_removed_at is null and s.situation <> 'awaiting'
       and s.dispatch_at < $2 and ${ENDED}
     order by s.dispatch_at, s.id limit $3 for update skip locked`,
    [centralId, before.toString(), limit],
  );
}

/** Centrals that may have such rows. The delivery made of a scheduled delivery may not have ended yet. */
export async function findCentralsWithEndedScheduled(
  tx: Tx,
  centralIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> {
  const rows = await tx<{ central_id: number }>`
    select distinct central_id from scheduled
    where central_id = any(${centralIds}::bigint[]) and personal_data_removed_at is null
      and situation <> 'awaiting' and dispatch_at < ${before}`;
  return rows.map((row) => row.central_id);
}

export function findScheduledOf(
  tx: Tx,
  centralId: number,
  customerIds: readonly number[],
): Promise<(EndedRequest & { ended: boolean })[]> {
  return tx.run(
    `select s.id, s.customer_id as "customerId", (${ENDED}) as ended from scheduled s
     where s.central_id = $1 and s.company_id is null and s.customer_id = any($2::bigint[])
       and s.personal_data_removed_at is null
     order by s.id`,
    [centralId, customerIds],
  );
}

export async function removePersonalDataOfScheduled(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(
    `update scheduled set personal_data_removed_at = $3, ${PERSONAL_DATA_REMOVED}
     where central_id = $1 and id = any($2::bigint[])`,
    [centralId, ids, now],
  );
  await removePersonalDataOfStopsOf(tx, centralId, 'scheduled', ids);
}

/** Removes the notes of scheduled deliveries, which may name their recipients. */
export async function removeNotesOfScheduled(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
): Promise<void> {
  await tx`
    update scheduled set note = null
    where central_id = ${centralId} and id = any(${ids}::bigint[]) and note is not null`;
}

export const findScheduledStopsOfPhone = (
  tx: Tx,
  centralId: number,
  phone: string,
): Promise<StopOfPerson[]> =>
  tx.run<StopOfPerson>(
    `select stop.id, stop.scheduled_id as "requestId", stop.ordered_with as "orderedWith", (${ENDED}) as ended
     from scheduled_stops stop join scheduled s on s.central_id = $1 and s.id = stop.scheduled_id
     where stop.central_id = $1 and stop.recipient_phone is not null and phone_digits(stop.recipient_phone) = $2
     order by stop.id`,
    [centralId, phone],
  );

export async function exportScheduled(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  stopIds: readonly number[],
): Promise<{ requests: unknown[]; stops: unknown[] }> {
  const requests = await tx<{ row: unknown }>`
    select to_jsonb(s) - 'version' - 'event_sequence' as row from scheduled s
    where central_id = ${centralId} and id = any(${ids}::bigint[]) order by id`;
  const stops = await tx<{ row: unknown }>`
    select to_jsonb(s) - 'confirmation_code' as row from scheduled_stops s
    where central_id = ${centralId} and (id = any(${stopIds}::bigint[]) or ordered_with = any(${ids}::bigint[]))
    order by id`;
  return { requests: requests.map(({ row }) => row), stops: stops.map(({ row }) => row) };
}
