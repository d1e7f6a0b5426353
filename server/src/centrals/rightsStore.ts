import type { Tx } from '../platform/postgres/database.ts';
import { passwordMark, type Rights, type Role, type Standing } from './caller.ts';
import { loginCentralOf } from './central.ts';

interface UserRow {
  id: number;
  role: Role;
  companyId: number | null;
  driverId: number | null;
  passwordHash: string;
}

/** The credentials among the given rights, all of one central, that are still valid. */
export async function findStanding(
  tx: Tx,
  ownId: number,
  all: readonly Rights[],
  now: Temporal.Instant,
): Promise<Standing> {
  const central = await tx.row<{ active: boolean }>`select active from centrals where id = ${ownId}`;
  const held = all.find((rights) => rights.central)?.central;
  // Logins and credentials of a sandbox are those of the real central. A closed one closes its sandbox.
  const centralId = held ? loginCentralOf(held) : ownId;
  if (!central?.active || all.length === 0)
    return {
      isCentralActive: central?.active ?? false,
      users: new Map(),
      keyDigests: new Set(),
      sessionDigests: new Set(),
      secretDigests: new Set(),
    };
  const proofs = all.map(({ proof }) => proof);
  const keys = proofs.flatMap((proof) => (proof.kind === 'key' ? [toBytes(proof.keyDigest)] : []));
  const secrets = proofs.flatMap((proof) => (proof.kind === 'program' ? [toBytes(proof.secretDigest)] : []));
  const tokens = proofs.flatMap((proof) => (proof.kind === 'session' ? [toBytes(proof.sessionDigest)] : []));
  const users = await tx.rows<UserRow>`
    select id, role, company_id, driver_id, password_hash from users
    where central_id = ${centralId} and id = any(${all.map(({ userId }) => userId)}::bigint[]) and active
      and (driver_id is null or exists (
        select from drivers
        where drivers.central_id = ${centralId} and drivers.id = users.driver_id and drivers.active))`;
  const keyRows = await tx.rows<{ sha256: Buffer }>`
    select sha256 from api_keys
    where central_id = ${centralId} and sha256 = any(${keys}::bytea[]) and revoked_at is null`;
  const sessionRows = await tx.rows<{ sha256: Buffer }>`
    select sha256 from sessions
    where central_id = ${centralId} and sha256 = any(${tokens}::bytea[]) and expires_at > ${now}`;
  const secretRows = await tx.rows<{ sha256: Buffer }>`
    select s.sha256 from program_secrets s
    join programs p on p.central_id = ${centralId} and p.id = s.program_id
    where s.central_id = ${centralId} and s.sha256 = any(${secrets}::bytea[]) and p.revoked_at is null
      and (s.expires_at is null or s.expires_at > ${now}) and (p.expires_at is null or p.expires_at > ${now})`;
  return {
    isCentralActive: true,
    users: new Map(
      users.map(({ id, passwordHash, ...user }) => [
        id,
        { ...user, passwordMark: passwordMark(passwordHash) },
      ]),
    ),
    keyDigests: new Set(keyRows.map(({ sha256 }) => sha256.toString('base64'))),
    sessionDigests: new Set(sessionRows.map(({ sha256 }) => sha256.toString('base64'))),
    secretDigests: new Set(secretRows.map(({ sha256 }) => sha256.toString('base64'))),
  };
}

const toBytes = (digest: string): Buffer => Buffer.from(digest, 'base64');
