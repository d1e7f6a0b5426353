import { findCentralsWith } from '../../centrals/centralStore.ts';
import type { Tx } from '../../platform/postgres/database.ts';
import { sql } from '../../platform/postgres/sql.ts';

/** A driver's request for help. */
export interface HelpRequest {
  id: number;
  driverId: number;
  driverName: string;
  deliveryId: number | null;
  text: string;
  createdAt: Temporal.Instant;
}

/** Whether the driver carries the delivery now. */
export async function carries(
  tx: Tx,
  centralId: number,
  driverId: number,
  deliveryId: number,
): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from deliveries
    where central_id = ${centralId} and id = ${deliveryId} and driver_id = ${driverId}
      and status in ('accepted', 'on_hold', 'in_progress')`;
  return rows.length > 0;
}

export async function insertHelpRequest(
  tx: Tx,
  centralId: number,
  request: Omit<HelpRequest, 'driverName'>,
): Promise<void> {
  await tx.rows`
    insert into help_requests (central_id, id, driver_id, delivery_id, text, created_at)
    values (${centralId}, ${request.id}, ${request.driverId}, ${request.deliveryId}, ${request.text},
      ${request.createdAt})`;
}

/** Keeps the newest `kept` requests of a driver. */
export async function deleteOldestHelpRequests(
  tx: Tx,
  centralId: number,
  driverId: number,
  kept: number,
): Promise<void> {
  await tx.rows`
    delete from help_requests
    where central_id = ${centralId} and id = any(array(
      select id from help_requests where central_id = ${centralId} and driver_id = ${driverId}
      order by created_at desc, id offset ${kept}))`;
}

/** The oldest first. */
export async function listHelpRequests(tx: Tx, centralId: number, limit: number): Promise<HelpRequest[]> {
  return tx.rows<HelpRequest>`
    select h.id, h.driver_id, driver.name as driver_name, h.delivery_id, h.text,
      h.created_at
    from help_requests h
    join drivers driver on driver.central_id = ${centralId} and driver.id = h.driver_id
    where h.central_id = ${centralId} order by h.created_at, h.id limit ${limit}`;
}

/** Returns the number of deleted requests. */
export async function deleteHelpRequests(tx: Tx, centralId: number, driverId: number): Promise<number> {
  const rows = await tx.rows`
    delete from help_requests where central_id = ${centralId} and driver_id = ${driverId} returning id`;
  return rows.length;
}

export const findCentralsWithOldHelp = (tx: Tx, before: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`help_requests where created_at < ${before}`);

export async function deleteOldHelpRequests(
  tx: Tx,
  centralId: number,
  before: Temporal.Instant,
): Promise<number> {
  const rows = await tx.rows`
    delete from help_requests where central_id = ${centralId} and created_at < ${before} returning id`;
  return rows.length;
}

/** Deletes requests about these deliveries. */
export async function deleteHelpAbout(
  tx: Tx,
  centralId: number,
  deliveryIds: readonly number[],
): Promise<void> {
  await tx.rows`
    delete from help_requests where central_id = ${centralId} and delivery_id = any(${deliveryIds}::bigint[])`;
}
