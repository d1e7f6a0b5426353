import { CLOCK_TOLERANCE } from '../../platform/kernel/clock.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';
import { eventType, insertEvents, ownKeyFact } from '../record/eventStore.ts';

/** An older report would have expired before it could be tried twice. */
const FRESH = { seconds: 8 };

const POSITION = eventType('delivery.position');

/** Centrals with a webhook for positions and a driver who carries a delivery and has reported a fresh position. */
export async function findPositionCentrals(tx: Tx, now: Temporal.Instant): Promise<number[]> {
  const rows = await tx.rows<{ centralId: number }>`
    select distinct w.central_id from webhooks w
    join deliveries d on d.central_id = w.central_id and d.status in ('accepted', 'on_hold', 'in_progress')
    join driver_positions p on p.central_id = w.central_id and p.driver_id = d.driver_id
    where w.active and w.paused_at is null and ${POSITION} = any (w.types) and p.at > ${now.subtract(FRESH)}`;
  return rows.map((row) => row.centralId);
}

/** Only of the deliveries that a webhook wants positions of. */
const findPositions = (tx: Tx, centralId: number, now: Temporal.Instant): Promise<object[]> =>
  tx.rows`
    select d.company_id, d.id as delivery_id, p.at,
      jsonb_build_object('status', d.status, 'driverId', d.driver_id, 'driverName', driver.name,
        'lat', p.lat, 'lng', p.lng) ${ownKeyFact(sql`d`)} as payload
    from deliveries d
    join driver_positions p on p.central_id = ${centralId} and p.driver_id = d.driver_id
      and p.at > ${now.subtract(FRESH)} and p.at <= ${now}
    join drivers driver on driver.central_id = ${centralId} and driver.id = d.driver_id
    where d.central_id = ${centralId} and d.status in ('accepted', 'on_hold', 'in_progress')
      and exists (
        select 1 from webhooks w
        where w.central_id = ${centralId} and w.active and w.paused_at is null and ${POSITION} = any (w.types)
          and (w.company_id is null or w.company_id = d.company_id))
      and not exists (
        select 1 from events e
        where e.central_id = ${centralId} and e.delivery_id = d.id and e.type = ${POSITION}
          and e.occurred_at > p.at - interval '15 seconds'
          -- One of a clock that ran ahead and was put right holds none back.
          and e.occurred_at <= ${now.add(CLOCK_TOLERANCE)})`;

/**
 * Creates position events of deliveries that are being carried, where a webhook subscribes to them: at most one in
 * 15 seconds for each delivery. A position report itself records no event, so it stays one cheap statement.
 *
 * The advisory lock admits one transaction of all processes for a central at a time. Another one does nothing
 * meanwhile, so that no position is inserted twice.
 */
export async function insertPositionEvents(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
): Promise<number> {
  const lock = await tx.row<{ ours: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`malote positions ${centralId}`}, 0)) as ours`;
  if (!lock?.ours) return 0;
  const positions = await findPositions(tx, centralId, now);
  if (positions.length === 0) return 0;
  const ids = await tx.newIds(centralId, 'event', positions.length);
  await tx.rows`${insertEvents(
    ['central_id', 'type', 'company_id', 'delivery_id', 'payload', 'occurred_at'],
    ids,
    sql`select ${centralId}::bigint, ${POSITION}, (p ->> 'companyId')::bigint, (p ->> 'deliveryId')::bigint,
        p -> 'payload', (p ->> 'at')::timestamptz
      from jsonb_array_elements(${JSON.stringify(positions)}::jsonb) p`,
  )}`;
  return positions.length;
}
