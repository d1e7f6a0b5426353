import { plainName } from '../platform/kernel/plainName.ts';
import type { Tx } from '../platform/postgres/database.ts';
import type { Deps } from '../platform/postgres/deps.ts';
import { digestApiKey, insertApiKey, newApiKey } from './apiKeyStore.ts';
import { insertCentral, insertReasons, type NewCentral } from './centralStore.ts';
import { hashPassword } from './passwords.ts';
import { insertSandboxKey, newSandboxKey } from './sandboxKeyStore.ts';
import { insertUser, type UserValues } from './userStore.ts';

/** Creates a central with its cancellation reasons. Its operator sets up everything else. */
export async function createCentral({ db }: Pick<Deps, 'db'>, central: NewCentral): Promise<number> {
  return db.begin(async (tx) => {
    const id = await insertCentral(tx, { ...central, name: plainName(central.name) });
    await insertReasons(tx, id);
    return id;
  });
}

/** Returns the key itself, which is shown once and stored only as a digest. */
export async function createApiKey(
  { db, clock }: Deps,
  centralId: number,
  label: string,
  key: string = newApiKey(),
): Promise<{ id: number; key: string }> {
  const id = await db.begin((tx) =>
    insertApiKey(tx, centralId, plainName(label), digestApiKey(key), clock.now()),
  );
  return { id, key };
}

/** The same for the sandbox of the central. */
export async function createSandboxKey(
  { db, clock }: Deps,
  centralId: number,
  label: string,
  key: string = newSandboxKey(),
): Promise<{ id: number; key: string }> {
  const id = await db.begin((tx) =>
    insertSandboxKey(tx, centralId, plainName(label), digestApiKey(key), clock.now()),
  );
  return { id, key };
}

export interface NewUser extends Pick<UserValues, 'username' | 'role'> {
  password: string;
  companyId?: number | null;
  driverId?: number | null;
}

export async function createUser(tx: Tx, centralId: number, user: NewUser): Promise<number> {
  const { username, password, role, companyId = null, driverId = null } = user;
  const passwordHash = await hashPassword(password, centralId);
  return insertUser(tx, centralId, { username, role, companyId, driverId, active: true, passwordHash });
}
