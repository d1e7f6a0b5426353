import { eventTypeSql, insertEventsSql } from '../events/eventStore.ts';
import type { Tx } from '../postgres/database.ts';

/** An older report would have expired before it could be tried twice. */
const FRESH = { seconds: 8 };

const POSITION = eventTypeSql('delivery.position');

// Only the deliveries that a webhook wants positions of are read.
const INSERT_POSITIONS = `
  with wanted as materialized (
    select central_id, company_id from webhooks
    where active and paused_at is null and ${POSITION} = any (types))
  ${insertEventsSql(
    ['central_id', 'type', 'company_id', 'delivery_id', 'payload', 'occurred_at'],
    `select d.central_id, ${POSITION}, d.company_id, d.id,
      jsonb_build_object('status', d.status, 'driverId', d.driver_id, 'driverName', driver.name,
        'lat', p.lat, 'lng', p.lng), p.at
    from deliveries d
    join driver_positions p on p.central_id = d.central_id and p.driver_id = d.driver_id
      and p.at > $2::timestamptz and p.at <= $1::timestamptz
    join drivers driver on driver.central_id = d.central_id and driver.id = d.driver_id
    where d.central_id = any (select central_id from wanted)
      and d.status in ('accepted', 'on_hold', 'in_progress')
      and exists (
        select 1 from wanted w
        where w.central_id = d.central_id and (w.company_id is null or w.company_id = d.company_id))
      and not exists (
        select 1 from events e
        where e.central_id = d.central_id and e.delivery_id = d.id and e.type = ${POSITION}
          and e.occurred_at > p.at - interval '15 seconds')`,
  )}
  returning id`;

/**
 * The advisory lock lets one transaction of all processes do this at a time. Another one that comes meanwhile does
 * nothing, so that no position is inserted twice.
 */
export async function insertPositionEvents(tx: Tx, now: Temporal.Instant): Promise<number> {
  const [lock] = await tx<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('malote positions')) as ours`;
  if (!lock?.ours) return 0;
  const rows = await tx.run(INSERT_POSITIONS, [now, now.subtract(FRESH)]);
  return rows.length;
}
