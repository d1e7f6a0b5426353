import type { Tx } from '../postgres/database.ts';
import type { Actor } from './actor.ts';
import type { EventPayload, EventType } from './event.ts';
import { deliveryFacts, scheduledFacts } from './factsSql.ts';

/*
 * Each is called in the transaction that makes the change, and after it, so that an event exists if and only
 * if the change does, and tells of the state that the change made. The sequence is taken from the row itself,
 * whose lock the change holds: it is dense, and its order is the order of the commits.
 */

// Whoever the event names as driver, which is nobody when one gives a delivery up, is the one it tells of.
const RECORD_DELIVERY_EVENT = `
  with numbered as (
    update deliveries set event_sequence = event_sequence + 1 where central_id = $1 and id = $2 returning *),
  told as (
    select numbered.*, ${deliveryFacts('numbered')} || $4::jsonb as payload from numbered)
  insert into events (central_id, id, type, company_id, delivery_id, sequence, payload, occurred_at, user_id)
  select $1, next_id($1, 'event'), $3, told.company_id, $2, told.event_sequence,
    told.payload || jsonb_build_object('driverName', driver.name), $5::timestamptz, $6::bigint
  from told
  left join drivers driver on driver.central_id = told.central_id and driver.id = (told.payload ->> 'driverId')::bigint`;

export async function recordDeliveryEvent(
  tx: Tx,
  centralId: number,
  deliveryId: number,
  type: EventType,
  payload: EventPayload,
  { at, by }: Actor,
): Promise<void> {
  await tx.run(RECORD_DELIVERY_EVENT, [centralId, deliveryId, type, payload, at, by]);
}

const RECORD_SCHEDULED_EVENT = `
  with numbered as (
    update scheduled set event_sequence = event_sequence + 1 where central_id = $1 and id = $2 returning *)
  insert into events (central_id, id, type, company_id, scheduled_id, sequence, payload, occurred_at, user_id)
  select $1, next_id($1, 'event'), $3, company_id, $2, event_sequence,
    ${scheduledFacts('numbered')} || $4::jsonb, $5::timestamptz, $6::bigint
  from numbered`;

export async function recordScheduledEvent(
  tx: Tx,
  centralId: number,
  scheduledId: number,
  type: EventType,
  payload: EventPayload,
  { at, by }: Actor,
): Promise<void> {
  await tx.run(RECORD_SCHEDULED_EVENT, [centralId, scheduledId, type, payload, at, by]);
}

/** Of a company's wallet, whose lock the entry before it took: the balance told is the one after that entry. */
export async function recordCompanyEvent(
  tx: Tx,
  centralId: number,
  companyId: number,
  type: EventType,
  payload: EventPayload,
  { at, by }: Actor,
): Promise<void> {
  await tx`
    insert into events (central_id, id, type, company_id, payload, occurred_at, user_id)
    values (${centralId}, next_id(${centralId}, 'event'), ${type}, ${companyId},
      jsonb_build_object('balanceCents', (
        select balance_cents from wallets where central_id = ${centralId} and company_id = ${companyId}))
      || ${payload}::jsonb, ${at}, ${by})`;
}
