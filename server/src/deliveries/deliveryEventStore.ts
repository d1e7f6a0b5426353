import type { Actor } from '../events/actor.ts';
import type { DeliveryEvent } from '../events/event.ts';
import { insertEventsSql } from '../events/eventStore.ts';
import { deliveryFacts } from '../events/factsSql.ts';
import type { Tx } from '../postgres/database.ts';

// The driver's name is that of the driver in the payload, which a command may override.
const RECORD_DELIVERY_EVENT = `
  with numbered as (
    update deliveries set event_sequence = event_sequence + 1 where central_id = $1 and id = $2 returning *),
  described as (
    select numbered.*, ${deliveryFacts('numbered')} || $4::jsonb as payload from numbered)
  ${insertEventsSql(
    ['central_id', 'type', 'company_id', 'delivery_id', 'sequence', 'payload', 'occurred_at', 'user_id'],
    `select described.central_id, $3::text, described.company_id, described.id, described.event_sequence,
      described.payload || jsonb_build_object('driverName', driver.name), $5::timestamptz, $6::bigint
    from described
    left join drivers driver on driver.central_id = $1 and driver.id = (described.payload ->> 'driverId')::bigint`,
  )}`;

/** Called after the change, in its transaction: the facts are those that the change made. */
export async function recordDeliveryEvent(
  tx: Tx,
  centralId: number,
  { deliveryId, type, payload }: DeliveryEvent,
  { at, by }: Actor,
): Promise<void> {
  await tx.run(RECORD_DELIVERY_EVENT, [centralId, deliveryId, type, payload, at, by]);
}
