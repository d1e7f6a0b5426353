import type { Page } from '../platform/kernel/page.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { duplicate, refuseIfUsed, refuseViolations } from '../platform/postgres/databaseErrors.ts';
import { newId } from '../platform/postgres/ids.ts';
import type { Role } from './caller.ts';

/** A login of a central. Those of programs are not among them. */
export interface User {
  id: number;
  username: string;
  role: Role;
  /** The company of a manager; null for all other roles. */
  companyId: number | null;
  /** The driver of a driver's login. */
  driverId: number | null;
  active: boolean;
}

export interface UserValues extends Omit<User, 'id' | 'active'> {
  /** Null keeps the current value; a new user is active. */
  active: boolean | null;
  /** Null keeps the current password. */
  passwordHash: string | null;
}

const violations = {
  users_username_unique: duplicate('username'),
  users_company_fkey: () => new Refusal('company-not-found'),
  users_driver_fkey: () => new Refusal('driver-not-found'),
};

export async function listUsers(tx: Tx, centralId: number, page: Page): Promise<User[]> {
  return tx.rows<User>`
    select id, username, role, company_id, driver_id, active from users
    where central_id = ${centralId} and not is_program order by id limit ${page.limit} offset ${page.offset}`;
}

export async function findUser(tx: Tx, centralId: number, id: number): Promise<User | undefined> {
  const row = await tx.row<User>`
    select id, username, role, company_id, driver_id, active from users
    where central_id = ${centralId} and id = ${id} and not is_program`;
  return row;
}

export async function hasActiveUser(tx: Tx, centralId: number, roles: readonly Role[]): Promise<boolean> {
  const rows = await tx.rows`
    select 1 from users where central_id = ${centralId} and role = any(${roles}) and active and not is_program limit 1`;
  return rows.length > 0;
}

export async function insertUser(tx: Tx, centralId: number, user: UserValues): Promise<number> {
  const id = await newId(tx, centralId, 'user');
  const inserted = tx.rows`
    insert into users (central_id, id, username, password_hash, role, company_id, driver_id, active)
    values (${centralId}, ${id}, ${user.username}, ${user.passwordHash}, ${user.role},
      ${user.companyId}, ${user.driverId}, coalesce(${user.active}, true))`;
  await refuseViolations(inserted, violations);
  return id;
}

/** The login of a program, without a password that anybody knows. */
export async function insertProgramUser(
  tx: Tx,
  centralId: number,
  user: Pick<User, 'id' | 'username' | 'role' | 'companyId'> & { passwordHash: string },
): Promise<void> {
  const inserted = tx.rows`
    insert into users (central_id, id, username, password_hash, role, company_id, is_program)
    values (${centralId}, ${user.id}, ${user.username}, ${user.passwordHash}, ${user.role}, ${user.companyId}, true)`;
  await refuseViolations(inserted, violations);
}

export async function deactivateUser(tx: Tx, centralId: number, id: number): Promise<void> {
  await tx.rows`update users set active = false where central_id = ${centralId} and id = ${id}`;
}

export async function updateUser(tx: Tx, centralId: number, id: number, user: UserValues): Promise<boolean> {
  const updated = tx.rows`
    update users set username = ${user.username}, role = ${user.role}, company_id = ${user.companyId},
      driver_id = ${user.driverId}, active = coalesce(${user.active}, active),
      password_hash = coalesce(${user.passwordHash}, password_hash)
    where central_id = ${centralId} and id = ${id} and not is_program returning id`;
  return (await refuseViolations(updated, violations)).length > 0;
}

export async function deleteUser(tx: Tx, centralId: number, id: number): Promise<boolean> {
  const deleted = tx.rows`
    delete from users where central_id = ${centralId} and id = ${id} and not is_program returning id`;
  return (await refuseIfUsed(deleted)).length > 0;
}
