import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import type { Caller } from './caller.ts';
import type { Central } from './central.ts';
import { lockCentral, updateCentral } from './centralStore.ts';
import { assertStillMay } from './keepUsers.ts';
import { hasActiveUser } from './userStore.ts';

/** Simultaneous changes are applied one after the other, each to the result of the one before. */
export async function changeSettings(
  tx: Tx,
  caller: Pick<Caller, 'centralId' | 'userId'>,
  change: (central: Central) => Central,
): Promise<{ before: Central; after: Central }> {
  const before = await lockCentral(tx, caller.centralId);
  await assertStillMay(tx, before, caller, 'settings');
  const after = change(before);
  // Otherwise nobody could turn the setting off again.
  if (after.settings.operatorsRunDayOnly && !(await hasActiveUser(tx, after.id, ['supervisor'])))
    throw new Refusal('no-supervisor');
  await updateCentral(tx, after);
  return { before, after };
}
