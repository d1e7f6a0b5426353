import type { Tx } from '../postgres/database.ts';
import type { Role } from './caller.ts';

export interface Session {
  centralId: number;
  userId: number;
  username: string;
  role: Role;
  companyId: number | null;
  driverId: number | null;
}

export async function insertSession(
  tx: Tx,
  centralId: number,
  userId: number,
  digest: Buffer,
  now: Temporal.Instant,
  expiresAt: Temporal.Instant,
): Promise<void> {
  await tx`
    insert into sessions (central_id, sha256, user_id, created_at, expires_at)
    values (${centralId}, ${digest}, ${userId}, ${now}, ${expiresAt})`;
}

/** Like an api-key, the token comes before the central is known. */
export async function findSession(
  tx: Tx,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<Session | undefined> {
  const [row] = await tx<Session>`
    select s.central_id as "centralId", u.id as "userId", u.username, u.role, u.company_id as "companyId",
      u.driver_id as "driverId"
    from sessions s join users u on u.central_id = s.central_id and u.id = s.user_id
    where s.sha256 = ${digest} and s.expires_at > ${now} and u.active`;
  return row;
}

export async function deleteSession(tx: Tx, digest: Buffer): Promise<void> {
  await tx`delete from sessions where sha256 = ${digest}`;
}

export async function deleteExpiredSessions(tx: Tx, now: Temporal.Instant): Promise<number> {
  const rows = await tx`delete from sessions where expires_at <= ${now} returning user_id`;
  return rows.length;
}

/**
 * People know their central by name or number. A number comes first; the database lets no name look like one, nor
 * like the name of another central, so nobody can take over a login by renaming.
 */
export async function findCentralIdByName(tx: Tx, name: string): Promise<number | undefined> {
  const [row] = /^\d{1,15}$/.test(name)
    ? await tx<{ id: number }>`select id from centrals where id = ${Number(name)}`
    : await tx<{ id: number }>`select id from centrals where fold_name(name) = fold_name(${name})`;
  return row?.id;
}
