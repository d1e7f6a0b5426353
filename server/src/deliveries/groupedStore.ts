import type { Tx } from '../postgres/database.ts';
import { separateOfItselfSql } from '../requests/requestStore.ts';

// Links between grouped deliveries. The caller holds the locks of the rows that are changed, or of their grouper.

/**
 * Groups deliveries into another one, along with all deliveries grouped into them before, so that the carrier is always
 * one step away. They get the grouper's driver. Returns the ids of all of them.
 */
export async function markDeliveriesGrouped(
  tx: Tx,
  centralId: number,
  ids: readonly number[],
  grouper: { id: number; driverId: number | null },
): Promise<number[]> {
  const rows = await tx.run<{ id: number }>(MARK_GROUPED, [centralId, ids, grouper.id, grouper.driverId]);
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

const MARK_GROUPED = `
  update deliveries d set grouped_into = $3, driver_id = $4, version = version + 1,
    separate_metres = ${separateOfItselfSql('d', 'deliveries part where part.central_id = $1 and part.grouped_into = d.id')}
  where central_id = $1 and (id = any($2::bigint[]) or grouped_into = any($2::bigint[]))
  returning id`;

/** Takes a delivery out of its group. It must be cancelled before, so that its driver has only one current delivery. */
export async function markUngrouped(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.defer`
    update deliveries set grouped_into = null, version = version + 1
    where central_id = ${centralId} and id = ${id}`;
}

/**
 * Whether other deliveries, or scheduled deliveries, than the leaving one are grouped into it. Scheduled deliveries may
 * have been grouped before its dispatch or, according to its events, later.
 */
export async function carriesOthersThan(
  tx: Tx,
  centralId: number,
  leavingId: number,
  id: number,
): Promise<boolean> {
  const [row] = await tx<{ carries: boolean }>`
    select exists (
        select from deliveries
        where central_id = ${centralId} and grouped_into = ${id} and id <> ${leavingId})
      or exists (
        select from deliveries d
        join scheduled s on s.central_id = ${centralId} and s.grouped_into = d.scheduled_id and s.situation = 'grouped'
        where d.central_id = ${centralId} and d.id = ${id})
      or exists (
        select from events where central_id = ${centralId} and delivery_id = ${id} and sequence is not null
          and type = 'delivery.grouped' and jsonb_array_length(payload -> 'scheduled') > 0) as carries`;
  return row!.carries;
}
