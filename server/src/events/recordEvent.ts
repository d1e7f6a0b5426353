import type { Tx } from '../postgres/database.ts';
import type { EventPayload, EventType } from './event.ts';

/**
 * Each is called in the transaction that makes the change, so that an event exists if and only if the
 * change does. The sequence is taken from the row itself, whose lock the change holds: it is dense, and
 * its order is the order of the commits.
 */
export async function recordDeliveryEvent(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  type: EventType,
  payload: EventPayload,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    with numbered as (
      update deliveries set event_sequence = event_sequence + 1
      where central_id = ${centralId} and id = ${deliveryId}
      returning event_sequence, company_id)
    insert into events (central_id, id, type, company_id, delivery_id, sequence, payload, occurred_at)
    select ${centralId}, next_id(${centralId}, 'event'), ${type}, company_id, ${deliveryId}, event_sequence,
      ${payload}::jsonb, ${now}
    from numbered`;
}

export async function recordScheduledEvent(
  tx: Tx,
  centralId: number,
  scheduledId: number,
  type: EventType,
  payload: EventPayload,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    with numbered as (
      update scheduled set event_sequence = event_sequence + 1
      where central_id = ${centralId} and id = ${scheduledId}
      returning event_sequence, company_id)
    insert into events (central_id, id, type, company_id, scheduled_id, sequence, payload, occurred_at)
    select ${centralId}, next_id(${centralId}, 'event'), ${type}, company_id, ${scheduledId}, event_sequence,
      ${payload}::jsonb, ${now}
    from numbered`;
}

export async function recordCompanyEvent(
  tx: Tx,
  centralId: number,
  companyId: number,
  type: EventType,
  payload: EventPayload,
  now: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into events (central_id, id, type, company_id, payload, occurred_at)
    values (${centralId}, next_id(${centralId}, 'event'), ${type}, ${companyId}, ${payload}::jsonb, ${now})`;
}
