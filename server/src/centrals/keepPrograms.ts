import { randomBytes } from 'node:crypto';
import { Refusal } from '../platform/kernel/refusal.ts';
import type { Tx } from '../platform/postgres/database.ts';
import { newId } from '../platform/postgres/ids.ts';
import type { Caller } from './caller.ts';
import { assertRoom, lockCentral } from './centralStore.ts';
import { assertStillMay } from './keepUsers.ts';
import { hashPassword } from './passwords.ts';
import { may, type Permission } from './permissions.ts';
import { digestSecret, newSecret, type Program, possibleScopes, roleWith } from './program.ts';
import {
  findProgram,
  insertProgram,
  insertSecret,
  limitSecrets,
  markProgramRevoked,
  updateExpiry,
} from './programStore.ts';
import { deactivateUser, findUser, insertProgramUser } from './userStore.ts';

/*
 * Whoever may make API keys may make programs, and nobody can give a program rights that they lack. The rights are read
 * again under the lock of the central. A program goes on when its author leaves, as a key does.
 */

/** Null: the command line, which may do everything. */
type ProgramKeeper = Pick<Caller, 'userId'> | null;

interface NewProgram {
  label: string;
  isTest?: boolean | undefined;
  companyId: number | null;
  scopes: readonly Permission[];
  expiresAt: Temporal.Instant | null;
}

/** A program, and the secret that is shown once. */
export interface ProgramWithSecret {
  program: Program;
  secret: string;
}

/** Made before the transaction, because a password hash takes long. Nobody knows this password. */
export const nobodysPasswordHash = (centralId: number): Promise<string> =>
  hashPassword(randomBytes(32).toString('base64url'), centralId);

export async function createProgram(
  tx: Tx,
  centralId: number,
  keeper: ProgramKeeper,
  { label, isTest = false, companyId, scopes, expiresAt }: NewProgram,
  { passwordHash, now }: { passwordHash: string; now: Temporal.Instant },
): Promise<ProgramWithSecret> {
  await assertRoom(tx, centralId, 'programs');
  const author = await assertMayGrant(tx, centralId, keeper, scopes);
  const possible = possibleScopes(companyId);
  if (!scopes.every((scope) => possible.includes(scope))) throw new Refusal('scope-not-possible');
  const id = await newId(tx, centralId, 'user');
  const role = roleWith(scopes, companyId);
  await insertProgramUser(tx, centralId, { id, username: `${label} #${id}`, role, companyId, passwordHash });
  await insertProgram(tx, centralId, {
    id,
    label,
    isTest,
    scopes: [...new Set(scopes)],
    createdAt: now,
    createdBy: author,
    expiresAt,
  });
  return {
    secret: await addSecret(tx, centralId, { id, isTest }, now),
    program: await mustFind(tx, centralId, id),
  };
}

/** Makes a new secret. The old one, and the access tokens made with it, work until `oldUntil` at most. */
export async function rotateProgram(
  tx: Tx,
  centralId: number,
  keeper: ProgramKeeper,
  id: number,
  {
    now,
    oldUntil,
    expiresAt,
  }: {
    now: Temporal.Instant;
    oldUntil: Temporal.Instant;
    /** Undefined: as it is. */
    expiresAt: Temporal.Instant | null | undefined;
  },
): Promise<ProgramWithSecret & { before: Program }> {
  await lockCentral(tx, centralId);
  const before = await mustFind(tx, centralId, id);
  if (before.revokedAt) throw new Refusal('program-revoked');
  await assertMayGrant(tx, centralId, keeper, before.scopes);
  await limitSecrets(tx, centralId, id, oldUntil);
  if (expiresAt !== undefined) await updateExpiry(tx, centralId, id, expiresAt);
  const secret = await addSecret(tx, centralId, before, now);
  return { before, secret, program: await mustFind(tx, centralId, id) };
}

/** For ever. Its requests and live streams end at once, in every process. Returns the program as it was. */
export async function revokeProgram(
  tx: Tx,
  centralId: number,
  keeper: ProgramKeeper,
  id: number,
  now: Temporal.Instant,
): Promise<Program> {
  await lockCentral(tx, centralId);
  const before = await mustFind(tx, centralId, id);
  await assertMayGrant(tx, centralId, keeper, []);
  await markProgramRevoked(tx, centralId, id, now);
  await deactivateUser(tx, centralId, id);
  return before;
}

async function addSecret(
  tx: Tx,
  centralId: number,
  { id: programId, isTest }: Pick<Program, 'id' | 'isTest'>,
  now: Temporal.Instant,
): Promise<string> {
  const secret = newSecret(centralId, isTest);
  await insertSecret(tx, centralId, {
    programId,
    kind: 'token',
    digest: digestSecret(secret),
    scopes: null,
    createdAt: now,
    expiresAt: null,
  });
  return secret;
}

async function mustFind(tx: Tx, centralId: number, id: number): Promise<Program> {
  const program = await findProgram(tx, centralId, id);
  if (!program) throw new Refusal('record-not-found');
  return program;
}

/** Returns the name of the keeper. */
async function assertMayGrant(
  tx: Tx,
  centralId: number,
  keeper: ProgramKeeper,
  scopes: readonly Permission[],
): Promise<string | null> {
  if (keeper === null) return null;
  const central = await lockCentral(tx, centralId);
  const role = await assertStillMay(tx, central, { centralId, userId: keeper.userId }, 'keys');
  if (!scopes.every((scope) => may({ role, central }, scope))) throw new Refusal('not-allowed');
  return (await findUser(tx, centralId, keeper.userId!))?.username ?? null;
}
