import type { Page } from '../platform/kernel/page.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { type Sql, sql } from '../platform/postgres/sql.ts';
import type { Role } from './caller.ts';
import { findCentralsWith } from './centralStore.ts';
import type { Permission } from './permissions.ts';
import type { Program, ProgramUse } from './program.ts';

/** A secret that is valid, and the program that it proves. */
export interface ProvenProgram {
  id: number;
  role: Role;
  companyId: number | null;
  scopes: Permission[];
  kind: 'token' | 'access';
  isTest: boolean;
  /** When the secret or its program expires. */
  expiresAt: Temporal.Instant | null;
}

export async function findProgramBySecret(
  tx: Tx,
  centralId: number,
  digest: Buffer,
  now: Temporal.Instant,
): Promise<ProvenProgram | undefined> {
  return tx.row<ProvenProgram>`
    select p.id, u.role, u.company_id, coalesce(s.scopes, p.scopes) as scopes, s.kind, p.is_test,
      least(s.expires_at, p.expires_at) as expires_at
    from program_secrets s
    join programs p on p.central_id = ${centralId} and p.id = s.program_id
    join users u on u.central_id = ${centralId} and u.id = p.id
    where s.central_id = ${centralId} and s.sha256 = ${digest} and u.active and p.revoked_at is null
      and (s.expires_at is null or s.expires_at > ${now}) and (p.expires_at is null or p.expires_at > ${now})`;
}

const selectPrograms = (centralId: number, rows: Sql): Sql => sql`
  select p.id, p.label, p.is_test, u.company_id, p.scopes, p.created_at, p.created_by, p.expires_at, p.revoked_at,
    (select max(s.expires_at) from program_secrets s
      where s.central_id = ${centralId} and s.program_id = p.id and s.kind = 'token') as old_secret_until
  from programs p join users u on u.central_id = ${centralId} and u.id = p.id
  where p.central_id = ${centralId} and ${rows}`;

export async function listPrograms(
  tx: Tx,
  centralId: number,
  page: Page,
  isTest: boolean,
): Promise<Program[]> {
  return tx.rows<Program>`
    ${selectPrograms(centralId, sql`p.is_test = ${isTest}`)} order by p.id limit ${page.limit} offset ${page.offset}`;
}

export async function findProgram(tx: Tx, centralId: number, id: number): Promise<Program | undefined> {
  return tx.row<Program>`${selectPrograms(centralId, sql`p.id = ${id}`)}`;
}

/** Newest first. */
export async function listUses(
  tx: Tx,
  centralId: number,
  programIds: readonly number[],
): Promise<ProgramUse[]> {
  return tx.rows<ProgramUse>`
    select program_id, address, used_at from program_uses
    where central_id = ${centralId} and program_id = any(${programIds}::bigint[])
    order by used_at desc, address`;
}

export async function insertProgram(
  tx: Tx,
  centralId: number,
  program: Pick<Program, 'id' | 'label' | 'isTest' | 'scopes' | 'createdAt' | 'createdBy' | 'expiresAt'>,
): Promise<void> {
  const { id, label, isTest, scopes, createdAt, createdBy, expiresAt } = program;
  await tx.rows`
    insert into programs (central_id, id, label, is_test, scopes, created_at, created_by, expires_at)
    values (${centralId}, ${id}, ${label}, ${isTest}, ${scopes}, ${createdAt}, ${createdBy}, ${expiresAt})`;
}

interface NewProgramSecret {
  programId: number;
  kind: 'token' | 'access';
  digest: Buffer;
  /** Null: those of the program. */
  scopes: readonly Permission[] | null;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant | null;
}

export async function insertSecret(tx: Tx, centralId: number, secret: NewProgramSecret): Promise<void> {
  const { programId, kind, digest, scopes, createdAt, expiresAt } = secret;
  await tx.rows`
    insert into program_secrets (central_id, sha256, program_id, kind, scopes, created_at, expires_at)
    values (${centralId}, ${digest}, ${programId}, ${kind}, ${scopes}, ${createdAt}, ${expiresAt})`;
}

/** All secrets of a program work until then at most, access tokens too. */
export async function limitSecrets(
  tx: Tx,
  centralId: number,
  programId: number,
  until: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update program_secrets set expires_at = least(expires_at, ${until})
    where central_id = ${centralId} and program_id = ${programId}`;
}

export async function updateExpiry(
  tx: Tx,
  centralId: number,
  id: number,
  expiresAt: Temporal.Instant | null,
): Promise<void> {
  await tx.rows`update programs set expires_at = ${expiresAt} where central_id = ${centralId} and id = ${id}`;
}

/** A program that is already revoked keeps its time of revocation. */
export async function markProgramRevoked(
  tx: Tx,
  centralId: number,
  id: number,
  now: Temporal.Instant,
): Promise<void> {
  await tx.rows`
    update programs set revoked_at = coalesce(revoked_at, ${now}) where central_id = ${centralId} and id = ${id}`;
  await tx.rows`delete from program_secrets where central_id = ${centralId} and program_id = ${id}`;
}

/** The addresses that are kept of each program. */
const ADDRESSES_KEPT = 5;

/** Writes the uses of a central, at most one for each program and address. Programs that are gone are left out. */
export async function saveUses(tx: Tx, centralId: number, uses: readonly ProgramUse[]): Promise<void> {
  const rows = JSON.stringify(
    uses.map(({ programId, address, usedAt }) => ({
      program_id: programId,
      address,
      used_at: String(usedAt),
    })),
  );
  await tx.rows`
    insert into program_uses (central_id, program_id, address, used_at)
    select ${centralId}, used.program_id, used.address, used.used_at
    from json_to_recordset(${rows}::json) as used (program_id bigint, address text, used_at timestamptz)
    join programs p on p.central_id = ${centralId} and p.id = used.program_id
    order by used.program_id, used.address
    on conflict (central_id, program_id, address)
      do update set used_at = greatest(program_uses.used_at, excluded.used_at)`;
  await tx.rows`
    delete from program_uses where central_id = ${centralId} and (program_id, address) in (
      select program_id, address from (
        select program_id, address,
          row_number() over (partition by program_id order by used_at desc, address) as place
        from program_uses where central_id = ${centralId}
          and program_id = any(${uses.map(({ programId }) => programId)}::bigint[])) as numbered
      where place > ${ADDRESSES_KEPT})`;
}

export const findCentralsWithExpiredSecrets = (tx: Tx, now: Temporal.Instant): Promise<number[]> =>
  findCentralsWith(tx, sql`program_secrets where expires_at <= ${now}`);

export async function deleteExpiredSecrets(
  tx: Tx,
  centralId: number,
  now: Temporal.Instant,
): Promise<number> {
  const rows = await tx.rows`
    delete from program_secrets where central_id = ${centralId} and expires_at <= ${now} returning program_id`;
  return rows.length;
}
