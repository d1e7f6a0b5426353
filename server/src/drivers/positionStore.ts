import type { Position } from '../kernel/position.ts';
import { batchLookups } from '../postgres/batchLookups.ts';
import type { Tx } from '../postgres/database.ts';

export interface PositionReport {
  centralId: number;
  driverId: number;
  position: Position;
  at: Temporal.Instant;
}

/**
 * Where drivers are now, many of them in one statement that commits by itself. A report that was overtaken by a later
 * one on its way changes nothing; that takes seconds, so one from much later is of a clock that ran ahead, and does not
 * count. Answers whether there is such a driver.
 */
export async function upsertPositions(tx: Tx, reports: readonly PositionReport[]): Promise<boolean[]> {
  if (reports.length === 0) return [];
  // Rows in the order of their keys, so that two such statements never wait for each other in a circle.
  const rows = await tx.run<{ known: boolean }>(UPSERT_POSITIONS, [
    reports.map((one) => one.centralId),
    reports.map((one) => one.driverId),
    reports.map((one) => one.position.lat),
    reports.map((one) => one.position.lng),
    reports.map((one) => one.at.toString()),
  ]);
  return rows.map((row) => row.known);
}

const UPSERT_POSITIONS = `
  with reports as materialized (
    select report.*, exists (
      select 1 from drivers d where d.central_id = report.central_id and d.id = report.driver_id) as known
    from unnest($1::bigint[], $2::bigint[], $3::double precision[], $4::double precision[], $5::timestamptz[])
      with ordinality as report (central_id, driver_id, lat, lng, at, place)),
  latest as (
    select distinct on (central_id, driver_id) central_id, driver_id, lat, lng, at
    from reports where known order by central_id, driver_id, at desc, place desc),
  saved as (
    insert into driver_positions as before (central_id, driver_id, lat, lng, at)
    select central_id, driver_id, lat, lng, at from latest order by central_id, driver_id
    on conflict (central_id, driver_id) do update
      set lat = excluded.lat, lng = excluded.lng, at = excluded.at
      where before.at <= excluded.at or before.at > excluded.at + interval '1 minute')
  select known from reports order by place`;

/** One of the thousands a second that a fleet's phones send: all together take one connection at most. */
export const upsertPosition = batchLookups<PositionReport, boolean>(upsertPositions, { oneAtATime: true });

/** Where it was last seen. */
export async function findPosition(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<Position | undefined> {
  const [row] = await tx<Position>`
    select lat, lng from driver_positions where central_id = ${centralId} and driver_id = ${driverId}`;
  return row;
}
