import { CLOCK_TOLERANCE } from '../../platform/kernel/clock.ts';
import type { Position } from '../../platform/kernel/position.ts';
import { batchLookups } from '../../platform/postgres/batchLookups.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { violatedConstraint } from '../../platform/postgres/databaseErrors.ts';
import { raw } from '../../platform/postgres/sql.ts';

export interface PositionReport {
  centralId: number;
  driverId: number;
  position: Position;
  at: Temporal.Instant;
  /** When a late report was received. Absent: at once. */
  receivedAt?: Temporal.Instant;
}

/**
 * Stores the positions of many drivers in one statement that commits by itself. A report older than the stored one
 * changes nothing. A stored time that is later than the report was received, by more than clocks differ, comes from a wrong
 * clock and is ignored. Returns whether the driver exists.
 */
export async function upsertPositions(tx: Tx, reports: readonly PositionReport[]): Promise<boolean[]> {
  if (reports.length === 0) return [];
  try {
    return await (tx.isDistributed ? upsertWithinCentral(tx, reports) : upsertTogether(tx, reports));
  } catch (error) {
    if (violatedConstraint(error) !== 'driver_positions_driver_fkey') throw error;
    // A driver was deleted while the statement ran, and nothing was stored. The next statement no longer knows it.
    return reports.length === 1 ? [false] : upsertPositions(tx, reports);
  }
}

const TOLERANCE = raw(`interval '${CLOCK_TOLERANCE.seconds} seconds'`);

async function upsertTogether(tx: Tx, reports: readonly PositionReport[]): Promise<boolean[]> {
  // Rows are locked in the order of their keys, so two such statements cannot deadlock.
  const rows = await tx.rows<{ known: boolean }>`
    with reports as materialized (
      select report.*, exists (
        select 1 from drivers d where d.central_id = report.central_id and d.id = report.driver_id) as known
      from unnest(${reports.map((report) => report.centralId)}::bigint[],
        ${reports.map((report) => report.driverId)}::bigint[],
        ${reports.map((report) => report.position.lat)}::double precision[],
        ${reports.map((report) => report.position.lng)}::double precision[],
        ${reports.map((report) => report.at.toString())}::timestamptz[],
        ${reports.map((report) => (report.receivedAt ?? report.at).toString())}::timestamptz[])
        with ordinality as report (central_id, driver_id, lat, lng, at, received_at, place)),
    latest as (
      select distinct on (central_id, driver_id) central_id, driver_id, lat, lng, at
      from reports where known order by central_id, driver_id, at desc, place desc),
    saved as (
      insert into driver_positions as before (central_id, driver_id, lat, lng, at)
      select central_id, driver_id, lat, lng, at from latest order by central_id, driver_id
      on conflict (central_id, driver_id) do update
        set lat = excluded.lat, lng = excluded.lng, at = excluded.at
        where before.at <= excluded.at or before.at > (select max(received_at) from reports) + ${TOLERANCE})
    select known from reports order by place`;
  return rows.map((row) => row.known);
}

/** Stores reports of one central, by statements that a distributed database can send to the central's node. */
async function upsertWithinCentral(tx: Tx, reports: readonly PositionReport[]): Promise<boolean[]> {
  const { centralId } = reports[0]!;
  const driverIds = reports.map((report) => report.driverId);
  const drivers = await tx.rows<{ id: number; at: Temporal.Instant | null }>`
    select d.id, p.at from drivers d
    left join driver_positions p on p.central_id = ${centralId} and p.driver_id = d.id
    where d.central_id = ${centralId} and d.id = any(${driverIds}::bigint[])`;
  const known = new Set(drivers.map(({ id }) => id));
  const received = reports.map((report) => report.receivedAt ?? report.at).reduce(laterOf);
  const latestRight = received.add(CLOCK_TOLERANCE);
  const wrong = drivers.filter(({ at }) => at && isLater(at, latestRight));
  if (wrong.length > 0)
    await tx.rows`
      delete from driver_positions
      where central_id = ${centralId} and driver_id = any(${wrong.map(({ id }) => id)}::bigint[])
        and at > ${latestRight}`;
  const latest = new Map<number, PositionReport>();
  for (const report of reports) {
    const other = latest.get(report.driverId);
    if (known.has(report.driverId) && !(other && isLater(other.at, report.at)))
      latest.set(report.driverId, report);
  }
  // Locked in the order of their keys.
  const saved = [...latest.values()].sort((a, b) => a.driverId - b.driverId);
  if (saved.length > 0)
    await tx.rows`
      insert into driver_positions as before (central_id, driver_id, lat, lng, at)
      select ${centralId}::bigint, driver_id, lat, lng, at
      from unnest(${saved.map((report) => report.driverId)}::bigint[],
        ${saved.map((report) => report.position.lat)}::double precision[],
        ${saved.map((report) => report.position.lng)}::double precision[],
        ${saved.map((report) => report.at.toString())}::timestamptz[]) as report (driver_id, lat, lng, at)
      on conflict (central_id, driver_id) do update
        set lat = excluded.lat, lng = excluded.lng, at = excluded.at where before.at <= excluded.at`;
  return reports.map((report) => known.has(report.driverId));
}

const isLater = (a: Temporal.Instant, b: Temporal.Instant): boolean => Temporal.Instant.compare(a, b) > 0;

const laterOf = (a: Temporal.Instant, b: Temporal.Instant): Temporal.Instant => (isLater(a, b) ? a : b);

/** A fleet sends thousands of positions a second: all of them together use one connection at most. */
export const upsertPosition = batchLookups<PositionReport, boolean>(upsertPositions, { oneAtATime: true });

/** The last known position, if it was reported since then. */
export async function findRecentPosition(
  tx: Tx,
  centralId: number,
  driverId: number,
  since: Temporal.Instant,
): Promise<Position | undefined> {
  const row = await tx.row<Position>`
    select lat, lng from driver_positions
    where central_id = ${centralId} and driver_id = ${driverId} and at >= ${since}`;
  return row;
}

/** The last known position. */
export async function findPosition(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<Position | undefined> {
  const row = await tx.row<Position>`
    select lat, lng from driver_positions where central_id = ${centralId} and driver_id = ${driverId}`;
  return row;
}
