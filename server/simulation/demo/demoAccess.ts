import { randomBytes } from 'node:crypto';
import { formatUtc } from '../../src/api/json/values.ts';
import { formatSettings } from '../../src/api/operations/wire/settingsView.ts';
import { digestApiKey, findApiKey, markRevoked } from '../../src/centrals/apiKeyStore.ts';
import { lockCentral, markInactive, updateCentral } from '../../src/centrals/centralStore.ts';
import { hashPassword, isPassword } from '../../src/centrals/passwords.ts';
import { revokeSandboxKeysOf } from '../../src/centrals/sandboxKeyStore.ts';
import { hasActiveUser, updateUser } from '../../src/centrals/userStore.ts';
import type { Change } from '../../src/events/audit/change.ts';
import { commandLineActor, recordChange } from '../../src/events/audit/recordChange.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { Deps } from '../../src/platform/postgres/deps.ts';
import { DEMO_PASSWORD, demoCentrals } from './demoCentrals.ts';
import { type DemoKey, type FirstUser, findDemoKeys, findFirstUsers } from './makeDemo.ts';
import { deleteRhythm } from './rhythmStore.ts';

const testDigests = demoCentrals.flatMap(({ testKey }) => (testKey ? [digestApiKey(testKey)] : []));
const demoDigests = demoCentrals.map(({ apiKey }) => digestApiKey(apiKey));

/**
 * Whether a reader of the documentation can log in: by an api-key of the demonstration that is not revoked, or by
 * a login that still has its password. The contents of the database decide, not the configuration. The centrals of
 * the demonstration are identified by their keys, which are revoked but never deleted.
 */
export async function hasDemoAccess(db: Database): Promise<boolean> {
  const keys = await findDemoKeys(db, demoDigests);
  if (keys.some(({ active }) => active)) return true;
  for (const centralId of centralsOf(keys))
    for (const user of await findFirstUsers(db, centralId)) if (await hasDemoPassword(user)) return true;
  return false;
}

/** The logins of the first central, while its key is valid. Uses indexes, so it can be called for every page. */
export async function findDemoLogins(db: Database): Promise<ReadonlySet<string>> {
  const [key] = await findDemoKeys(db, demoDigests.slice(0, 1));
  const users = key?.active ? await findFirstUsers(db, key.centralId) : [];
  return new Set(users.map(({ username }) => username));
}

export interface RemovedAccess {
  keys: number;
  logins: string[];
  /** Names of centrals that were closed because no operator is left. */
  closed: string[];
}

/**
 * Removes the public keys and passwords, and stops the automatic orders of the demonstration. All other data
 * stays. A central that is left without an operator is closed: it answers no request, and its simulated couriers stop.
 * The audit log records everything as changes made on the command line.
 */
export async function removeDemoAccess({ db, clock }: Deps): Promise<RemovedAccess> {
  const keys = await findDemoKeys(db, demoDigests);
  const removed: RemovedAccess = { keys: 0, logins: [], closed: [] };
  const now = clock.now();
  for (const centralId of centralsOf(keys))
    await db.begin(async (tx) => {
      const record = (change: Change) => recordChange(tx, commandLineActor(centralId, now), change);
      // Every change of logins and keys holds this lock, so nothing is added meanwhile.
      const central = await lockCentral(tx, centralId);
      await deleteRhythm(tx, centralId);
      for (const { id } of keys.filter((key) => key.active && key.centralId === centralId)) {
        await markRevoked(tx, centralId, id, now);
        const { label = null } = (await findApiKey(tx, centralId, id)) ?? {};
        const after = { revogada_em: formatUtc(now) };
        await record({ subject: 'key', id, name: label, before: { revogada_em: null }, after });
        removed.keys += 1;
      }
      if (await revokeSandboxKeysOf(tx, centralId, testDigests, now)) {
        const after = { revogada_em: formatUtc(now), ambiente_de_teste: true };
        await record({ subject: 'key', id: null, name: null, before: { revogada_em: null }, after });
        removed.keys += 1;
      }
      for (const user of await findFirstUsers(tx, centralId)) {
        if (!(await hasDemoPassword(user))) continue;
        const passwordHash = await hashPassword(randomBytes(32).toString('base64'));
        await updateUser(tx, centralId, user.id, { ...user, active: false, passwordHash });
        const after = { ativo: false, senha: 'alterada' };
        await record({ subject: 'user', id: user.id, name: user.username, before: { ativo: true }, after });
        removed.logins.push(user.username);
      }
      if (!central.active || (await hasActiveUser(tx, centralId, ['operator', 'supervisor']))) return;
      const closed = { ...central, settings: { ...central.settings, simulatedCouriers: false } };
      const { name } = central;
      await updateCentral(tx, closed);
      const settings = { before: formatSettings(central), after: formatSettings(closed) };
      await record({ subject: 'settings', id: null, name, ...settings });
      await markInactive(tx, centralId);
      await record({
        subject: 'central',
        id: centralId,
        name,
        before: { ativo: true },
        after: { ativo: false },
      });
      removed.closed.push(central.name);
    });
  return removed;
}

const centralsOf = (keys: readonly DemoKey[]): number[] => [
  ...new Set(keys.map(({ centralId }) => centralId)),
];

/** A changed password is private, so its login stays. */
const hasDemoPassword = ({ passwordHash }: FirstUser): Promise<boolean> =>
  isPassword(passwordHash, DEMO_PASSWORD);
