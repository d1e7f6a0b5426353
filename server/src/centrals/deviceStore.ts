import { batchLookups } from '../platform/postgres/batchLookups.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { sql } from '../platform/postgres/sql.ts';
import { findCentralsWith } from './centralStore.ts';

/** A driver's phone: a session that operators can see and end. */
export interface Device {
  id: number;
  label: string;
  createdAt: Temporal.Instant;
  seenAt: Temporal.Instant;
  appVersion: string | null;
  battery: number | null;
}

/** Locks the login of a driver, the oldest of several, until the end of the transaction. */
export async function lockDriverLogin(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<number | undefined> {
  const row = await tx.row<{ id: number }>`
    select id from users
    where central_id = ${centralId} and role = 'driver' and driver_id = ${driverId} and active
    order by id limit 1 for no key update`;
  return row?.id;
}

export async function hasDriver(tx: Tx, centralId: number, driverId: number): Promise<boolean> {
  return (await isDriverActive(tx, centralId, driverId)) !== undefined;
}

/** Undefined if there is no such driver. */
export async function isDriverActive(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<boolean | undefined> {
  const row = await tx.row<{ active: boolean }>`
    select active from drivers where central_id = ${centralId} and id = ${driverId}`;
  return row?.active;
}

/** Locks the logins of a driver until the end of the transaction. */
export async function lockDriverLogins(tx: Tx, centralId: number, driverId: number): Promise<number[]> {
  const rows = await tx.rows<{ id: number }>`
    select id from users where central_id = ${centralId} and driver_id = ${driverId}
    order by id for no key update`;
  return rows.map(({ id }) => id);
}

export async function deleteInvitesOf(tx: Tx, centralId: number, userIds: readonly number[]): Promise<void> {
  await tx.rows`delete from device_invites where central_id = ${centralId} and user_id = any(${userIds}::bigint[])`;
}

/** Keeps the newest `kept` invitations of a login. */
export async function deleteOldestInvites(
  tx: Tx,
  centralId: number,
  userId: number,
  kept: number,
): Promise<void> {
  await tx.rows`
    delete from device_invites
    where central_id = ${centralId} and sha256 = any(array(
      select sha256 from device_invites where central_id = ${centralId} and user_id = ${userId}
      order by created_at desc, sha256 offset ${kept}))`;
}

export async function insertInvite(
  tx: Tx,
  centralId: number,
  invite: { userId: number; digest: Buffer; createdAt: Temporal.Instant; expiresAt: Temporal.Instant },
): Promise<void> {
  await tx.rows`
    insert into device_invites (central_id, sha256, user_id, created_at, expires_at)
    values (${centralId}, ${invite.digest}, ${invite.userId}, ${invite.createdAt}, ${invite.expiresAt})`;
}

/** Uses up a code; of several simultaneous uses only one succeeds. Returns the driver's login. */
export async function takeInvite(
  tx: Tx,
  centralId: number,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<{ userId: number; driverId: number } | undefined> {
  const row = await tx.row<{ userId: number; driverId: number }>`
    delete from device_invites i using users u
    where i.central_id = ${centralId} and i.sha256 = ${digest} and i.expires_at > ${now}
      and u.central_id = ${centralId} and u.id = i.user_id and u.active and u.role = 'driver'
    returning u.id as user_id, u.driver_id`;
  return row;
}

export const findCentralsWithExpiredInvites = (tx: Tx, now: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`device_invites where expires_at <= ${now}`);

export async function deleteExpiredInvites(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
): Promise<number> {
  const rows = await tx.rows`
    delete from device_invites where central_id = ${centralId} and expires_at <= ${now} returning user_id`;
  return rows.length;
}

export async function insertDevice(
  tx: Tx,
  centralId: number,
  device: { id: number; digest: Buffer; label: string; seenAt: Temporal.Instant },
): Promise<void> {
  await tx.rows`
    insert into devices (central_id, id, sha256, label, seen_at)
    values (${centralId}, ${device.id}, ${device.digest}, ${device.label}, ${device.seenAt})`;
}

/** The phones on which a driver is signed in, newest first. */
export async function listDevices(
  tx: Tx,
  centralId: number,
  driverId: number,
  now: Temporal.Instant,
): Promise<Device[]> {
  return tx.rows<Device>`
    select device.id, device.label, s.created_at, device.seen_at,
      device.app_version, device.battery
    from users u
    join sessions s on s.central_id = ${centralId} and s.user_id = u.id
    join devices device on device.central_id = ${centralId} and device.sha256 = s.sha256
    where u.central_id = ${centralId} and u.driver_id = ${driverId} and s.expires_at > ${now}
    order by s.created_at desc, device.id desc`;
}

/** For each driver who is signed in on a phone: the phone used last. */
export async function listDevicesInUse(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
): Promise<(Pick<Device, 'seenAt' | 'appVersion' | 'battery'> & { driverId: number })[]> {
  return tx.rows`
    select distinct on (u.driver_id) u.driver_id, device.seen_at,
      device.app_version, device.battery
    from users u
    join sessions s on s.central_id = ${centralId} and s.user_id = u.id and s.expires_at > ${now}
    join devices device on device.central_id = ${centralId} and device.sha256 = s.sha256
    where u.central_id = ${centralId} and u.driver_id is not null
    order by u.driver_id, device.seen_at desc, device.id`;
}

/** Deletes the phone and its session. False if the driver was not signed in there. */
export async function deleteDevice(
  tx: Tx,
  centralId: number,
  driverId: number,
  deviceId: number,
): Promise<boolean> {
  const rows = await tx.rows`
    delete from sessions s using users u, devices device
    where s.central_id = ${centralId} and device.central_id = ${centralId} and device.id = ${deviceId}
      and device.sha256 = s.sha256
      and u.central_id = ${centralId} and u.id = s.user_id and u.driver_id = ${driverId}
    returning s.user_id`;
  return rows.length > 0;
}

/** Records a use of the phone, which extends its session. */
export async function markSeen(
  tx: Tx,
  centralId: number,
  deviceId: number,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
): Promise<void> {
  // The session is locked first, in the same order as when a session ends.
  await tx.rows`
    with renewed as (
      update sessions s set expires_at = ${expiresAt} from devices device
      where s.central_id = ${centralId} and device.central_id = ${centralId} and device.id = ${deviceId}
        and device.sha256 = s.sha256 and device.seen_at < ${now}
      returning s.sha256)
    update devices set seen_at = ${now} from renewed
    where devices.central_id = ${centralId} and devices.sha256 = renewed.sha256`;
}

interface DeviceState {
  centralId: number;
  deviceId: number;
  appVersion: string | null;
  battery: number | null;
}

/** Stores the state that phones report, batched in one statement. Null keeps the current value. */
export const updateDevice = batchLookups<DeviceState, true>(
  async (tx, states) => {
    if (tx.isDistributed) return updateOneByOne(tx, states);
    // Locked in the order of their keys, so that two such statements cannot deadlock; unchanged rows are left alone.
    await tx.rows`
      with said as (
        select distinct on (central_id, id) * from unnest(
          ${states.map((state) => state.centralId)}::bigint[], ${states.map((state) => state.deviceId)}::bigint[],
          ${states.map((state) => state.appVersion)}::text[], ${states.map((state) => state.battery)}::smallint[])
          with ordinality as said (central_id, id, app_version, battery, place)
        order by central_id, id, place desc),
      changed as (
        select device.central_id, device.id, coalesce(said.app_version, device.app_version) as app_version,
          coalesce(said.battery, device.battery) as battery
        from devices device join said using (central_id, id)
        where (coalesce(said.app_version, device.app_version), coalesce(said.battery, device.battery))
          is distinct from (device.app_version, device.battery)
        order by device.central_id, device.id for no key update of device)
      update devices device set app_version = changed.app_version, battery = changed.battery from changed
      where device.central_id = changed.central_id and device.id = changed.id`;
    return states.map(() => true);
  },
  { oneAtATime: true },
);

/** One statement for each, so that none holds a lock while it waits for another. */
async function updateOneByOne(tx: Tx, states: readonly DeviceState[]): Promise<true[]> {
  for (const { centralId, deviceId, appVersion, battery } of states)
    await tx.rows`
      update devices set app_version = coalesce(${appVersion}, app_version), battery = coalesce(${battery}, battery)
      where central_id = ${centralId} and id = ${deviceId}
        and (app_version is distinct from coalesce(${appVersion}, app_version)
          or battery is distinct from coalesce(${battery}, battery))`;
  return states.map(() => true);
}

export async function findDriverName(
  tx: Tx,
  centralId: number,
  driverId: number,
): Promise<string | undefined> {
  const row = await tx.row<{ name: string }>`
    select name from drivers where central_id = ${centralId} and id = ${driverId}`;
  return row?.name;
}
