import { eventTypeSql, insertEventsSql } from '../events/eventStore.ts';
import { latestDate } from '../kernel/clock.ts';
import type { Tx } from '../postgres/database.ts';

/** An older report would have expired before it could be tried twice. */
const FRESH = { seconds: 8 };

const POSITION = eventTypeSql('delivery.position');

/** Centrals with a webhook for positions and a driver who carries a delivery and has reported a fresh position. */
export async function findPositionCentrals(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.run<{ central_id: number }>(
    `select distinct w.central_id from webhooks w
     join deliveries d on d.central_id = w.central_id and d.status in ('accepted', 'on_hold', 'in_progress')
     join driver_positions p on p.central_id = w.central_id and p.driver_id = d.driver_id
     where w.active and w.paused_at is null and ${POSITION} = any (w.types) and p.at > $1`,
    [now.subtract(FRESH)],
  );
  return rows.map((row) => row.central_id);
}

// Only the deliveries that a webhook wants positions of are read.
const FIND_POSITIONS = `
  select d.company_id as "companyId", d.id as "deliveryId", p.at,
    jsonb_build_object('status', d.status, 'driverId', d.driver_id, 'driverName', driver.name,
      'lat', p.lat, 'lng', p.lng) as payload
  from deliveries d
  join driver_positions p on p.central_id = $1 and p.driver_id = d.driver_id
    and p.at > $3::timestamptz and p.at <= $2::timestamptz
  join drivers driver on driver.central_id = $1 and driver.id = d.driver_id
  where d.central_id = $1 and d.status in ('accepted', 'on_hold', 'in_progress')
    and exists (
      select 1 from webhooks w
      where w.central_id = $1 and w.active and w.paused_at is null and ${POSITION} = any (w.types)
        and (w.company_id is null or w.company_id = d.company_id))
    and not exists (
      select 1 from events e
      where e.central_id = $1 and e.delivery_id = d.id and e.type = ${POSITION}
        and e.occurred_at > p.at - interval '15 seconds'
        -- One of a clock that ran ahead and was put right holds none back.
        and e.occurred_at <= ${latestDate('$2')})`;

const INSERT_POSITIONS = insertEventsSql(
  ['central_id', 'type', 'company_id', 'delivery_id', 'payload', 'occurred_at'],
  '$3',
  `select $1::bigint, ${POSITION}, (p ->> 'companyId')::bigint, (p ->> 'deliveryId')::bigint, p -> 'payload',
    (p ->> 'at')::timestamptz
  from jsonb_array_elements($2::jsonb) p`,
);

/**
 * The advisory lock admits one transaction of all processes for a central at a time. Another one does nothing
 * meanwhile, so that no position is inserted twice.
 */
export async function insertPositionEvents(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
): Promise<number> {
  const [lock] = await tx<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`malote positions ${centralId}`}, 0)) as ours`;
  if (!lock?.ours) return 0;
  const positions = await tx.run(FIND_POSITIONS, [centralId, now, now.subtract(FRESH)]);
  if (positions.length === 0) return 0;
  const ids = await tx.newIds(centralId, 'event', positions.length);
  await tx.run(INSERT_POSITIONS, [centralId, JSON.stringify(positions), ids]);
  return positions.length;
}
