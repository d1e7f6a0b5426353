import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readToken, writeToken } from '../platform/kernel/centralToken.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import type { Deps } from '../platform/postgres/deps.ts';
import { announceSessionsEnded } from '../platform/postgres/registerCache.ts';
import {
  type IdentifiedCaller,
  passwordMark,
  type Role,
  type UserCaller,
  type VerifiedCaller,
} from './caller.ts';
import { type Central, settingsDefaults } from './central.ts';
import { findCentral } from './centralStore.ts';
import { insertDevice, isDriverActive, markSeen } from './deviceStore.ts';
import type { Credentials, Identities, Networks } from './identify.ts';
import {
  deleteOldestSessions,
  deleteSession,
  findCentralNamed,
  findSession,
  insertSession,
  lockSessionsOf,
} from './sessionStore.ts';

/** A login at the console, or a driver's phone. The token of one is not valid for the other. */
export type SessionKind = 'console' | 'device';

/** A phone's session lasts so long without being used. A driver does not sign in anew every day. */
export const SESSION_HOURS: Readonly<Record<SessionKind, number>> = { console: 12, device: 90 * 24 };
/** A phone's last use is written down this often at most, not with each request. */
const SEEN_SECONDS = 60;
/** The maximum number of sessions of a user. A further one ends the oldest. */
const SESSIONS_MAX = 20;

/** A central without users, looked up instead of a missing one, so that the response time reveals nothing. */
const nobodysCentral: Central = {
  id: 0,
  name: '',
  timeZone: 'UTC',
  active: false,
  settings: settingsDefaults,
};

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** Identifies a phone to operators. Random ids of this range practically never repeat. */
const DEVICE_IDS = 2 ** 47;

interface SignIn {
  centralName: string;
  credentials: Credentials;
  networks: Networks;
}

/** Opens a console session; returns the token for the cookie. Refuses with bad-credentials. */
export async function openSession(
  deps: Deps,
  identities: Identities,
  centralName: string,
  credentials: Credentials,
  networks: Networks,
): Promise<{ token: string; caller: UserCaller }> {
  const caller = await callerOf(deps, identities, { centralName, credentials, networks });
  if (caller.role === 'driver') throw new Refusal('not-allowed');
  return { token: await startVerified(deps, caller), caller };
}

/** Signs a driver in on a phone by password; driverDevices.ts does so by code. Only drivers' logins are accepted. */
export async function openDevice(
  deps: Deps,
  identities: Identities,
  signIn: SignIn,
  label: string,
): Promise<string> {
  const caller = await callerOf(deps, identities, signIn);
  if (caller.role !== 'driver') throw new Refusal('not-allowed');
  return startVerified(deps, caller, label);
}

/** Opens a session for a caller whose password has just been verified. */
async function startVerified(deps: Deps, caller: VerifiedCaller, label?: string): Promise<string> {
  const { centralId, userId } = caller;
  const now = deps.clock.now();
  const token = await deps.db.begin((tx) => startSession(tx, centralId, userId, { now, label, is: caller }));
  if (token === undefined) throw new Refusal('bad-credentials');
  return token;
}

async function callerOf(
  { db }: Deps,
  identities: Identities,
  { centralName, credentials, networks }: SignIn,
): Promise<VerifiedCaller> {
  // Whether or not the central exists, the same look-ups and kinds of counters follow, so time reveals nothing.
  const { id, folded } = await findCentralNamed(db, centralName.trim());
  const found = await findCentral(db, id ?? nobodysCentral.id);
  const central = found?.active ? found : nobodysCentral;
  const realm = central === nobodysCentral ? `name ${folded}` : undefined;
  return identities.caller(central, credentials, networks, realm);
}

interface NewSession {
  now: Temporal.Instant;
  /** Names a driver's phone; without it the session is the console's. */
  label?: string | undefined;
  /** The state of the login when it was verified. */
  is: { role: Role; passwordMark?: string };
}

/**
 * Returns the token; undefined if the login has changed since it was verified. Changing a login or deactivating its
 * driver ends its sessions, but could miss one that is being opened. The lock of the user's row serialises the two.
 */
export async function startSession(
  tx: Tx,
  centralId: number,
  userId: number,
  { now, label, is }: NewSession,
): Promise<string | undefined> {
  const secret = randomBytes(32).toString('base64url');
  const digest = digestOf(secret);
  // Sessions of one user are opened one after the other, so that their number stays within the limit.
  const login = await lockSessionsOf(tx, centralId, userId);
  if (login?.role !== is.role) return undefined;
  if (login.driverId !== null && !(await isDriverActive(tx, centralId, login.driverId))) return undefined;
  if (is.passwordMark !== undefined && passwordMark(login.passwordHash) !== is.passwordMark) return undefined;
  if (await deleteOldestSessions(tx, centralId, userId, SESSIONS_MAX - 1))
    announceSessionsEnded(tx, centralId);
  const expiresAt = now.add({ hours: SESSION_HOURS[label === undefined ? 'console' : 'device'] });
  await insertSession(tx, centralId, userId, digest, now, expiresAt);
  if (label !== undefined)
    await insertDevice(tx, centralId, { id: randomInt(1, DEVICE_IDS), digest, label, seenAt: now });
  return writeToken({ centralId, secret });
}

/** The caller of a session token. Refuses with bad-credentials if there is no such session or it has ended. */
export async function sessionCaller(
  { db, clock }: Deps,
  token: string,
  kind: SessionKind,
): Promise<IdentifiedCaller & { username: string }> {
  const read = readToken(token);
  if (!read) throw new Refusal('bad-credentials');
  const digest = digestOf(read.secret);
  const now = clock.now();
  const session = await findSession(db, read.centralId, digest, now);
  const central = session && (await findCentral(db, session.centralId));
  if (!session || !central?.active) throw new Refusal('bad-credentials');
  const { device, ...login } = session;
  if ((device === null) !== (kind === 'console')) throw new Refusal('bad-credentials');
  if (device && Temporal.Instant.compare(device.seenAt.add({ seconds: SEEN_SECONDS }), now) <= 0)
    await markSeen(db, central.id, device.id, now, now.add({ hours: SESSION_HOURS.device }));
  return {
    ...login,
    central,
    ...(device && { deviceId: device.id }),
    proof: { kind: 'session', sessionDigest: digest.toString('base64') },
  };
}

export async function closeSession({ db }: Deps, token: string): Promise<void> {
  const read = readToken(token);
  if (!read) return;
  await db.begin(async (tx) => {
    if (await deleteSession(tx, read.centralId, digestOf(read.secret)))
      announceSessionsEnded(tx, read.centralId);
  });
}
