import type { Actor, DriverEvent } from '../../events/record/event.ts';
import { insertEvents } from '../../events/record/eventStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';

/** Called after the change, in its transaction. It locks the driver. */
export async function recordDriverEvent(
  tx: Tx,
  centralId: number,
  { driverId, type, payload }: DriverEvent,
  { at, by }: Actor,
): Promise<void> {
  const ids = await tx.newIds(centralId, 'event', 1);
  await tx.rows`
    with numbered as (
      update drivers set event_sequence = event_sequence + 1
      where central_id = ${centralId} and id = ${driverId} returning *)
    ${insertEvents(
      ['central_id', 'type', 'sequence', 'payload', 'occurred_at', 'user_id'],
      ids,
      sql`select numbered.central_id, ${type}::text, numbered.event_sequence,
          jsonb_build_object('driverId', numbered.id, 'driverName', numbered.name) || ${payload}::jsonb,
          ${at}::timestamptz, ${by}::bigint
        from numbered`,
    )}`;
}
