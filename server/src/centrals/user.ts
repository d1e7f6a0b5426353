import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Caller, Role } from './caller.ts';
import { lockCentral } from './centralStore.ts';
import { deleteUser, hasActiveOperator, updateUser } from './userStore.ts';

/** A login of a central. */
export interface User {
  id: number;
  username: string;
  role: Role;
  /** A manager's company, and nobody else's. */
  companyId: number | null;
  /** Whom a driver's login acts for. */
  driverId: number | null;
  active: boolean;
}

export interface UserValues extends Omit<User, 'id' | 'active'> {
  /** Null: as it is; a new one is. */
  active: boolean | null;
  /** Null: the password stays. */
  passwordHash: string | null;
}

/*
 * Nobody locks the central out: operators cannot take their own rights away, and of two who take each other's
 * at the same time, the second finds no operator left but the one it is about to remove.
 */

/** False when there is no such user. */
export async function changeUser(
  tx: Tx,
  { centralId, userId, role }: Pick<Caller, 'centralId' | 'userId' | 'role'>,
  id: number,
  values: UserValues,
): Promise<boolean> {
  if (id === userId && (values.active === false || values.role !== role)) throw new Refusal('own-login');
  await lockCentral(tx, centralId);
  const found = await updateUser(tx, centralId, id, values);
  await assertOperated(tx, centralId);
  return found;
}

/** False when there is no such user. */
export async function removeUser(
  tx: Tx,
  { centralId, userId }: Pick<Caller, 'centralId' | 'userId'>,
  id: number,
): Promise<boolean> {
  if (id === userId) throw new Refusal('own-login');
  await lockCentral(tx, centralId);
  const found = await deleteUser(tx, centralId, id);
  await assertOperated(tx, centralId);
  return found;
}

async function assertOperated(tx: Tx, centralId: number): Promise<void> {
  if (!(await hasActiveOperator(tx, centralId))) throw new Refusal('last-operator');
}
