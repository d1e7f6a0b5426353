import type { Page } from '../kernel/page.ts';
import type { Tx } from '../postgres/database.ts';
import { AUTHOR_COLUMNS, AUTHOR_JOINS, type Authored } from './author.ts';
import type { LiveEvent } from './liveStore.ts';

export type PastEvent = LiveEvent & Authored;

const HISTORY = `
  select e.central_id as "centralId", e.id, e.uid, e.type, e.company_id as "companyId", e.delivery_id as "deliveryId",
    e.scheduled_id as "scheduledId", e.sequence, e.payload, e.occurred_at as "occurredAt", ${AUTHOR_COLUMNS}
  from (
    select * from events where central_id = $1 and delivery_id = $2 and sequence is not null
    union all
    select * from events where central_id = $1 and scheduled_id = $3) e
  ${AUTHOR_JOINS}
  order by e.occurred_at, e.id limit $4 offset $5`;

/**
 * What happened to a delivery, and to the scheduled one that it came from, in order. Positions are no part of the
 * story. Found by the two indexes that number the events of each.
 */
export async function listHistory(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  scheduledId: number | null,
  { limit, offset }: Page,
): Promise<PastEvent[]> {
  return tx.run<PastEvent>(HISTORY, [centralId, deliveryId, scheduledId, limit, offset]);
}
