import type { Tx } from '../postgres/database.ts';
import type { LiveEvent } from './liveStore.ts';

/**
 * What happened to a delivery, and to the scheduled one that it came from, in order. Positions are no part of the
 * story. Found by the two indexes that number the events of each.
 */
export async function listHistory(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  scheduledId: number | null,
): Promise<LiveEvent[]> {
  return tx<LiveEvent>`
    select central_id as "centralId", id, uid, type, company_id as "companyId", delivery_id as "deliveryId",
      scheduled_id as "scheduledId", sequence, payload, occurred_at as "occurredAt"
    from events
    where central_id = ${centralId} and delivery_id = ${deliveryId} and sequence is not null
    union all
    select central_id, id, uid, type, company_id, delivery_id, scheduled_id, sequence, payload, occurred_at
    from events
    where central_id = ${centralId} and scheduled_id = ${scheduledId}
    order by "occurredAt", id`;
}
