import type { Tx } from '../../platform/postgres/database.ts';
import type { DriverCalendar } from './calendar.ts';

/** Null: no shifts are kept for the driver. */
export async function findCalendar(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<DriverCalendar | null> {
  const row = await tx.row<DriverCalendar>`
    select week, days from driver_calendars where central_id = ${centralId} and driver_id = ${driverId}`;
  return row ?? null;
}

export async function saveCalendar(
  tx: Tx,
  centralId: number,
  driverId: number,
  { week, days }: DriverCalendar,
): Promise<void> {
  await tx.write`
    insert into driver_calendars (central_id, driver_id, week, days)
    values (${centralId}, ${driverId}, ${JSON.stringify(week)}::jsonb, ${JSON.stringify(days)}::jsonb)
    on conflict (central_id, driver_id) do update set week = excluded.week, days = excluded.days`;
}

export async function deleteCalendar(tx: Tx, centralId: number, driverId: number): Promise<void> {
  await tx.write`delete from driver_calendars where central_id = ${centralId} and driver_id = ${driverId}`;
}
