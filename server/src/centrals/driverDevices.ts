import { createHash, randomInt } from 'node:crypto';
import { type CentralToken, readToken, writeToken } from '../platform/kernel/centralToken.ts';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import type { Deps } from '../platform/postgres/deps.ts';
import { announceSessionsEnded } from '../platform/postgres/registerCache.ts';
import { findCentral } from './centralStore.ts';
import {
  deleteDevice,
  deleteInvitesOf,
  deleteOldestInvites,
  insertInvite,
  isDriverActive,
  lockDriverLogin,
  lockDriverLogins,
  takeInvite,
} from './deviceStore.ts';
import type { Identities, Networks } from './identify.ts';
import { deleteSessionsOf } from './sessionStore.ts';
import { startSession } from './sessions.ts';

const INVITE_MINUTES = 15;
/** The maximum number of open invitations of a driver. A further one voids the oldest. */
const INVITES_MAX = 5;

/** Excludes letters that look like digits, because people may have to type the code. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 16;

const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

const newSecret = (): string =>
  Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Accepts upper and lower case and surrounding spaces. */
function readCode(code: string): CentralToken | undefined {
  const [central = '', secret = ''] = code.trim().split('.');
  return readToken(`${central.toLowerCase()}.${secret.toUpperCase()}`);
}

export interface Invitation {
  code: string;
  expiresAt: Temporal.Instant;
}

/** Creates a code with which a driver signs in on a phone once. Only its digest is stored. */
export async function inviteDevice(
  { db, clock }: Deps,
  centralId: number,
  driverId: number,
): Promise<Invitation> {
  return db.begin(async (tx) => {
    const userId = await lockDriverLogin(tx, centralId, driverId);
    const isActive = await isDriverActive(tx, centralId, driverId);
    if (isActive === undefined) throw new Refusal('driver-not-found');
    if (userId === undefined) throw new Refusal('driver-without-login');
    if (!isActive) throw new Refusal('driver-inactive');
    await deleteOldestInvites(tx, centralId, userId, INVITES_MAX - 1);
    const secret = newSecret();
    const createdAt = clock.now();
    const expiresAt = createdAt.add({ minutes: INVITE_MINUTES });
    await insertInvite(tx, centralId, { userId, digest: digestOf(secret), createdAt, expiresAt });
    return { code: writeToken({ centralId, secret }), expiresAt };
  });
}

/**
 * A driver signs in with a code. Unknown, expired and used codes, and codes of inactive logins or centrals, get the
 * same refusal. Guessing is slowed down as for logins.
 */
export async function openDeviceByCode(
  { db, clock }: Deps,
  identities: Identities,
  code: string,
  label: string,
  networks: Networks,
): Promise<string> {
  const read = readCode(code);
  const token = await identities.attempt(networks, async () => {
    if (!read || !(await findCentral(db, read.centralId))?.active) return undefined;
    const { centralId, secret } = read;
    // One transaction uses up the code and opens the session, so that both happen or neither.
    return db.begin(async (tx) => {
      const login = await takeInvite(tx, centralId, digestOf(secret), clock.now());
      return (
        login &&
        startSession(tx, centralId, login.userId, { now: clock.now(), label, is: { role: 'driver' } })
      );
    });
  });
  if (token === undefined) throw new Refusal('invite-not-valid');
  return token;
}

/** An operator signs out a driver's phone; its live streams end too. */
export async function endDevice(
  { db }: Deps,
  centralId: number,
  driverId: number,
  deviceId: number,
): Promise<void> {
  await db.begin(async (tx) => {
    if (!(await deleteDevice(tx, centralId, driverId, deviceId))) throw new Refusal('device-not-found');
    announceSessionsEnded(tx, centralId);
  });
}

/** Signs a driver out of all phones at once, and voids unused codes. */
export async function endDevicesOf(tx: Tx, centralId: number, driverId: number): Promise<void> {
  const userIds = await lockDriverLogins(tx, centralId, driverId);
  await deleteInvitesOf(tx, centralId, userIds);
  await deleteSessionsOf(tx, centralId, userIds);
  announceSessionsEnded(tx, centralId);
}
