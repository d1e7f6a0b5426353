import type { Tx } from '../platform/postgres/database.ts';
import { sql } from '../platform/postgres/sql.ts';
import type { Role } from './caller.ts';
import { findCentralsWith } from './centralStore.ts';

export interface Session {
  centralId: number;
  userId: number;
  username: string;
  role: Role;
  companyId: number | null;
  driverId: number | null;
  /** A driver's phone; null at the console. */
  device: { id: number; seenAt: Temporal.Instant } | null;
}

interface SessionRow extends Omit<Session, 'device'> {
  deviceId: number | null;
  seenAt: Temporal.Instant | null;
}

/** The login for which a session is opened. */
export interface LockedLogin {
  role: Role;
  passwordHash: string;
  driverId: number | null;
}

/** Locks the user until the end of the transaction. Undefined for an inactive or deleted user. */
export async function lockSessionsOf(
  tx: Tx,
  centralId: number,
  userId: number,
): Promise<LockedLogin | undefined> {
  const row = await tx.row<LockedLogin>`
    select role, password_hash, driver_id from users
    where central_id = ${centralId} and id = ${userId} and active for no key update`;
  return row;
}

/** Keeps the newest `kept` sessions. True if it deleted any. */
export async function deleteOldestSessions(
  tx: Tx,
  centralId: number,
  userId: number,
  kept: number,
): Promise<boolean> {
  const rows = await tx.rows`
    delete from sessions
    where central_id = ${centralId} and sha256 = any(array(
      select sha256 from sessions where central_id = ${centralId} and user_id = ${userId}
      order by created_at desc, sha256 offset ${kept}))
    returning user_id`;
  return rows.length > 0;
}

export async function insertSession(
  tx: Tx,
  centralId: number,
  userId: number,
  digest: Buffer,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    insert into sessions (central_id, sha256, user_id, created_at, expires_at)
    values (${centralId}, ${digest}, ${userId}, ${now}, ${expiresAt})`;
}

export async function findSession(
  tx: Tx,
  centralId: number,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<Session | undefined> {
  const row = await tx.row<SessionRow>`
    select s.central_id, u.id as user_id, u.username, u.role, u.company_id,
      u.driver_id, device.id as device_id, device.seen_at
    from sessions s join users u on u.central_id = ${centralId} and u.id = s.user_id
    left join devices device on device.central_id = ${centralId} and device.sha256 = s.sha256
    where s.central_id = ${centralId} and s.sha256 = ${digest} and s.expires_at > ${now} and u.active`;
  if (!row) return undefined;
  const { deviceId, seenAt, ...session } = row;
  return { ...session, device: deviceId === null || seenAt === null ? null : { id: deviceId, seenAt } };
}

export async function deleteSessionsOf(tx: Tx, centralId: number, userIds: readonly number[]): Promise<void> {
  await tx.rows`delete from sessions where central_id = ${centralId} and user_id = any(${userIds}::bigint[])`;
}

/** False when there was none. */
export async function deleteSession(tx: Tx, centralId: number, digest: Buffer): Promise<boolean> {
  const rows = await tx.rows`
    delete from sessions where central_id = ${centralId} and sha256 = ${digest} returning user_id`;
  return rows.length > 0;
}

export const findCentralsWithExpiredSessions = (tx: Tx, now: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`sessions where expires_at <= ${now}`);

export async function deleteExpiredSessions(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
): Promise<number> {
  const rows = await tx.rows`
    delete from sessions where central_id = ${centralId} and expires_at <= ${now} returning user_id`;
  return rows.length;
}

/**
 * People identify their central by name or number. A number takes precedence. The database refuses names that look like
 * a number or like the name of another central, so nobody can take over a login by renaming a central. Nobody logs in at
 * a sandbox.
 */
export async function findCentralNamed(tx: Tx, name: string): Promise<NamedCentral> {
  if (/^\d{1,15}$/.test(name)) {
    const row = await tx.row<{
      id: number;
    }>`select id from centrals where id = ${Number(name)} and sandbox_of is null`;
    return { id: row?.id, folded: String(Number(name)) };
  }
  const row = await tx.row<{ id: number | null; folded: string }>`
    select (select id from centrals where fold_name(name) = fold_name(${name}) and sandbox_of is null) as id, fold_name(${name}) as folded`;
  return { id: row!.id ?? undefined, folded: row!.folded };
}

export interface NamedCentral {
  id: number | undefined;
  /** A form of the name that is equal for all its spellings. It exists even if no central has the name. */
  folded: string;
}
