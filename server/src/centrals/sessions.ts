import { createHash, randomBytes } from 'node:crypto';
import { Refusal } from '../kernel/refusal.ts';
import type { Needs } from '../postgres/needs.ts';
import type { UserCaller } from './caller.ts';
import type { Central } from './central.ts';
import { findCentral } from './centralStore.ts';
import type { Credentials, Identities } from './identify.ts';
import { deleteSession, findCentralIdByName, findSession, insertSession } from './sessionStore.ts';
import { settingsDefaults } from './settings.ts';

const SESSION_HOURS = 12;

/** Has no users. Asked instead of one that does not exist, so that nobody can tell by the time it takes. */
const nobodysCentral: Central = {
  id: 0,
  name: '',
  timeZone: 'UTC',
  active: false,
  settings: settingsDefaults,
};

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Somebody logs in at the console; answers with the token of the cookie. Refuses with bad-credentials. */
export async function openSession(
  { db, clock }: Needs,
  identities: Identities,
  centralName: string,
  credentials: Credentials,
  address: string,
): Promise<{ token: string; caller: UserCaller }> {
  const centralId = await findCentralIdByName(db, centralName.trim());
  const central = centralId === undefined ? undefined : await findCentral(db, centralId);
  const caller = await identities.caller(central?.active ? central : nobodysCentral, credentials, address);
  if (caller.role === 'driver') throw new Refusal('not-allowed');
  const token = randomBytes(32).toString('base64url');
  const now = clock.now();
  await db.begin((tx) =>
    insertSession(
      tx,
      caller.centralId,
      caller.userId,
      digestOf(token),
      now,
      now.add({ hours: SESSION_HOURS }),
    ),
  );
  return { token, caller };
}

/** Who holds the token; refuses with bad-credentials when nobody does (any more). */
export async function sessionCaller(
  { db, clock }: Needs,
  token: string,
): Promise<UserCaller & { username: string }> {
  const session = await findSession(db, digestOf(token), clock.now());
  const central = session && (await findCentral(db, session.centralId));
  if (!session || !central?.active) throw new Refusal('bad-credentials');
  return { ...session, central };
}

export async function closeSession({ db }: Needs, token: string): Promise<void> {
  await db.begin((tx) => deleteSession(tx, digestOf(token)));
}
