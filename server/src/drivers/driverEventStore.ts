import type { Actor, DriverEvent } from '../events/event.ts';
import { insertEventsSql } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';

const RECORD_DRIVER_EVENT = `
  with numbered as (
    update drivers set event_sequence = event_sequence + 1 where central_id = $1 and id = $2 returning *)
  ${insertEventsSql(
    ['central_id', 'type', 'sequence', 'payload', 'occurred_at', 'user_id'],
    '$7',
    `select numbered.central_id, $3::text, numbered.event_sequence,
      jsonb_build_object('driverId', numbered.id, 'driverName', numbered.name) || $4::jsonb, $5::timestamptz, $6::bigint
    from numbered`,
  )}`;

/** Called after the change, in its transaction. It locks the driver. */
export async function recordDriverEvent(
  tx: Tx,
  centralId: number,
  { driverId, type, payload }: DriverEvent,
  { at, by }: Actor,
): Promise<void> {
  const ids = await tx.newIds(centralId, 'event', 1);
  await tx.run(RECORD_DRIVER_EVENT, [centralId, driverId, type, payload, at, by, ids]);
}
