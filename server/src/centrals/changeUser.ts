import { Refusal } from '../kernel/refusal.ts';
import type { Tx } from '../postgres/database.ts';
import type { Caller } from './caller.ts';
import { lockCentral } from './centralStore.ts';
import type { UserValues } from './user.ts';
import { deleteUser, hasActiveOperator, updateUser } from './userStore.ts';

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
