import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import type { Caller, Role } from './caller.ts';
import type { Central } from './central.ts';
import { lockCentral } from './centralStore.ts';
import { may, outranks, type Permission } from './permissions.ts';
import { deleteUser, findUser, hasActiveUser, insertUser, type UserValues, updateUser } from './userStore.ts';

/*
 * A central always keeps a login that can administrate users: administrators cannot remove their own rights, and of two
 * who remove each other's at the same time, the second is refused. Nobody can grant rights that they lack. Each change
 * holds the lock of the central and reads the rights of the caller again, so that a login that has just lost its rights
 * cannot use them.
 */

type Keeper = Pick<Caller, 'centralId' | 'userId'>;

export async function addUser(tx: Tx, caller: Keeper, values: UserValues): Promise<number> {
  const central = await lockCentral(tx, caller.centralId);
  await assertMayKeep(tx, central, caller, [values.role]);
  return insertUser(tx, central.id, values);
}

/** False if there is no such user. */
export async function changeUser(
  tx: Tx,
  caller: Keeper & Pick<Caller, 'role'>,
  id: number,
  values: UserValues,
): Promise<boolean> {
  if (id === caller.userId && (values.active === false || values.role !== caller.role))
    throw new Refusal('own-login');
  const central = await lockCentral(tx, caller.centralId);
  const before = await findUser(tx, central.id, id);
  if (!before) return false;
  await updateUser(tx, central.id, id, values);
  await assertKept(tx, central);
  await assertMayKeep(tx, central, caller, [before.role, values.role]);
  return true;
}

/** False when there is no such user. */
export async function removeUser(tx: Tx, caller: Keeper, id: number): Promise<boolean> {
  if (id === caller.userId) throw new Refusal('own-login');
  const central = await lockCentral(tx, caller.centralId);
  const before = await findUser(tx, central.id, id);
  if (!before) return false;
  await deleteUser(tx, central.id, id);
  await assertKept(tx, central);
  await assertMayKeep(tx, central, caller, [before.role]);
  return true;
}

/** Refuses if no active login that may administrate users would be left. */
async function assertKept(tx: Tx, { id, settings }: Central): Promise<void> {
  const isDayOnly = settings.operatorsRunDayOnly;
  if (!(await hasActiveUser(tx, id, isDayOnly ? ['supervisor'] : ['operator', 'supervisor'])))
    throw new Refusal(isDayOnly ? 'last-supervisor' : 'last-operator');
}

async function assertMayKeep(
  tx: Tx,
  central: Central,
  caller: Keeper,
  roles: readonly Role[],
): Promise<void> {
  const role = await assertStillMay(tx, central, caller, 'users');
  if (!roles.every((each) => outranks({ role, central }, each))) throw new Refusal('not-allowed');
}

/** Checks the rights of the caller's login as they are within the transaction; returns its role. */
export async function assertStillMay(
  tx: Tx,
  central: Central,
  { userId }: Keeper,
  permission: Permission,
): Promise<Role> {
  const user = userId === null ? undefined : await findUser(tx, central.id, userId);
  if (!user?.active || !may({ role: user.role, central }, permission)) throw new Refusal('not-allowed');
  return user.role;
}
