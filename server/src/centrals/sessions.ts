import { createHash, randomBytes } from 'node:crypto';
import { readToken, writeToken } from '../kernel/centralToken.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Deps } from '../postgres/deps.ts';
import { tellSessionsEnded } from '../postgres/registerCache.ts';
import type { IdentifiedCaller, UserCaller } from './caller.ts';
import { type Central, settingsDefaults } from './central.ts';
import { findCentral } from './centralStore.ts';
import type { Credentials, Identities, Networks } from './identify.ts';
import {
  deleteOldestSessions,
  deleteSession,
  findCentralNamed,
  findSession,
  insertSession,
  lockSessionsOf,
} from './sessionStore.ts';

const SESSION_HOURS = 12;
/** Of one user. One more ends the oldest. */
const SESSIONS_MAX = 20;

/** Has no users. Asked instead of one that does not exist, so that nobody can tell by the time it takes. */
const nobodysCentral: Central = {
  id: 0,
  name: '',
  timeZone: 'UTC',
  active: false,
  settings: settingsDefaults,
};

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Somebody logs in at the console; answers with the token of the cookie. Refuses with bad-credentials. */
export async function openSession(
  { db, clock }: Deps,
  identities: Identities,
  centralName: string,
  credentials: Credentials,
  networks: Networks,
): Promise<{ token: string; caller: UserCaller }> {
  // The same look-ups, and counters of the same kind, whether there is such a central or not.
  const { id, folded } = await findCentralNamed(db, centralName.trim());
  const found = await findCentral(db, id ?? nobodysCentral.id);
  const central = found?.active ? found : nobodysCentral;
  const realm = central === nobodysCentral ? `name ${folded}` : undefined;
  const caller = await identities.caller(central, credentials, networks, realm);
  if (caller.role === 'driver') throw new Refusal('not-allowed');
  const secret = randomBytes(32).toString('base64url');
  const now = clock.now();
  await db.begin(async (tx) => {
    // Logins of one user come one after the other, so that together they leave no more than the limit.
    await lockSessionsOf(tx, central.id, caller.userId);
    if (await deleteOldestSessions(tx, central.id, caller.userId, SESSIONS_MAX - 1))
      await tellSessionsEnded(tx, central.id);
    const expiresAt = now.add({ hours: SESSION_HOURS });
    await insertSession(tx, central.id, caller.userId, digestOf(secret), now, expiresAt);
  });
  return { token: writeToken({ centralId: central.id, secret }), caller };
}

/** Who holds the token; refuses with bad-credentials when nobody does (any more). */
export async function sessionCaller(
  { db, clock }: Deps,
  token: string,
): Promise<IdentifiedCaller & { username: string }> {
  const read = readToken(token);
  if (!read) throw new Refusal('bad-credentials');
  const digest = digestOf(read.secret);
  const session = await findSession(db, read.centralId, digest, clock.now());
  const central = session && (await findCentral(db, session.centralId));
  if (!session || !central?.active) throw new Refusal('bad-credentials');
  return { ...session, central, proof: { kind: 'session', sessionDigest: digest.toString('base64') } };
}

export async function closeSession({ db }: Deps, token: string): Promise<void> {
  const read = readToken(token);
  if (!read) return;
  await db.begin(async (tx) => {
    if (await deleteSession(tx, read.centralId, digestOf(read.secret)))
      await tellSessionsEnded(tx, read.centralId);
  });
}
